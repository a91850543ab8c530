package io.millrace.eventing.functions;

import java.time.Duration;

/**
 * The timings of the reconciler.
 *
 * @param deploy how long the workers of a function may take to become ready before its deployment fails
 * @param look how often a function is checked without an event, for instance for a source that was dropped
 * @param stopElsewhere how long other nodes may take to stop a function; longer than they wait for events in flight
 */
record LoopTimings(Duration deploy, Duration look, Duration stopElsewhere) {

    static final Duration DEFAULT_LOOK = Duration.ofSeconds(5);
    static final Duration DEFAULT_STOP_ELSEWHERE = Duration.ofSeconds(60);
}
