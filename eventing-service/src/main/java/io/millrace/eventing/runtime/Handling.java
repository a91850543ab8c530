package io.millrace.eventing.runtime;

import java.time.Duration;

/**
 * What a function does beyond calling its handler once for each change.
 *
 * @param retries how often a change that failed is tried again
 * @param firstPause before it is tried again for the first time; each further pause is twice as long
 * @param longestPause where the doubling ends
 * @param deadLetters how many changes that failed for good are kept, 0 for none
 * @param skipUnchanged whether updates to the state that was handled last are left out
 * @param beforeImages whether handlers are shown what a document was before
 */
public record Handling(
        int retries,
        Duration firstPause,
        Duration longestPause,
        int deadLetters,
        boolean skipUnchanged,
        boolean beforeImages) {

    /** Each change is tried once and forgotten. */
    public static final Handling AS_COUCHBASE =
            new Handling(0, Duration.ofSeconds(1), Duration.ofMinutes(1), 0, false, false);

    public Handling {
        if (retries < 0 || deadLetters < 0) {
            throw new IllegalArgumentException(
                    "There are no negative numbers of retries or letters: " + retries + ", " + deadLetters);
        }
        if (firstPause.isNegative() || firstPause.isZero()) {
            throw new IllegalArgumentException("A pause is longer than nothing: " + firstPause);
        }
    }

    /** Returns whether it must be known which states were handled last. */
    public boolean remembers() {
        return skipUnchanged || beforeImages;
    }

    /** Returns whether a failure has no consequences. */
    public boolean forgetful() {
        return retries == 0 && deadLetters == 0;
    }

    /** Returns how long to wait after so many failures. */
    public Duration pauseAfter(int failures) {
        Duration pause = firstPause;
        for (int i = 1; i < failures && pause.compareTo(longestPause) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }
}
