package io.millrace.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Checks the tokens of one JSON text strictly: no malformed UTF-8, no unescaped control characters, no numbers that RFC
 * 8259 does not allow. Each method takes the position at which a token begins and returns the position behind it. Keeps
 * no state, so that grammars of any form can be built on it; {@link JsonCursor} is one.
 */
public final class JsonScanner {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long BLANKS = 0x2020202020202020L;
    private static final long QUOTES = 0x2222222222222222L;
    private static final long BACKSLASHES = 0x5c5c5c5c5c5c5c5cL;
    private static final int SMALL_INTEGER_DIGITS = 9;

    private final byte[] text;
    private final int start;
    private final int end;
    private final boolean checksUnicodeEscapes;

    /** Scans {@code text[start]} to {@code text[end - 1]}, which must not change meanwhile. */
    public JsonScanner(byte[] text, int start, int end) {
        this(text, start, end, true);
    }

    JsonScanner(byte[] text, int start, int end, boolean checksUnicodeEscapes) {
        this.text = text;
        this.start = start;
        this.end = end;
        this.checksUnicodeEscapes = checksUnicodeEscapes;
    }

    /** Returns the first position from {@code at} on that is not white space, at most the end of the text. */
    public int blanks(int at) {
        return JsonSkip.blanks(text, at, end);
    }

    /** Returns the byte at a position, or 0 at the end of the text. */
    public byte byteAt(int at) {
        return at < end ? text[at] : 0;
    }

    /**
     * Returns the position behind the string whose opening quote is at {@code quote}; its complement ({@code ~}) if the
     * string has escapes or characters other than ASCII.
     */
    public int string(int quote) throws MalformedJson {
        byte[] t = text;
        int stop = end;
        int at = quote + 1;
        while (at + Long.BYTES <= stop) {
            long special = special((long) WORD.get(t, at));
            if (special != 0) {
                at += Long.numberOfTrailingZeros(special) >>> 3;
                return t[at] == '"' ? at + 1 : stringFrom(at);
            }
            at += Long.BYTES;
        }
        return stringFrom(at);
    }

    private int stringFrom(int first) throws MalformedJson {
        byte[] t = text;
        int stop = end;
        int at = first;
        boolean plain = true;
        while (at < stop) {
            byte b = t[at];
            if (b == '"') {
                return plain ? at + 1 : ~(at + 1);
            }
            if (b >= ' ' && b != '\\') {
                at++;
            } else {
                plain = false;
                at = b == '\\' ? escape(at) : character(at);
            }
        }
        throw malformed(stop, "A string has no end");
    }

    /**
     * Marks, with its high bit, the first byte that is a quote, a backslash, a control character or not ASCII. Bytes
     * after the first may be marked wrongly.
     */
    private static long special(long word) {
        long quote = word ^ QUOTES;
        long backslash = word ^ BACKSLASHES;
        return (quote - ONES & ~quote | backslash - ONES & ~backslash | word - BLANKS & ~word | word) & HIGHS;
    }

