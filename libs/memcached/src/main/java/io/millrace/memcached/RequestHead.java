package io.millrace.memcached;

/**
 * The 24-byte header of a request. Lengths are as sent and may contradict each other.
 *
 * @param flexible whether the frame may have frame extras (magic 0x08)
 * @param opcode the code as sent, 0 to 255
 * @param opaque a number that the response repeats
 */
public record RequestHead(
        boolean flexible,
        int opcode,
        int frameExtrasLength,
        int keyLength,
        int extrasLength,
        int datatype,
        int vbucket,
        int bodyLength,
        int opaque,
        long cas) {

    static final int BYTES = 24;

    boolean lengthsFit() {
        return frameExtrasLength + extrasLength + keyLength <= bodyLength;
    }
}
