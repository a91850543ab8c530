package io.millrace.eventing.metrics;

import io.millrace.workerprotocol.LineInsight;
import java.time.InstantSource;
import java.util.List;

/**
 * Everything that is counted for one function on this node; shared by its consumers and kept over their lives.
 *
 * @param latencyMicros how long handlers ran
 * @param queueMicros how long events waited from being read to being sent
 * @param timerLagMicros how late timers were fired
 */
public record FunctionCounts(
        Counters counters,
        Histogram latencyMicros,
        Histogram queueMicros,
        Histogram timerLagMicros,
        DeliveryMetrics tally) {

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

    /** Returns what happened on which line of the code. */
    public List<LineInsight> insight() {
        return tally.insight().lines();
    }

    public void reset() {
        counters.reset();
        latencyMicros.reset();
        queueMicros.reset();
        timerLagMicros.reset();
        tally.insight().reset();
    }
}