    private int escape(int backslash) throws MalformedJson {
        switch (byteAt(backslash + 1)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return backslash + 2;
            }
            case 'u' -> {
                if (!checksUnicodeEscapes) {
                    return backslash + 2;
                }
                for (int i = backslash + 2; i < backslash + 6; i++) {
                    if (Character.digit(byteAt(i), 16) < 0) {
                        throw malformed(backslash, "The escape \\u needs four hexadecimal digits");
                    }
                }
                return backslash + 6;
            }
            default -> throw malformed(backslash, "JSON has no such escape");
        }
    }

    private int character(int at) throws MalformedJson {
        if (text[at] >= 0) {
            throw malformed(at, "The control character U+%04X must be escaped in a string".formatted((int) text[at]));
        }
        int behind = Utf8.character(text, at, end);
        if (behind < 0) {
            throw malformed(at, "The text is not UTF-8");
        }
        return behind;
    }

    /**
     * Returns the position behind the number that begins at {@code first}; its complement ({@code ~}) unless the number
     * is an integer of at most nine digits that is not {@code -0}.
     */
    public int number(int first) throws MalformedJson {
        int at = byteAt(first) == '-' ? first + 1 : first;
        boolean zero = byteAt(at) == '0';
        int behindInteger = digits(at, at == first ? "a value" : "a digit");
        if (zero && behindInteger > at + 1) {
            throw malformed(at + 1, "A number has a leading zero");
        }
        int behind = behindInteger;
        if (byteAt(behind) == '.') {
            behind = digits(behind + 1, "a digit");
        }
        if ((byteAt(behind) | 0x20) == 'e') {
            byte sign = byteAt(behind + 1);
            behind = digits(sign == '+' || sign == '-' ? behind + 2 : behind + 1, "a digit");
        }
        boolean small = behind == behindInteger && behind - at <= SMALL_INTEGER_DIGITS && !(zero && at > first);
        return small ? behind : ~behind;
    }

    private int digits(int first, String expected) throws MalformedJson {
        byte[] t = text;
        int stop = end;
        int at = first;
        while (at < stop && t[at] >= '0' && t[at] <= '9') {
            at++;
        }
        if (at == first) {
            throw unexpected(at, expected);
        }
        return at;
    }

    /** Returns the position behind {@code word}, one of true, false and null, which must be at {@code first}. */
    public int word(int first, String word) throws MalformedJson {
        for (int i = 0; i < word.length(); i++) {
            if (byteAt(first + i) != word.charAt(i)) {
                throw unexpected(first + i, "'" + word + "'");
            }
        }
        return first + word.length();
    }

    /** Returns the position behind the string, number or word that begins at {@code first}. */
    public int scalar(int first) throws MalformedJson {
        return switch (byteAt(first)) {
            case '"' -> behind(string(first));
            case 't' -> word(first, "true");
            case 'f' -> word(first, "false");
            case 'n' -> word(first, "null");
            default -> behind(number(first));
        };
    }

    /** Returns the position in an answer of {@link #string} or {@link #number}. */
    public static int behind(int answer) {
        return answer < 0 ? ~answer : answer;
    }

    /**
     * Returns the string whose letters are between {@code first} and {@code stop}, without its quotes, with its escapes
     * resolved; a lone surrogate stays one. The letters must have been checked; after a lenient check an escape with
     * fewer than four hexadecimal digits stands for those that it has.
     */
    public static String decode(byte[] text, int first, int stop) {
        int escape = indexOfBackslash(text, first, stop);
        if (escape == stop) {
            return new String(text, first, stop - first, StandardCharsets.UTF_8);
        }
        var decoded = new StringBuilder(stop - first);
        int at = first;
        while (escape < stop) {
            decoded.append(new String(text, at, escape - at, StandardCharsets.UTF_8));
            at = escape + 2;
            char c = (char) text[escape + 1];
            switch (c) {
                case 'b' -> decoded.append('\b');
                case 'f' -> decoded.append('\f');
                case 'n' -> decoded.append('\n');
                case 'r' -> decoded.append('\r');
                case 't' -> decoded.append('\t');
                case 'u' -> {
                    int behind = behindHex(text, at, stop);
                    decoded.append((char) hex(text, at, behind));
                    at = behind;
                }
                default -> decoded.append(c);
            }
            escape = indexOfBackslash(text, at, stop);
        }
        return decoded.append(new String(text, at, stop - at, StandardCharsets.UTF_8))
                .toString();
    }

    private static int indexOfBackslash(byte[] text, int first, int stop) {
        int at = first;
        while (at < stop && text[at] != '\\') {
            at++;
        }
        return at;
    }

    private static int behindHex(byte[] text, int first, int stop) {
        int at = first;
        while (at < Math.min(first + 4, stop) && Character.digit(text[at], 16) >= 0) {
            at++;
        }
        return at;
    }

    private static int hex(byte[] text, int first, int stop) {
        int value = 0;
        for (int i = first; i < stop; i++) {
            value = value << 4 | Character.digit(text[i], 16);
        }
        return value;
    }

    /** Makes the exception for a byte that is not what must come here, such as {@code "':'"}. */
    public MalformedJson unexpected(int at, String expected) {
        if (at >= end) {
            return malformed(end, "The text ends where " + expected + " should be");
        }
        int b = text[at] & 0xff;
        String found = b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "a byte 0x%02x".formatted(b);
        return malformed(at, "Found " + found + " where " + expected + " should be");
    }

    /** Makes the exception for a value that is nested too deep. */
    public MalformedJson tooDeep(int at) {
        String detail = "Values are nested deeper than " + JsonLimits.MAX_DEPTH_LEVELS + " levels";
        return MalformedJson.at(text, start, at, detail, true);
    }

    MalformedJson malformed(int at, String detail) {
        return MalformedJson.at(text, start, at, detail, false);
    }
}
