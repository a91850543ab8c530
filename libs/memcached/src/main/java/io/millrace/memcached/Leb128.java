package io.millrace.memcached;

import java.util.Arrays;

/**
 * Unsigned LEB128 numbers, the encoding of the collection id in front of a key: seven bits per byte, least significant
 * first, with the high bit set in all bytes but the last.
 */
public final class Leb128 {

    /** The result of {@link #length} if there is no valid number. */
    public static final int NONE = 0;

    private static final int MAX_BYTES = 5;

    private Leb128() {}

    /**
     * Returns how many bytes, 1 to 5, the 32-bit number at an offset takes; {@link #NONE} if it is incomplete, larger than
     * 32 bits, or longer than necessary.
     */
    public static int length(byte[] bytes, int from, int to) {
        for (int i = 0; i < MAX_BYTES && from + i < to; i++) {
            int part = bytes[from + i] & 0xff;
            if (part < 0x80) {
                boolean tooLarge = i == MAX_BYTES - 1 && part > 0x0f;
                boolean padded = i > 0 && part == 0;
                return tooLarge || padded ? NONE : i + 1;
            }
        }
        return NONE;
    }

    /** Returns the number at an offset; {@link #length} must have found one there. */
    public static int decode(byte[] bytes, int from) {
        int number = 0;
        int shift = 0;
        int at = from;
        while (bytes[at] < 0) {
            number |= (bytes[at++] & 0x7f) << shift;
            shift += 7;
        }
        return number | bytes[at] << shift;
    }

    /** Encodes an unsigned 32-bit number. */
    public static byte[] encode(int number) {
        byte[] bytes = new byte[MAX_BYTES];
        int length = 0;
        int rest = number;
        while ((rest & ~0x7f) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return Arrays.copyOf(bytes, length);
    }
}
