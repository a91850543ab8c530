package io.millrace.n1ql.function;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The MD4 digest (RFC 1320), which the platform does not provide. Not secure; used as a checksum. */
final class Md4 {

    private static final int BLOCK = 64;
    private static final int[] ROUND_3_ORDER = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    private static final int[][] SHIFTS = {{3, 7, 11, 19}, {3, 5, 9, 13}, {3, 9, 11, 15}};

    private final int[] state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

    private Md4() {}

    static byte[] digest(byte[] input) {
        int padded = (input.length + 8) / BLOCK * BLOCK + BLOCK;
        byte[] message = Arrays.copyOf(input, padded);
        message[input.length] = (byte) 0x80;
        ByteBuffer words = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        words.putLong(padded - 8, input.length * 8L);
        Md4 md4 = new Md4();
        int[] block = new int[16];
        for (int at = 0; at < padded; at += BLOCK) {
            for (int i = 0; i < block.length; i++) {
                block[i] = words.getInt(at + i * 4);
            }
            md4.process(block);
        }
        ByteBuffer result = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        for (int word : md4.state) {
            result.putInt(word);
        }
        return result.array();
    }

    private void process(int[] block) {
        int[] s = state.clone();
        for (int step = 0; step < 48; step++) {
            int round = step / 16;
            int i = step % 16;
            int a = (4 - i % 4) % 4;
            int b = s[(a + 1) % 4];
            int c = s[(a + 2) % 4];
            int d = s[(a + 3) % 4];
            int mixed = switch (round) {
                case 0 -> (b & c | ~b & d) + block[i];
                case 1 -> (b & c | b & d | c & d) + block[i % 4 * 4 + i / 4] + 0x5a827999;
                default -> (b ^ c ^ d) + block[ROUND_3_ORDER[i]] + 0x6ed9eba1;
            };
            s[a] = Integer.rotateLeft(s[a] + mixed, SHIFTS[round][i % 4]);
        }
        for (int i = 0; i < state.length; i++) {
            state[i] += s[i];
        }
    }
}
