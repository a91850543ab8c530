package io.millrace.n1ql.value;

import io.millrace.n1ql.value.Value.ValueType;

/** A string. Strings are ordered by their UTF-8 bytes, which is the order of code points. */
public final class StringValue extends Value {

    private final String text;

    StringValue(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    @Override
    public long parts() {
        return partsOfText(text.length());
    }

    @Override
    public ValueType type() {
        return ValueType.STRING;
    }

    @Override
    public boolean truth() {
        return !text.isEmpty();
    }

    @Override
    public void write(JsonWriter out) {
        out.string(text);
    }

    @Override
    int compareSame(Value other) {
        return compare(text, ((StringValue) other).text);
    }

    /** Compares two strings by code point. */
    public static int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                // a surrogate stands for a code point above all that need no surrogates
                boolean aHigh = Character.isSurrogate(a);
                boolean bHigh = Character.isSurrogate(b);
                return aHigh == bHigh ? a - b : aHigh ? 1 : -1;
            }
        }
        return left.length() - right.length();
    }

    @Override
    Value eqSame(Value other) {
        return of(text.equals(((StringValue) other).text));
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
