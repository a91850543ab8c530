package io.millrace.memcached;

/** The limits of frames, each with its unit. */
public final class MemcachedLimits {

    /** The largest body of a request in bytes that is taken; one more is answered with {@code E2BIG}. */
    public static final int MAX_REQUEST_BYTES = 22 * 1024 * 1024;

    /** The largest body of a request in bytes that is skipped to answer {@code E2BIG}; past it the connection ends. */
    public static final int MAX_SKIPPED_BYTES = 64 * 1024 * 1024;

    /** The largest piece of memory in bytes that a request gets before as much of it has arrived. */
    public static final int MAX_ADVANCE_BYTES = 16 * 1024;

    private MemcachedLimits() {}
}
