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
}
