package io.millrace.gateway.proxy;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Tells a service that has stopped answering from one that takes long: the latter answers other requests meanwhile, or the
 * question of this object, however late. It is asked, and looked at, only while requests wait for it.
 *
 * <p>Silence is measured in {@link Looks}, so that it does not grow while this process is late itself.
 */
final class LivenessWatch {

    /** A request that is answered sooner costs nothing more. */
    static final Duration USUAL_WAIT = Duration.ofMillis(500);

    /** A service that answers nothing for so many looks in a row has stopped. */
    private static final int SILENT_LOOKS = 14;

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** After so long the connection may be to blame, and the question is asked on another one. */
    private static final Duration LATEST_ANSWER = Duration.ofSeconds(10);

    /** How long the state is known after the last request that waited. */
    private static final Duration KEPT = Duration.ofSeconds(3);

    private final AtomicBoolean heard = new AtomicBoolean();
    private final Flux<Integer> silence;

    /**
     * @param question to the service that needs no work; any end but silence shows that the service is not stopped
     * @param readers the threads that read responses
     */
    LivenessWatch(Mono<?> question, Scheduler readers) {
        // a failure is an answer before the time is up, and of no interest afterwards: it would be logged with its
        // stack
        Flux<Integer> questions = question.materialize()
                .doOnNext(answer -> heard())
                .timeout(LATEST_ANSWER, Mono.empty())
                .then(Mono.<Integer>empty())
                .repeatWhen(ended -> ended.delayElements(PAUSE));
        silence = Flux.defer(() -> {
                    heard.set(false);
                    return looks(readers).mergeWith(questions);
                })
                .publish()
                .refCount(1, KEPT);
    }

    /** Emits for how many looks the service has been silent, from when it has stopped on. */
    private Flux<Integer> looks(Scheduler readers) {
        return Looks.by(readers)
                .scan(0, (silent, look) -> heard.getAndSet(false) ? 0 : silent + 1)
                .filter(silent -> silent >= SILENT_LOOKS);
    }

    /** Takes note of any sign of life, such as the response to a request. */
    void heard() {
        if (!heard.get()) { // it is read much more often than it changes
            heard.set(true);
        }
    }

    /** Fails a call as soon as the service is found to have stopped. */
    <T> Mono<T> watch(Mono<T> call) {
        Mono<T> stopped = Mono.delay(USUAL_WAIT).thenMany(silence).next().flatMap(missed -> Mono.error(new Stopped()));
        return Mono.firstWithSignal(call.doOnNext(answer -> heard()), stopped);
    }

    /** A service takes connections and answers nothing. */
    static final class Stopped extends TimeoutException {

        private static final long serialVersionUID = 1;

        Stopped() {
            super("The service has stopped answering");
        }
    }
}
