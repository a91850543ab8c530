package io.millrace.memcached;

import java.util.Arrays;

/**
 * Unsigned LEB128 numbers, as collection ids are written before keys: seven bits to a byte, least significant first, the
 * high bit set on all but the last.
 */
public final class Leb128 {

    /** What {@link #length} returns where there is no number. */
    public static final int NONE = 0;

    private static final int MAX_BYTES = 5;

    private Leb128() {}

    /**
     * Returns how many bytes, 1 to 5, a number of 32 bits takes that begins at an offset; {@link #NONE} when it does not
     * end in time, is larger than 32 bits, or has more bytes than it needs.
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

    /** Returns the number that begins at an offset, where {@link #length} has found one. */
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

    /** Returns a number of 32 bits, taken as unsigned. */
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
