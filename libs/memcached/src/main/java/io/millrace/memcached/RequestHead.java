package io.millrace.memcached;

/**
 * The first 24 bytes of a request. Lengths are as they were sent and need not fit together.
 *
 * @param flexible whether the frame has the form with frame extras (magic 0x08)
 * @param opcode the code as sent, 0 to 255
 * @param opaque what the response gives back
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
