package io.millrace.memcached;

/** What a {@link RequestDecoder} makes of the bytes of a connection. */
public sealed interface Incoming permits Request, Incoming.Refused, Incoming.Garbage {

    /**
     * A frame whose body was not kept; it has been skipped as far as that goes.
     *
     * @param status what to answer
     * @param reason for people
     * @param last whether nothing comes after it: the connection has to be closed once it is answered
     */
    record Refused(RequestHead head, Status status, String reason, boolean last) implements Incoming {}

    /** Bytes that are no frame. There is nobody to answer: the connection has to be closed. */
    record Garbage(String reason) implements Incoming {}
}
