package io.millrace.workerprotocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of a frame being written. Numbers are unsigned LEB128, texts and byte strings carry their length before them.
 */
final class FrameWriter {

    private static final int FIRST_BYTES = 16 * 1024;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    byte[] array() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** Empties it, and gives back the memory of an unusually large frame. */
    void clear() {
        size = 0;
        if (bytes.length > WorkerProtocolLimits.FULL_BATCH_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }

    void octet(int value) throws LinkException {
        room(1);
        bytes[size++] = (byte) value;
    }

    void number(long value) throws LinkException {
        room(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void bytes(byte[] value) throws LinkException {
        number(value.length);
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    void text(String value) throws LinkException {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes room for more, keeping in mind that a frame that is too large must fail before memory does. */
    private void room(int more) throws LinkException {
        long needed = (long) size + more;
        if (needed <= bytes.length) {
            return;
        }
        if (needed > WorkerProtocolLimits.MAX_FRAME_BYTES + 16) {
            throw LinkException.tooLarge(needed);
        }
        bytes = Arrays.copyOf(bytes, (int)
                Math.max(needed, Math.min(bytes.length * 2L, WorkerProtocolLimits.MAX_FRAME_BYTES + 16)));
    }
}
