package io.millrace.memcached.sasl;

/** The result of one message of a client that logs in. */
public sealed interface SaslStep {

    /** The client must answer this message. */
    record Challenge(byte[] message) implements SaslStep {}

    /** The login succeeded; with the message the client verifies that the server knows the password. */
    record Done(String user, byte[] message) implements SaslStep {}

    /** The login has failed. @param reason the reason, for the log only, not for the client */
    record Failed(String reason) implements SaslStep {}
}
