package io.millrace.subdocservice.kv;

import java.time.Duration;

/** The limits of the binary endpoint, each with its unit. */
final class KvLimits {

    /** The largest body in bytes of a request before the login, so that strangers occupy next to no memory. */
    static final int MAX_BYTES_BEFORE_LOGIN = 16 * 1024;

    /** The most requests of one connection in flight; further ones wait in the network. */
    static final int MAX_REQUESTS_IN_FLIGHT = 1024;

    /** About how many bytes of responses one connection may have in flight; large ones reduce the requests in flight. */
    static final int MAX_ANSWER_BYTES = 32 * 1024 * 1024;

    /** How many bytes of responses may wait for a slow client before its requests wait as well. */
    static final int SLOW_READER_BYTES = 1024 * 1024;

    /** How long a shutdown waits for the requests in flight. */
    static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(5);

    /** How long the store counts as away after it could not be asked for a bucket. */
    static final Duration STORE_AWAY = Duration.ofSeconds(1);

    private KvLimits() {}
}
