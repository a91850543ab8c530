package io.millrace.handler.documents;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Collects the bytes of a JSON text, spelling new values as JSON.stringify does. */
public final class JsonWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    private byte[] buffer;
    private int length;

    public JsonWriter(int expectedBytes) {
        this.buffer = new byte[Math.max(64, expectedBytes)];
    }

    /** Makes room for a text of about this length. */
    void expect(int bytes) {
        reserve(bytes + 64);
    }

    public byte[] toBytes() {
        return Arrays.copyOf(buffer, length);
    }

    @Override
    public String toString() {
        return new String(buffer, 0, length, StandardCharsets.UTF_8);
    }

    public int length() {
        return length;
    }

    /** Discards everything written after the text had this length. */
    public void truncate(int length) {
        this.length = length;
    }

    void raw(byte[] text, int start, int end) {
        reserve(end - start);
        System.arraycopy(text, start, buffer, length, end - start);
        length += end - start;
    }

    void raw(char ascii) {
        reserve(1);
        buffer[length++] = (byte) ascii;
    }

    @SuppressWarnings("deprecation") // the only way to read Latin-1 bytes without a copy; used on ASCII only
    void ascii(String text) {
        int size = text.length();
        reserve(size);
        text.getBytes(0, size, buffer, length);
        length += size;
    }

    /** Writes a text that is JSON already. */
    public void json(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        raw(bytes, 0, bytes.length);
    }

    public void string(String text) {
        int size = text.length();
        reserve(size + 2);
        buffer[length++] = '"';
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x80 && c != '"' && c != '\\') {
                reserve(size - i + 1);
                buffer[length++] = (byte) c;
            } else if (Character.isHighSurrogate(c) && i + 1 < size && Character.isLowSurrogate(text.charAt(i + 1))) {
                utf8(Character.toCodePoint(c, text.charAt(++i)));
            } else if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
                escape(c);
            } else {
                utf8(c);
            }
        }
        raw('"');
    }

    private void escape(char c) {
        switch (c) {
            case '"' -> ascii("\\\"");
            case '\\' -> ascii("\\\\");
            case '\b' -> ascii("\\b");
            case '\f' -> ascii("\\f");
            case '\n' -> ascii("\\n");
            case '\r' -> ascii("\\r");
            case '\t' -> ascii("\\t");
            default -> {
                ascii("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    raw((char) HEX[c >> shift & 0xf]);
                }
            }
        }
    }

    private void utf8(int codePoint) {
        reserve(4);
        byte[] out = buffer;
        if (codePoint < 0x800) {
            out[length++] = (byte) (0xc0 | codePoint >> 6);
        } else {
            if (codePoint < 0x10000) {
                out[length++] = (byte) (0xe0 | codePoint >> 12);
            } else {
                out[length++] = (byte) (0xf0 | codePoint >> 18);
                out[length++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
            }
            out[length++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
        }
        out[length++] = (byte) (0x80 | codePoint & 0x3f);
    }

    void number(double value) {
        ascii(Double.isFinite(value) ? javaScriptNumber(value) : "null");
    }

    /** Returns Number.prototype.toString(10) of a finite number (ECMA-262, Number::toString). */
    static String javaScriptNumber(double value) {
        if (value == (long) value && Math.abs(value) < 1e18) {
            return Long.toString((long) value);
        }
        // Java's digits are the shortest that identify the double, as JavaScript's are; only their layout differs
        String java = Double.toString(Math.abs(value));
        int e = java.indexOf('E');
        int exponent = e < 0 ? 0 : Integer.parseInt(java, e + 1, java.length(), 10);
        String mantissa = e < 0 ? java : java.substring(0, e);
        int point = mantissa.indexOf('.');
        String digits = mantissa.substring(0, point) + mantissa.substring(point + 1);
        int first = 0;
        while (digits.charAt(first) == '0') {
            first++;
        }
        int last = digits.length();
        while (digits.charAt(last - 1) == '0') {
            last--;
        }
        int position = point + exponent - first;
        digits = digits.substring(first, last);
        return (value < 0 ? "-" : "") + layOut(digits, position);
    }

    /** @param position where the decimal point stands, counted from before the first digit */
    private static String layOut(String digits, int position) {
        int count = digits.length();
        if (count <= position && position <= 21) {
            return digits + "0".repeat(position - count);
        }
        if (0 < position && position <= 21) {
            return digits.substring(0, position) + "." + digits.substring(position);
        }
        if (-6 < position && position <= 0) {
            return "0." + "0".repeat(-position) + digits;
        }
        int exponent = position - 1;
        return digits.charAt(0)
                + (count == 1 ? "" : "." + digits.substring(1))
                + (exponent < 0 ? "e-" : "e+")
                + Math.abs(exponent);
    }

    private void reserve(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(length + more, buffer.length * 2));
        }
    }
}
