package io.millrace.timers;

import java.time.Duration;
import java.time.Instant;

/** The limits of timers, each with its unit. */
public final class TimerLimits {

    /** The most partitions that the timers of a function are spread over; the number is a power of two. */
    public static final int MAX_TIMER_PARTITIONS = 1024;

    /** The largest context that a function may allow itself, in bytes ({@code timer_context_size}). */
    public static final int MAX_CONTEXT_BYTES = 20 * 1024 * 1024;

    /** The longest callback name and reference of a timer together, in bytes of UTF-8. */
    public static final int MAX_TIMER_ID_BYTES = 1024;

    /** The last moment for which a timer can be set; later ones are set for it. */
    public static final Instant LATEST_DUE = Instant.parse("9999-12-31T23:59:59.999Z");

    /** The most timers that one claim hands out. */
    public static final int MAX_CLAIM_TIMERS = 500;

    /** About how many bytes of timers one claim hands out at a time; one timer is always handed out. */
    public static final int CLAIM_BYTES = 4 * 1024 * 1024;

    /** The most timers that a page of a listing has. */
    public static final int MAX_TIMERS_LISTED = 1000;

    /** In how many periods timers can be counted by one call. */
    public static final int MAX_PERIODS = 1000;

    /** How many dead letters of timers a partition keeps; the oldest ones go first. */
    public static final int DEAD_LETTERS_PER_PARTITION = 1000;

    /** The longest error text in a dead letter of a timer, in characters; longer ones are cut. */
    public static final int MAX_DEAD_LETTER_ERROR_CHARS = 4096;

    /** How long a new timer may remain unseen. */
    public static final Duration SCAN_POLL = Duration.ofMillis(50);

    /** How long a new timer may remain unseen when its bell was not heard. */
    public static final Duration RUNG_POLL = Duration.ofSeconds(5);

    /** How long a {@code TimerWatch} rests after each look, however often it is rung for. */
    public static final Duration SHORTEST_LOOK = Duration.ofMillis(10);

    /** How long a scanner waits that has nothing to do, when a {@code TimerWatch} looks for new timers. */
    public static final Duration WATCHED_POLL = Duration.ofMinutes(1);

    /** How many partitions an owner takes at a time; Redis does nothing else meanwhile. */
    public static final int MAX_PARTITIONS_TAKEN_TOGETHER = 128;

    /** For how many functions at a time a {@code TimerWatch} asks; Redis does nothing else meanwhile. */
    public static final int MAX_GROUPS_WATCHED_TOGETHER = 250;

    /** The most by which runs of a schedule are spread. */
    public static final Duration MAX_JITTER = Duration.ofDays(31);

    /** How late a run of a schedule may be that leaves out missed runs. */
    public static final Duration MISSED_AFTER = Duration.ofMinutes(1);

    private TimerLimits() {}
}
