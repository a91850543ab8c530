package io.millrace.n1ql.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Collects JSON text as UTF-8. */
public final class JsonWriter {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final int most;
    private byte[] buffer = new byte[256];
    private int length;

    /** The text has more bytes than it may have. */
    public static final class TooLong extends RuntimeException {

        private static final long serialVersionUID = 1;

        TooLong(int most) {
            super("JSON of more than " + most + " bytes", null, false, false);
        }
    }

    public JsonWriter() {
        this(Integer.MAX_VALUE - 8); // the longest array
    }

    /** @param most how many bytes the text may have; what exceeds them throws {@link TooLong} */
    public JsonWriter(int most) {
        this.most = most;
    }

    public void ascii(char c) {
        ensure(1);
        buffer[length++] = (byte) c;
    }

    public void ascii(String text) {
        ensure(text.length());
        for (int i = 0; i < text.length(); i++) {
            buffer[length++] = (byte) text.charAt(i);
        }
    }

    public void raw(byte[] bytes, int from, int to) {
        ensure(to - from);
        System.arraycopy(bytes, from, buffer, length, to - from);
        length += to - from;
    }

    /** Appends a string with its quotation marks. */
    public void string(String text) {
        ascii('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                escape(c);
            } else if (c < 0x80) {
                ascii(c);
            } else {
                int end = i;
                while (end < text.length() && text.charAt(end) >= 0x80) {
                    end++;
                }
                byte[] utf8 = text.substring(i, end).getBytes(StandardCharsets.UTF_8);
                raw(utf8, 0, utf8.length);
                i = end - 1;
            }
        }
        ascii('"');
    }

    private void escape(char c) {
        ascii('\\');
        switch (c) {
            case '"', '\\' -> ascii(c);
            case '\n' -> ascii('n');
            case '\r' -> ascii('r');
            case '\t' -> ascii('t');
            case '\b' -> ascii('b');
            case '\f' -> ascii('f');
            default -> {
                ascii("u00");
                ascii((char) HEX[c >> 4]);
                ascii((char) HEX[c & 15]);
            }
        }
    }

    private void ensure(int more) {
        long needed = (long) length + more;
        if (needed > buffer.length) {
            if (needed > most) {
                throw new TooLong(most);
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(most, Math.max(buffer.length * 2L, needed)));
        }
    }

    public int length() {
        return length;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(buffer, length);
    }
}
