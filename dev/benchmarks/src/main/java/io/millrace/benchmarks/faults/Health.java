package io.millrace.benchmarks.faults;

import io.millrace.benchmarks.faults.HealthWatch.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the health of a suite, or of a part of it, was said to be around a fault.
 *
 * @param name of what was asked
 * @param unhealthy whether it must not say that all is well while the fault lasts
 */
record Health(String name, boolean unhealthy, List<Sample> samples) {

    static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    /**
     * Returns how long after the beginning the latest wrong answer came that was asked for and given during the fault.
     *
     * @param began when the fault had happened, by {@link System#nanoTime()}
     * @param until when it had certainly not ended yet
     */
    Duration noticed(long began, long until) {
        return samples.stream()
                .filter(sample -> sample.began() > began && sample.ended() < until)
                .filter(sample -> sample.well() == unhealthy)
                .map(sample -> Duration.ofNanos(sample.ended() - began))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Returns how long after the end the latest question was asked that got a wrong answer. */
    Duration cleared(long ended) {
        return samples.stream()
                .filter(sample -> sample.began() > ended && !sample.well())
                .map(sample -> Duration.ofNanos(sample.began() - ended))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Returns the bounds that were broken, in words. */
    List<String> breaches(long began, long until, long ended) {
        List<String> breaches = new ArrayList<>();
        if (noticed(began, until).compareTo(LONGEST_DELAY) > 0) {
            breaches.add(name + " wrong for longer than " + LONGEST_DELAY.toSeconds() + " s after the fault");
        }
        if (cleared(ended).compareTo(LONGEST_DELAY) > 0) {
            breaches.add(name + " wrong for longer than " + LONGEST_DELAY.toSeconds() + " s after its end");
        }
        return breaches;
    }
}
