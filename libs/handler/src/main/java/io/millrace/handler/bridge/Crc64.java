package io.millrace.handler.bridge;

import java.util.HexFormat;

/** CRC-64/GO-ISO: the polynomial of ISO 3309 reflected, all ones before and after. */
final class Crc64 {
    private static final long POLYNOMIAL = 0xd800_0000_0000_0000L;
    private static final long[] TABLE = new long[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            long crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 1 ? crc >>> 1 ^ POLYNOMIAL : crc >>> 1;
            }
            TABLE[i] = crc;
        }
    }

    private Crc64() {}

    static String hex(byte[] bytes) {
        long crc = -1;
        for (byte b : bytes) {
            crc = TABLE[(int) (crc ^ b) & 0xff] ^ crc >>> 8;
        }
        return HexFormat.of().toHexDigits(~crc);
    }
}
