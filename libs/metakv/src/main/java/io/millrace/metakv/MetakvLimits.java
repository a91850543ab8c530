package io.millrace.metakv;

import java.time.Duration;

/** The limits of MetaKV, each with its unit. */
public final class MetakvLimits {

    /** The longest path in bytes of UTF-8 ({@link MetakvException.Code#INVALID_PATH}). */
    public static final int MAX_PATH_BYTES = 240;

    /** The largest value in bytes ({@link MetakvException.Code#VALUE_TOO_LARGE}). */
    public static final int MAX_VALUE_BYTES = 4 * 1024 * 1024;

    /** The most watches that one service instance serves ({@link MetakvException.Code#TOO_MANY_WATCHERS}). */
    public static final int MAX_WATCHERS = 2_000;

    /** How many changes of a path the history keeps; up to 64 more before it is trimmed. */
    public static final int MAX_HISTORY_EVENTS = 1_000;

    /** The size of the history of a path in bytes, if all values are as long as the newest. */
    public static final int MAX_HISTORY_BYTES = 8 * 1024 * 1024;

    /** The interval of heartbeats on a watch without changes. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(10);

    /** The shortest lease of a node. */
    public static final Duration MIN_LEASE = Duration.ofSeconds(3);

    /** The longest lease of a node. */
    public static final Duration MAX_LEASE = Duration.ofHours(1);

    private MetakvLimits() {}
}
