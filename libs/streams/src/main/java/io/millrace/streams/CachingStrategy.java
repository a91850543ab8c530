package io.millrace.streams;

import java.time.Duration;

/** Which states of a category are kept in memory, and for how long. */
public sealed interface CachingStrategy {

    /** None. */
    record NoCaching() implements CachingStrategy {}

    /**
     * Until a state has not been used for a time.
     *
     * @param prefix sets the states of one category apart from those of another with the same name and another type
     */
    record SlidingWindow(StreamCache cache, Duration window, String prefix) implements CachingStrategy {}

    /** For a time after it was loaded or written, used or not. */
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
