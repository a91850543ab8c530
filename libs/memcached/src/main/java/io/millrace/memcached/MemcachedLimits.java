package io.millrace.memcached;

/** The limits of frames, each with its unit. */
final class MemcachedLimits {

    /** The largest body of a request in bytes; a larger one gets {@code E2BIG}. */
    public static final int MAX_REQUEST_BYTES = 22 * 1024 * 1024;

    /** The largest body in bytes that is skipped before the {@code E2BIG} response; a larger one ends the connection. */
    public static final int MAX_SKIPPED_BYTES = 64 * 1024 * 1024;

    /** The most memory in bytes that is allocated for a request before that much of it has arrived. */
    public static final int MAX_ADVANCE_BYTES = 16 * 1024;

    private MemcachedLimits() {}
}
