package io.millrace.n1ql.function.text;

import com.google.re2j.Pattern;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.CancellableText;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import org.jspecify.annotations.Nullable;

/** Patterns of LIKE: {@code %} matches any text, {@code _} one character. */
public final class Like {

    private Like() {}

    public static Value matches(Value value, Value pattern, Value escape, FunctionContext context) {
        if (!(value instanceof StringValue text)
                || !(pattern instanceof StringValue like)
                || !(escape instanceof StringValue escapeText)) {
            return Args.unknown(value, pattern, escape);
        }
        Bounds.match(text.text(), like.text(), "LIKE");
        Pattern compiled = context.pattern(regex(like.text(), escapeText.text()));
        return Value.of(compiled != null
                && CancellableText.matcher(compiled, text.text(), context).matches());
    }

    /** Returns a regular expression that matches the same texts as a whole. */
    public static String regex(String like, String escape) {
        StringBuilder regex = new StringBuilder("(?s)");
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < like.length(); ) {
            int c = like.codePointAt(i);
            i += Character.charCount(c);
            if (escape.length() > 0 && c == escape.codePointAt(0) && i < like.length()) {
                int escaped = like.codePointAt(i);
                i += Character.charCount(escaped);
                plain.appendCodePoint(escaped);
            } else if (c == '%' || c == '_') {
                flush(plain, regex);
                regex.append(c == '%' ? ".*" : ".");
            } else {
                plain.appendCodePoint(c);
            }
        }
        flush(plain, regex);
        return regex.toString();
    }

    private static void flush(StringBuilder plain, StringBuilder regex) {
        if (plain.length() > 0) {
            regex.append(Pattern.quote(plain.toString()));
            plain.setLength(0);
        }
    }

    /** Returns the prefix of all matches, which is the whole pattern if {@link #isExact}. */
    public static String prefix(String like) {
        StringBuilder prefix = new StringBuilder();
        for (int i = 0; i < like.length(); i++) {
            char c = like.charAt(i);
            if (c == '%' || c == '_') {
                break;
            }
            if (c == '\\' && i + 1 < like.length()) {
                i++;
                c = like.charAt(i);
            }
            prefix.append(c);
        }
        return prefix.toString();
    }

    /** Returns the text before the only {@code %}, if that ends the pattern and nothing else is special; else null. */
    public static @Nullable String onlyPrefix(String like) {
        if (!like.endsWith("%")
                || like.indexOf('%') != like.length() - 1
                || like.contains("_")
                || like.contains("\\")) {
            return null;
        }
        return like.substring(0, like.length() - 1);
    }

    public static boolean isExact(String like) {
        return !like.contains("%") && !like.contains("_") && !like.contains("\\");
    }
}
