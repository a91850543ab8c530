package io.millrace.eventing.functions;

import java.time.Duration;

/**
 * How patient the reconciler is.
 *
 * @param deploy how long the workers of a function may take to be ready until its deployment has failed
 * @param look how often a function at rest is looked at without being asked: for a source that was dropped
 * @param farewell how long other nodes may take to end a function; longer than they give what is in flight
 */
record LoopTimings(Duration deploy, Duration look, Duration farewell) {

    static final Duration DEFAULT_LOOK = Duration.ofSeconds(5);
    static final Duration DEFAULT_FAREWELL = Duration.ofSeconds(60);
}
