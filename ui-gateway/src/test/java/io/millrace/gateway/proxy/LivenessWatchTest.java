package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class LivenessWatchTest {

    private final AtomicInteger questions = new AtomicInteger();
    private VirtualTimeScheduler time;
    private Mono<String> life = Mono.never();
    private LivenessWatch liveness;

    @BeforeEach
    void start() {
        time = VirtualTimeScheduler.getOrSet();
        liveness = watch(Schedulers.immediate());
    }

    private LivenessWatch watch(Scheduler readers) {
        return new LivenessWatch(
                Mono.defer(() -> {
                    questions.incrementAndGet();
                    return life;
                }),
                readers);
    }

    @AfterEach
    void end() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void serviceThatAnswersNothing_isFoundToHaveStopped() {
        StepVerifier.create(liveness.watch(Mono.never()))
                .then(() -> time.advanceTimeBy(Duration.ofMillis(3900)))
                .then(() -> assertThat(questions).hasValue(1))
                .then(() -> time.advanceTimeBy(Duration.ofMillis(200)))
                .verifyError(LivenessWatch.Stopped.class);
    }

    @Test
    void nextRequest_ofAServiceThatHasStopped_failsSooner() {
        StepVerifier.create(liveness.watch(Mono.never()))
                .then(() -> time.advanceTimeBy(Duration.ofMillis(4100)))
                .verifyError(LivenessWatch.Stopped.class);

        StepVerifier.create(liveness.watch(Mono.never()))
                .then(() -> time.advanceTimeBy(Duration.ofMillis(2100)))
                .verifyError(LivenessWatch.Stopped.class);
    }

    @Test
    void serviceThatAnswersAnotherQuestion_mayTakeItsTime() {
        life = Mono.just("up").delayElement(Duration.ofSeconds(1), time);

        StepVerifier.create(liveness.watch(Mono.delay(Duration.ofMinutes(1), time)))
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(1)))
                .expectNext(0L)
                .verifyComplete();
    }

    /** As all are when the machine is busy. */
    @Test
    void serviceWhoseAnswersAreLate_hasNotStopped() {
        life = Mono.just("up").delayElement(Duration.ofMillis(2500), time);

        StepVerifier.create(liveness.watch(Mono.delay(Duration.ofMinutes(1), time)))
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(1)))
                .expectNext(0L)
                .verifyComplete();
    }

    @Test
    void serviceThatAnswersOtherRequests_hasNotStopped() {
        StepVerifier.create(liveness.watch(Mono.delay(Duration.ofMinutes(1), time)))
                .then(() -> {
                    for (int i = 0; i < 30; i++) {
                        liveness.watch(Mono.just("response")).subscribe();
                        time.advanceTimeBy(Duration.ofSeconds(2));
                    }
                })
                .expectNext(0L)
                .verifyComplete();
    }

    /** The answers may be waiting for the threads that read them. */
    @Test
    void silence_whileThisProcessIsLateItself_isNoStop() {
        Queue<Runnable> late = new ArrayDeque<>();
        LivenessWatch ofBusyProcess = watch(Schedulers.fromExecutor(late::add));

        StepVerifier.create(ofBusyProcess.watch(Mono.delay(Duration.ofMinutes(1), time)))
                .then(() -> {
                    for (int looks = 0; looks < 12; looks++) {
                        time.advanceTimeBy(Duration.ofSeconds(5));
                        late.remove().run();
                    }
                })
                .expectNext(0L)
                .verifyComplete();
    }

    @Test
    void serviceThatRefusesConnections_hasNotStopped() {
        life = Mono.error(new IOException("refused"));

        StepVerifier.create(liveness.watch(Mono.delay(Duration.ofMinutes(1), time)))
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(1)))
                .expectNext(0L)
                .verifyComplete();
    }

    /** It belongs into no log. */
    @Test
    void questionThatFailsAfterItsTime_isForgotten() {
        List<CoreSubscriber<? super String>> asked = new ArrayList<>();
        life = Mono.fromDirect(publisher(asked));
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            StepVerifier.create(liveness.watch(Mono.never()))
                    .then(() -> time.advanceTimeBy(Duration.ofMillis(4100)))
                    .verifyError(LivenessWatch.Stopped.class);

            assertThat(asked).isNotEmpty();
            asked.forEach(question -> question.onError(new IOException("refused")));
        } finally {
            Hooks.resetOnErrorDropped();
        }
        assertThat(dropped).isEmpty();
    }

    /** Returns what goes on after it was cancelled, as an attempt to connect does. */
    private static Publisher<String> publisher(List<CoreSubscriber<? super String>> asked) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super String> question) {
                question.onSubscribe(new Subscription() {
                    @Override
                    public void request(long count) {}

                    @Override
                    public void cancel() {}
                });
                asked.add(question);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 400})
    void requestThatIsAnsweredSoon_asksNothingElse(int millis) {
        StepVerifier.create(liveness.watch(Mono.delay(Duration.ofMillis(millis), time)))
                .then(() -> time.advanceTimeBy(Duration.ofMillis(millis)))
                .expectNext(0L)
                .verifyComplete();
        time.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(questions).hasValue(0);
    }
}
