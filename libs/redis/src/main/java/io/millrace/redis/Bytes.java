package io.millrace.redis;

import java.nio.charset.StandardCharsets;

/** Texts and decimal numbers as the bytes that Redis keeps. */
public final class Bytes {

    private static final byte[] NOTHING = {};

    private Bytes() {}

    /** Returns a text in UTF-8. */
    public static byte[] bytes(String text) {
        return text.isEmpty() ? NOTHING : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a number as Redis writes it: in decimal. */
    public static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    /** Returns the text that UTF-8 bytes spell. */
    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the decimal number without a sign that starts at an offset and goes to the end. */
    public static long number(byte[] bytes, int from) {
        long number = 0;
        for (int i = from; i < bytes.length; i++) {
            number = number * 10 + (bytes[i] - '0');
        }
        return number;
    }
}
