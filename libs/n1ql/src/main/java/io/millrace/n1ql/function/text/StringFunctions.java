package io.millrace.n1ql.function.text;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementLimits;
import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.function.spec.FunctionContext;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** Functions of strings; positions and lengths count bytes of UTF-8. */
final class StringFunctions {

    private StringFunctions() {}

    static void register(FunctionSpec.Registrar registrar) {
        registrar.add(2, 2, Args.ofStrings(StringFunctions::contains), "contains");
        registrar.add(1, 1, text(StringFunctions::title), "title", "initcap");
        registrar.add(1, 1, text(StringFunctions::lower), "lower");
        registrar.add(1, 1, text(StringFunctions::upper), "upper");
        registrar.add(1, 1, text(StringFunctions::reverse), "reverse");
        registrar.add(1, 1, Args.ofString(text -> Value.of((long) Args.utf8(text).length)), "length");
        registrar.add(1, 2, (args, context) -> trim(args, true, true), "trim");
        registrar.add(1, 2, (args, context) -> trim(args, true, false), "ltrim");
        registrar.add(1, 2, (args, context) -> trim(args, false, true), "rtrim");
        registrar.add(2, 2, position(0), "position", "pos", "position0", "pos0");
        registrar.add(2, 2, position(1), "position1", "pos1");
        registrar.add(2, 2, StringFunctions::repeat, "repeat");
        registrar.add(3, 4, StringFunctions::replace, "replace");
        registrar.add(1, 2, StringFunctions::split, "split");
        registrar.add(2, 3, (args, context) -> substring(args, 0), "substr", "substr0");
        registrar.add(2, 3, (args, context) -> substring(args, 1), "substr1");
        registrar.add(1, 1, Args.ofString(StringFunctions::suffixes), "suffixes");
        registrar.add(2, 3, (args, context) -> pad(args, true), "lpad");
        registrar.add(2, 3, (args, context) -> pad(args, false), "rpad");
        registrar.add(1, 1, text(StringFunctions::urlEncoded), "urlencode", "url_encode");
        registrar.add(1, 1, Args.ofString(StringFunctions::urlDecode), "urldecode", "url_decode");
        registrar.add(1, 2, Mask::apply, "mask");
        registrar.add(2, 2, EditDistance::apply, "edit_distance");
    }

    private static Value contains(String text, String part) {
        Bounds.search(text, part, "CONTAINS()");
        return Value.of(text.contains(part));
    }

    static FunctionSpec.Body text(UnaryOperator<String> body) {
        return Args.ofString(text -> Value.of(body.apply(text)));
    }

    /** Decodes a part of a text; each byte of a split character becomes a replacement character. */
    private static Value fromBytes(byte[] bytes, int from, int to) {
        StringBuilder out = new StringBuilder();
        int at = from;
        while (at < to) {
            int size = characterSize(bytes, at, to);
            out.append(size == 0 ? "\uFFFD" : new String(bytes, at, size, StandardCharsets.UTF_8));
            at += Math.max(1, size);
        }
        return Value.of(out.toString());
    }

    /** Returns the number of bytes of the character that begins here, or 0 if it is not a complete character. */
    private static int characterSize(byte[] bytes, int at, int to) {
        int first = bytes[at] & 0xff;
        int size = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (at + size > to) {
            return 0;
        }
        for (int i = 1; i < size; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return size;
    }

    /** Converts each character on its own, so that no letter becomes two and context does not matter. */
    private static String lower(String text) {
        return mapped(text, Character::toLowerCase);
    }

    private static String upper(String text) {
        return mapped(text, Character::toUpperCase);
    }

    private static String mapped(String text, IntUnaryOperator change) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(change).forEach(out::appendCodePoint);
        return out.toString();
    }

    private static String title(String text) {
        StringBuilder out = new StringBuilder();
        boolean inWord = false;
        for (int c : lower(text).codePoints().toArray()) {
            boolean letter = Character.isLetterOrDigit(c) || c == '_' || c == '\'';
            out.appendCodePoint(letter && !inWord ? Character.toTitleCase(c) : c);
            inWord = letter;
        }
        return out.toString();
    }

