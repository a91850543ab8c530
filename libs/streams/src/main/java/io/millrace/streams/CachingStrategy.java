package io.millrace.streams;

import java.time.Duration;

/** Which states of a category are kept in memory, and for how long. */
public sealed interface CachingStrategy {

    /** No state is cached. */
    record NoCaching() implements CachingStrategy {}

    /**
     * A state is kept until it has not been used for this long.
     *
     * @param prefix distinguishes the states of categories that have the same name and different types of state
     */
    record SlidingWindow(StreamCache cache, Duration window, String prefix) implements CachingStrategy {}

    /** A state is kept for this long after it was loaded or written, whether it is used or not. */
    record FixedTimeSpan(StreamCache cache, Duration period) implements CachingStrategy {}

    static CachingStrategy none() {
        return new NoCaching();
    }

    static CachingStrategy slidingWindow(StreamCache cache, Duration window) {
        return new SlidingWindow(cache, window, "");
    }

    static CachingStrategy slidingWindowPrefixed(StreamCache cache, Duration window, String prefix) {
        return new SlidingWindow(cache, window, prefix);
    }

    static CachingStrategy fixedTimeSpan(StreamCache cache, Duration period) {
        return new FixedTimeSpan(cache, period);
    }
}
