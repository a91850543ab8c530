package io.millrace.workerprotocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of one frame being read; the counterpart of {@link FrameWriter}. Checks everything that it reads. */
final class FrameReader {

    private final byte[] bytes;
    private int at;

    FrameReader(byte[] bytes) {
        this.bytes = bytes;
    }

    int remaining() {
        return bytes.length - at;
    }

    int octet() throws LinkException {
        if (at == bytes.length) {
            throw LinkException.malformed("it ends too early");
        }
        return bytes[at++] & 0xff;
    }

    long number() throws LinkException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int octet = octet();
            value |= (long) (octet & 0x7f) << shift;
            if ((octet & 0x80) == 0) {
                return value;
            }
        }
        throw LinkException.malformed("a number has more than 10 bytes");
    }

    /** Reads a number that must lie between 0 and {@code max}. */
    int number(int max) throws LinkException {
        long value = number();
        if (value < 0 || value > max) {
            throw LinkException.malformed("%s is not between 0 and %d".formatted(Long.toUnsignedString(value), max));
        }
        return (int) value;
    }

    /**
     * Reads how many things follow, each of at least one byte, so that a wrong count cannot make us allocate memory.
     */
    int count() throws LinkException {
        return number(remaining());
    }

    byte[] bytes() throws LinkException {
        int length = count();
        if (length > remaining()) {
            throw LinkException.malformed("it ends too early");
        }
        byte[] value = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return value;
    }

    String text() throws LinkException {
        int length = count();
        if (length > remaining()) {
            throw LinkException.malformed("it ends too early");
        }
        String value = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return value;
    }
}
