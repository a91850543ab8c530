package io.millrace.rebalance;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: advances to the next due task; tasks due at the same time run in the order of scheduling. */
final class VirtualTime implements InstantSource {

    private record Due(long at, long order, Runnable work) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private long now;
    private long asked;

    long now() {
        return now;
    }

    void after(long millis, Runnable work) {
        queue.add(new Due(now + millis, asked++, work));
    }

    void runUntil(long end) {
        while (!queue.isEmpty() && queue.element().at() <= end) {
            Due due = queue.remove();
            now = due.at();
            due.work().run();
        }
        now = end;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(now);
    }
}
