package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.LineInsight;
import java.time.InstantSource;
import java.util.List;

/**
 * Everything that is counted for one function on this node; shared by its consumers and kept when they are replaced.
 *
 * @param latencyMicros run times of handlers
 * @param queueMicros times between reading and sending an event
 * @param timerLagMicros delays of fired timers
 */
public record FunctionCounts(
        Counters counters,
        Histogram latencyMicros,
        Histogram queueMicros,
        Histogram timerLagMicros,
        DeliveryMetrics delivery) {

    /** Returns counts that start at 0. */
    public static FunctionCounts start(FunctionLog log, InstantSource clock) {
        Counters counters = new Counters();
        Histogram latency = new Histogram();
        return new FunctionCounts(
                counters,
                latency,
                new Histogram(),
                new Histogram(),
                new DeliveryMetrics(counters, latency, log, clock));
    }

    /** Returns the insight into a version of the code by line. */
    public List<LineInsight> insight(long version) {
        return delivery.insight().lines(version);
    }

    /** Forgets the insight into all versions. */
    public void resetInsight() {
        delivery.insight().reset();
    }

    /** Adds what was counted for workers that have ended. */
    public void add(FunctionCounts ended) {
        for (Counters.Block block : Counters.Block.values()) {
            counters.add(ended.counters.snapshot(block));
        }
        ended.latencyMicros.snapshot().forEach(latencyMicros::record);
        ended.queueMicros.snapshot().forEach(queueMicros::record);
        delivery.insight().add(ended.delivery.insight());
    }

    public void reset() {
        counters.reset();
        latencyMicros.reset();
        queueMicros.reset();
        timerLagMicros.reset();
        resetInsight();
    }
}
