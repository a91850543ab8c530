package io.millrace.memcached.sasl;

/** What comes of one message of a client that logs in. */
public sealed interface SaslStep {

    /** The client has to answer this. */
    record Challenge(byte[] message) implements SaslStep {}

    /** The client is who it says, and may check by this message that the server is one who knows it. */
    record Done(String user, byte[] message) implements SaslStep {}

    /** The login has failed. @param reason for the log, not for the client */
    record Failed(String reason) implements SaslStep {}
}
