package io.millrace.gateway.proxy;

import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Time as the threads have it that read responses: it does not pass while they are late themselves, as on a busy machine, where
 * the answers may be waiting to be read.
 */
final class Looks {

    private static final Duration EACH = Duration.ofMillis(250);

    private Looks() {}

    /**
     * Returns a look every quarter of a second at most.
     *
     * @param readers the threads that read responses
     */
    static Flux<Long> by(Scheduler readers) {
        return Mono.delay(EACH)
                .publishOn(readers)
                .repeat(); // not in fixed intervals: those that are late would come at once
    }

    /** Emits when looks for a time have passed. */
    static Mono<Long> after(Duration time, Scheduler readers) {
        return by(readers).skip(time.dividedBy(EACH) - 1).next();
    }
}
