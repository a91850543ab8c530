package io.millrace.n1ql.function.spec;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/** A long text that is matched: whether the statement has been cancelled or has timed out is checked on the way. */
public final class CancellableText implements CharSequence {

    /** A match of less than this, in comparisons, takes no time that matters. */
    private static final long LONG_MATCH = 1 << 20;

    /** Each character may take as many comparisons as the pattern has parts. */
    private static final int CHARACTERS_BETWEEN_CHECKS = 128;

    private final String text;
    private final FunctionContext context;
    private int read;

    private CancellableText(String text, FunctionContext context) {
        this.text = text;
        this.context = context;
    }

    /** Returns a matcher which ends with the statement. */
    public static Matcher matcher(Pattern pattern, String text, FunctionContext context) {
        boolean isLong = (long) pattern.programSize() * text.length() > LONG_MATCH;
        return pattern.matcher(isLong ? new CancellableText(text, context) : text);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++read % CHARACTERS_BETWEEN_CHECKS == 0) {
            context.check();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
