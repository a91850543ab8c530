package io.millrace.n1ql;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Which requests {@code system:completed_requests} has.
 *
 * @param threshold those that took at least so long
 * @param most the latest ones; older ones are forgotten
 * @param listener is told of each of them, on the thread that ended it
 */
public record SlowRequests(Duration threshold, int most, Consumer<CompletedRequest> listener) {

    /** Those of a second or more, the latest 4,000, as in Couchbase. */
    public static final SlowRequests DEFAULT = new SlowRequests(Duration.ofSeconds(1), 4_000, request -> {});

    public SlowRequests withListener(Consumer<CompletedRequest> told) {
        return new SlowRequests(threshold, most, told);
    }
}
