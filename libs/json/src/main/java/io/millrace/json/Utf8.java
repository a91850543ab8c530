package io.millrace.json;

/** UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing past U+10FFFF. */
public final class Utf8 {

    private Utf8() {}

    /** Returns true when the bytes of a range are whole characters. */
    public static boolean valid(byte[] text, int start, int end) {
        int at = start;
        while (at < end) {
            at = text[at] >= 0 ? at + 1 : character(text, at, end);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the position behind the character of several bytes at {@code at}, or -1. */
    static int character(byte[] text, int at, int end) {
        int lead = text[at] & 0xff;
        int length = lead >= 0xc2 && lead <= 0xdf
                ? 2
                : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
        if (length == 0 || end - at < length) {
            return -1;
        }
        for (int i = 1; i < length; i++) {
            if ((text[at + i] & 0xc0) != 0x80) {
                return -1;
            }
        }
        int second = text[at + 1] & 0xff;
        boolean wrong = lead == 0xe0 && second < 0xa0
                || lead == 0xed && second > 0x9f
                || lead == 0xf0 && second < 0x90
                || lead == 0xf4 && second > 0x8f;
        return wrong ? -1 : at + length;
    }

    /** Appends a code point that is not a surrogate to {@code to} at {@code at} and returns the position behind it. */
    public static int append(int codePoint, byte[] to, int at) {
        if (codePoint < 0x80) {
            to[at] = (byte) codePoint;
            return at + 1;
        }
        if (codePoint < 0x800) {
            to[at] = (byte) (0xc0 | codePoint >> 6);
            to[at + 1] = (byte) (0x80 | codePoint & 0x3f);
            return at + 2;
        }
        if (codePoint < 0x10000) {
            to[at] = (byte) (0xe0 | codePoint >> 12);
            to[at + 1] = (byte) (0x80 | codePoint >> 6 & 0x3f);
            to[at + 2] = (byte) (0x80 | codePoint & 0x3f);
            return at + 3;
        }
        to[at] = (byte) (0xf0 | codePoint >> 18);
        to[at + 1] = (byte) (0x80 | codePoint >> 12 & 0x3f);
        to[at + 2] = (byte) (0x80 | codePoint >> 6 & 0x3f);
        to[at + 3] = (byte) (0x80 | codePoint & 0x3f);
        return at + 4;
    }
}
