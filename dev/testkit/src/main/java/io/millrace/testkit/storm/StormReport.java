package io.millrace.testkit.storm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a storm did.
 *
 * @param statuses how many requests of the well-behaved client had which status; 0 stands for a broken connection
 * @param millis how long each of its requests took, in ascending order
 * @param others what the other clients met, by kind: statuses and what became of connections
 */
public record StormReport(Map<Integer, Integer> statuses, long[] millis, Map<String, Map<String, Integer>> others) {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int MOST_REFUSED_PERCENT = 10;

    static StormReport of(List<Integer> statuses, List<Long> millis, Map<String, Map<String, Integer>> others) {
        Map<Integer, Integer> counted = new TreeMap<>();
        statuses.forEach(status -> counted.merge(status, 1, Integer::sum));
        long[] sorted = millis.stream().mapToLong(Long::longValue).sorted().toArray();
        return new StormReport(counted, sorted, new TreeMap<>(others));
    }

    /** Returns the time that {@code percent} of the requests did not exceed, in milliseconds. */
    public long percentile(double percent) {
        int rank = (int) Math.ceil(percent / 100 * millis.length);
        return millis.length == 0 ? 0 : millis[Math.clamp(rank - 1, 0, millis.length - 1)];
    }

    /** Returns what is wrong with the answers to the well-behaved client, however long they took: only 2xx and 429 are right. */
    public List<String> wrongStatuses() {
        List<String> problems = new ArrayList<>();
        if (statuses.keySet().stream().noneMatch(status -> status / 100 == 2)) {
            problems.add("No request of the well-behaved client was answered with 2xx");
        }
        statuses.forEach((status, count) -> {
            if (status / 100 != 2 && status != TOO_MANY_REQUESTS) {
                problems.add("%d requests of the well-behaved client had status %d".formatted(count, status));
            }
        });
        return problems;
    }

    /**
     * Returns what is wrong with the answers to the well-behaved client: statuses, more than a few 429, or the time that they took.
     *
     * @param limitMillis what 99 % of its requests may take at most
     */
    public List<String> problems(long limitMillis) {
        List<String> problems = wrongStatuses();
        int refused = statuses.getOrDefault(TOO_MANY_REQUESTS, 0);
        if (refused * 100L > (long) millis.length * MOST_REFUSED_PERCENT) {
            problems.add("%d of %d requests of the well-behaved client were refused".formatted(refused, millis.length));
        }
        if (percentile(99) > limitMillis) {
            problems.add("p99 of the well-behaved client is %,d ms, more than %,d ms"
                    .formatted(percentile(99), limitMillis));
        }
        return problems;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("well-behaved client: %,d requests %s, p50 %,d ms, p99 %,d ms, max %,d ms%n"
                .formatted(millis.length, statuses, percentile(50), percentile(99), percentile(100)));
        others.forEach((kind, met) -> text.append("%s: %s%n".formatted(kind, met)));
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StormReport report
                && statuses.equals(report.statuses)
                && Arrays.equals(millis, report.millis)
                && others.equals(report.others);
    }

    @Override
    public int hashCode() {
        return statuses.hashCode() * 31 + Arrays.hashCode(millis);
    }
}
