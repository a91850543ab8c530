package io.millrace.gateway.proxy;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tells a service that has stopped answering from one that takes long for a request: the latter answers another meanwhile.
 * It is asked only while requests wait for it.
 */
final class LivenessWatch {

    /** A request that is answered sooner costs nothing more. */
    static final Duration USUAL_WAIT = Duration.ofMillis(500);

    /** How long a service may take for a question that needs no work. */
    static final Duration BEAT = Duration.ofMillis(1500);

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Several: after a pause of this process the first one seems to be missed. */
    private static final int MISSED_BEATS = 2;

    /** How long the state is known after the last request that waited. */
    private static final Duration KEPT = Duration.ofSeconds(3);

    private final Flux<Integer> silence;

    /** @param question to the service that needs no work; any end but silence shows that the service is not stopped */
    LivenessWatch(Mono<?> question) {
        // a failure is an answer before the time is up, and of no interest afterwards: it would be logged with its
        // stack
        Mono<Boolean> beat = question.materialize().thenReturn(true).timeout(BEAT, Mono.just(false));
        silence = beat.repeatWhen(ended -> ended.delayElements(PAUSE))
                .scan(0, (missed, answered) -> answered ? 0 : missed + 1)
                .filter(missed -> missed >= MISSED_BEATS)
                .publish()
                .refCount(1, KEPT);
    }

    /** Fails a call as soon as the service is found to have stopped. */
    <T> Mono<T> watch(Mono<T> call) {
        Mono<T> stopped = Mono.delay(USUAL_WAIT).thenMany(silence).next().flatMap(missed -> Mono.error(new Stopped()));
        return Mono.firstWithSignal(call, stopped);
    }

    /** A service takes connections and answers nothing. */
    static final class Stopped extends TimeoutException {

        private static final long serialVersionUID = 1;

        Stopped() {
            super("The service has stopped answering");
        }
    }
}
