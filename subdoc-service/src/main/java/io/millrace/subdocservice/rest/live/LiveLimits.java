package io.millrace.subdocservice.rest.live;

import java.time.Duration;

/** The limits of live queries, each with its unit. */
public final class LiveLimits {

    /** The most live queries in this process. */
    public static final int MAX_LIVE_QUERIES = 4_000;

    /** The most live queries of one user in this process. */
    public static final int MAX_LIVE_QUERIES_PER_USER = 500;

    /** The most documents that may match a live query: it remembers their ids. */
    public static final int MAX_MATCHES = 100_000;

    /** About how many bytes an id takes besides its characters. */
    static final int ID_BYTES = 100;

    /** A client gets at least a comment in this time, so that both ends notice a connection that is gone. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** How often a query that has not caught up looks whether it has, while nothing changes. */
    static final Duration LOOK = Duration.ofSeconds(1);

    /** How long Redis may take for an answer. */
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(30);

    /** How long to wait before a Redis that is unavailable is asked again. */
    static final Duration RETRY = Duration.ofSeconds(1);

    /** How many changes are dealt with at a time. */
    static final int PAGE = 256;

    /** How many queries send events at once when a change reaches many; see {@link LiveTurns}. */
    static final int QUERIES_AT_ONCE = 8;

    /** How long the others of these wait at least. */
    static final Duration PAUSE = Duration.ofMillis(4);

    /** About how long the last one of them waits. */
    static final Duration LONGEST_TURN = Duration.ofMillis(100);

    /** How many evaluated changes a filter keeps for further queries with the same text. */
    static final int KEPT_CHANGES = 1_024;

    /** How many bytes these have at most. */
    static final long KEPT_BYTES = 4L * 1024 * 1024;

    private LiveLimits() {}
}