    static String reverse(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    private static Value trim(Value[] args, boolean left, boolean right) {
        if (!(args[0] instanceof StringValue text) || args.length > 1 && !args[1].isString()) {
            return Args.unknown(args);
        }
        String characters = args.length > 1 ? ((StringValue) args[1]).text() : " \t\n\f\r";
        String value = text.text();
        Bounds.work(value.length(), characters.length(), "TRIM()");
        int from = 0;
        int to = value.length();
        while (left && from < to && characters.indexOf(value.charAt(from)) >= 0) {
            from++;
        }
        while (right && to > from && characters.indexOf(value.charAt(to - 1)) >= 0) {
            to--;
        }
        return Value.of(value.substring(from, to));
    }

    private static FunctionSpec.Body position(int first) {
        return Args.ofStrings((text, part) -> {
            Bounds.search(text, part, "POSITION()");
            int at = text.indexOf(part);
            return Value.of(at < 0 ? first - 1L : Args.utf8(text.substring(0, at)).length + (long) first);
        });
    }

    private static Value repeat(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text) || !(args[1] instanceof NumberValue number)) {
            return Args.unknown(args);
        }
        if (!number.isWhole() || number.longValue() < 0) {
            return Value.NULL;
        }
        // the product of both could overflow
        if (number.longValue()
                > StatementLimits.MAX_RESULT_LENGTH / Math.max(1, text.text().length())) {
            throw QueryException.outOfRange("REPEAT()");
        }
        return Value.of(text.text().repeat((int) number.longValue()));
    }

    private static Value replace(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text)
                || !(args[1] instanceof StringValue from)
                || !(args[2] instanceof StringValue to)
                || args.length > 3 && Args.whole(args[3]) == null) {
            return Args.unknown(args);
        }
        long limit = args.length > 3 ? ((NumberValue) args[3]).longValue() : -1;
        return Value.of(replaced(text.text(), from.text(), to.text(), limit < 0 ? Long.MAX_VALUE : limit));
    }

    /** Replaces the first occurrences, at most as many as the limit says. */
    private static String replaced(String text, String from, String to, long limit) {
        if (from.isEmpty()) {
            if (limit < Long.MAX_VALUE) {
                return text;
            }
            Bounds.length(text.length() + (text.length() + 1L) * to.length(), "REPLACE()");
            return text.replace(from, to);
        }
        Bounds.search(text, from, "REPLACE()");
        StringBuilder out = new StringBuilder();
        int at = 0;
        int found = text.indexOf(from);
        for (long left = limit; found >= 0 && left > 0; left--) {
            Bounds.length((long) out.length() + (found - at) + to.length(), "REPLACE()");
            out.append(text, at, found).append(to);
            at = found + from.length();
            found = text.indexOf(from, at);
        }
        return at == 0 ? text : out.append(text, at, text.length()).toString();
    }

    /** Splits at the separator or, without one, at runs of spaces. */
    private static Value split(Value[] args, FunctionContext context) {
        if (!(args[0] instanceof StringValue text) || args.length > 1 && !args[1].isString()) {
            return Args.unknown(args);
        }
        if (args.length == 1) {
            String trimmed = text.text().strip();
            return trimmed.isEmpty() ? Value.EMPTY_ARRAY : ArrayValue.ofStrings(Arrays.asList(trimmed.split("\\s+")));
        }
        String separator = ((StringValue) args[1]).text();
        Bounds.search(text.text(), separator, "SPLIT()");
        List<String> parts = new ArrayList<>();
        if (separator.isEmpty()) {
            text.text().codePoints().forEach(c -> parts.add(Character.toString(c)));
            return ArrayValue.ofStrings(parts);
        }
        int at = 0;
        int found;
        while ((found = text.text().indexOf(separator, at)) >= 0) {
            parts.add(text.text().substring(at, found));
            at = found + separator.length();
        }
        parts.add(text.text().substring(at));
        return ArrayValue.ofStrings(parts);
    }

    private static Value substring(Value[] args, int first) {
        if (!(args[0] instanceof StringValue text)) {
            return Args.unknown(args);
        }
        byte[] bytes = Args.utf8(text.text());
        int[] range = range(args, bytes.length, first);
        return range == null ? Args.unknown(args) : fromBytes(bytes, range[0], range[1]);
    }

    /** Returns start and end of a substring, or null if the arguments do not select one. */
    static int @org.jspecify.annotations.Nullable [] range(Value[] args, int size, int first) {
        Long start = Args.whole(args[1]);
        Long count = args.length > 2 ? Args.whole(args[2]) : Long.valueOf(size);
        if (start == null || count == null || count < 0) {
            return null;
        }
        long from = start < 0 ? start + size : start > 0 ? start - first : start;
        if (from < 0 || from >= size) {
            return null;
        }
        return new int[] {(int) from, (int) Math.min(size, from + count)};
    }

    private static Value suffixes(String text) {
        Bounds.length(text.length() * (text.length() + 1L) / 2, "SUFFIXES()");
        List<String> suffixes = new ArrayList<>();
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            suffixes.add(text.substring(i));
        }
        return ArrayValue.ofStrings(suffixes);
    }

    private static Value pad(Value[] args, boolean left) {
        if (!(args[0] instanceof StringValue text) || args.length > 2 && !args[2].isString()) {
            return Args.unknown(args);
        }
        Long wanted = Args.whole(args[1]);
        byte[] padding = args.length > 2 ? Args.utf8(((StringValue) args[2]).text()) : new byte[] {' '};
        if (Args.anyMissing(args) || wanted == null || wanted < 0 || padding.length == 0) {
            return Args.unknown(args);
        }
        if (wanted > StatementLimits.MAX_RESULT_LENGTH) {
            throw QueryException.outOfRange(left ? "LPAD()" : "RPAD()");
        }
        byte[] bytes = Args.utf8(text.text());
        int size = wanted.intValue();
        if (size <= bytes.length) {
            return fromBytes(bytes, 0, size);
        }
        byte[] padded = new byte[size];
        int shift = left ? size - bytes.length : 0;
        System.arraycopy(bytes, 0, padded, shift, bytes.length);
        int gap = left ? 0 : bytes.length;
        for (int i = 0; i < size - bytes.length; i++) {
            padded[gap + i] = padding[i % padding.length];
        }
        return fromBytes(padded, 0, size);
    }

    private static Value urlDecode(String text) {
        try {
            return Value.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Value.NULL;
        }
    }

    /** Forms write a space as +, other parts of a URL do not. */
    private static String urlEncoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
