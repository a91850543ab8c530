package io.millrace.subdocservice.kv;

import java.time.Duration;

/** The limits of the binary endpoint, each with its unit. */
final class KvLimits {

    /** The most requests of one connection that are on their way at a time; further ones wait in the network. */
    static final int MAX_REQUESTS_IN_FLIGHT = 1024;

    /** About how many bytes of answers one connection may have on their way; large ones reduce the requests in flight. */
    static final int MAX_ANSWER_BYTES = 32 * 1024 * 1024;

    /** How many bytes of answers may wait for a client that reads slowly before its requests wait as well. */
    static final int SLOW_READER_BYTES = 1024 * 1024;

    /** How long a shutdown waits for the requests that have begun. */
    static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(5);

    private KvLimits() {}
}
