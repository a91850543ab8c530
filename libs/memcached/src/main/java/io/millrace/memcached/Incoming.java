package io.millrace.memcached;

/** What a {@link RequestDecoder} produces from the bytes of a connection. */
public sealed interface Incoming permits Request, Incoming.Refused, Incoming.Garbage {

    /**
     * A frame whose body was skipped, or could not be.
     *
     * @param status the status of the response
     * @param reason the reason, for messages
     * @param last whether no further frame can be read: close the connection after the response
     */
    record Refused(RequestHead head, Status status, String reason, boolean last) implements Incoming {}

    /** Bytes that are not a frame. Close the connection without a response. */
    record Garbage(String reason) implements Incoming {}

    /**
     * The 24-byte header of a request. Lengths are as sent and may contradict each other.
     *
     * @param flexible whether the frame may have frame extras (magic 0x08)
     * @param opcode the code as sent, 0 to 255
     * @param opaque a number that the response repeats
     */
    record RequestHead(
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
}
