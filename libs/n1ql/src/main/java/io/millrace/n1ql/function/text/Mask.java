package io.millrace.n1ql.function.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.CancellableText;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * MASK(): masks a text. Characters of the mask in {@code hole} show the character of the text, those in {@code inject}
 * are inserted, all others replace a character. {@code anchor} is where the mask begins: "start", "end", a position
 * (negative from the end) or the match of a pattern; with {@code length} "source" the text keeps its length, else it
 * ends with the mask.
 */
final class Mask {

    private static final String EIGHT_STARS = "********";

    private final int[] mask;
    private final String hole;
    private final String inject;

    private Mask(String mask, String hole, String inject, boolean backwards) {
        this.mask = points(mask, backwards);
        this.hole = hole;
        this.inject = inject;
    }

    static Value apply(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text) || args.length > 1 && !args[1].isObject()) {
            return Args.unknown(args);
        }
        Value options = args.length > 1 ? args[1] : Value.MISSING;
        return Value.of(masked(text.text(), options, context));
    }

    /** Returns the masked text. */
    static String masked(String text, Value options, FunctionContext context) {
        String mask = option(options, "mask", "");
        mask = mask.isEmpty() ? EIGHT_STARS : mask;
        Integer anchor = anchor(text, Args.option(options, "anchor"), context);
        if (anchor == null || Math.abs((long) anchor) > text.codePointCount(0, text.length())) {
            return text;
        }
        boolean fromEnd = anchor < 0
                || Args.text(Args.option(options, "anchor")) instanceof String word && word.equalsIgnoreCase("end");
        boolean keepLength = "source".equals(option(options, "length", "").toLowerCase(Locale.ROOT));
        String hole = option(options, "hole", " ");
        String inject = option(options, "inject", "");
        Bounds.work(mask.length(), hole.length() + inject.length(), "MASK()");
        return new Mask(mask, hole, inject, fromEnd).over(points(text, fromEnd), Math.abs(anchor), fromEnd, keepLength);
    }

    private static String option(Value options, String name, String otherwise) {
        String text = Args.text(Args.option(options, name));
        return text == null ? otherwise : text;
    }

    /** Returns how many characters precede the mask, or null if the mask does not apply. */
    private static @Nullable Integer anchor(String text, Value anchor, FunctionContext context) {
        if (anchor instanceof NumberValue number) {
            return (int) Math.max(-Integer.MAX_VALUE, Math.min(Integer.MAX_VALUE, number.longValue()));
        }
        if (!(anchor instanceof StringValue word)
                || word.text().equalsIgnoreCase("start")
                || word.text().equalsIgnoreCase("end")) {
            return 0;
        }
        Pattern pattern = Args.pattern(word.text(), context);
        Bounds.work(text.length(), pattern.programSize(), "MASK()");
        Matcher matcher = CancellableText.matcher(pattern, text, context);
        return matcher.find() ? text.codePointCount(0, matcher.start()) : null;
    }

    private static int[] points(String text, boolean backwards) {
        String ordered = backwards ? StringFunctions.reverse(text) : text;
        return ordered.codePoints().toArray();
    }

    private String over(int[] text, int untouched, boolean fromEnd, boolean keepLength) {
        int injected = 0;
        for (int c : mask) {
            injected += inject.indexOf(c) >= 0 ? 1 : 0;
        }
        int length = keepLength ? text.length + injected : mask.length + untouched;
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int i = 0; i < length; i++) {
            int masking = i - untouched;
            if (masking >= 0 && masking < mask.length) {
                int c = mask[masking];
                boolean shows = hole.indexOf(c) >= 0 && at < text.length;
                out.appendCodePoint(shows ? text[at] : c);
                at += inject.indexOf(c) >= 0 && hole.indexOf(c) < 0 ? 0 : 1;
            } else if (at < text.length) {
                out.appendCodePoint(text[at++]);
            }
        }
        return fromEnd ? StringFunctions.reverse(out.toString()) : out.toString();
    }
}
