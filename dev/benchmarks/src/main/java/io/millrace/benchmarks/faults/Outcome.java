package io.millrace.benchmarks.faults;

import io.millrace.benchmarks.faults.Fault.Meanwhile;
import io.millrace.benchmarks.faults.FaultLoad.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a fault did to clients, and which bounds it broke.
 *
 * @param began when it had happened, by {@link System#nanoTime()}
 * @param until when it had certainly not ended yet
 * @param ended when the process worked again
 * @param health that of the whole suite first
 * @param lost how many acknowledged writes are gone
 * @param unhandled how many acknowledged writes the function has not copied
 * @param caughtUp how long after the end it had copied all of them
 */
record Outcome(
        String name,
        Meanwhile meanwhile,
        long began,
        long until,
        long ended,
        List<Request> requests,
        List<Health> health,
        int lost,
        int unhandled,
        Duration caughtUp) {

    static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

    static final String TABLE_HEAD = """
        | fault | lasted | writes | refused | reads | refused | slowest answer | health: noticed | cleared | readiness: noticed | cleared | lost | unhandled | caught up | |
        |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\
        """;

    String row() {
        List<String> breaches = breaches();
        return String.format(
                Locale.ROOT,
                "| %s | %.1f s | %,d | %,d | %,d | %,d | %.2f s | %.1f s | %.1f s | %.1f s | %.1f s | %d | %d | %.1f s | %s |",
                name,
                seconds(Duration.ofNanos(ended - began)),
                count(false, true),
                count(false, false),
                count(true, true),
                count(true, false),
                seconds(slowest()),
                seconds(noticed(health.subList(0, 1))),
                seconds(cleared(health.subList(0, 1))),
                seconds(noticed(health.subList(1, health.size()))),
                seconds(cleared(health.subList(1, health.size()))),
                lost,
                unhandled,
                seconds(caughtUp),
                breaches.isEmpty() ? "held" : String.join("; ", breaches));
    }

    private long count(boolean read, boolean succeeded) {
        return requests.stream()
                .filter(request -> request.read() == read && request.succeeded() == succeeded)
                .count();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Returns the bounds that were broken, in words. */
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        if (lost > 0) {
            breaches.add(lost + " acknowledged writes lost");
        }
        if (unhandled > 0) {
            breaches.add(unhandled + " acknowledged writes not handled");
        }
        if (meanwhile.answers && slowest().compareTo(LONGEST_REQUEST) > 0) {
            breaches.add("a request took longer than " + LONGEST_REQUEST.toSeconds() + " s");
        }
        if (meanwhile.reads && count(true, false) > 0) {
            breaches.add("reads refused");
        }
        health.forEach(one -> breaches.addAll(one.breaches(began, until, ended)));
        return breaches;
    }

    private Duration slowest() {
        return longest(requests.stream().map(Request::took));
    }

    private Duration noticed(List<Health> some) {
        return longest(some.stream().map(one -> one.noticed(began, until)));
    }

    private Duration cleared(List<Health> some) {
        return longest(some.stream().map(one -> one.cleared(ended)));
    }

    private static Duration longest(Stream<Duration> durations) {
        return durations.max(Duration::compareTo).orElse(Duration.ZERO);
    }
}
