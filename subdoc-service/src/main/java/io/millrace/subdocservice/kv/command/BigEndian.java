package io.millrace.subdocservice.kv.command;

import java.nio.ByteBuffer;

/** Numbers in network byte order. */
final class BigEndian {

    private BigEndian() {}

    static byte[] of(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    static byte[] of(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static byte[] of(long first, long second) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(first)
                .putLong(second)
                .array();
    }

    static byte[] of(long first, int second) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(first)
                .putInt(second)
                .array();
    }
}
