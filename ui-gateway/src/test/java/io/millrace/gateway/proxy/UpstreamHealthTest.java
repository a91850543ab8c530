package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

class UpstreamHealthTest {

    private VirtualTimeScheduler time;

    @BeforeEach
    void start() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void end() {
        VirtualTimeScheduler.reset();
    }

    /** Returns where the health will be found once it is known. */
    private static AtomicReference<Status> health(Mono<HttpStatusCode> answer, Scheduler readers) {
        var health = new AtomicReference<Status>();
        UpstreamHealth.inTime(answer, readers)
                .subscribe(found -> health.set(found.build().getStatus()));
        return health;
    }

    @Test
    void serviceThatAnswersNothing_isDownAfterTwoSeconds() {
        AtomicReference<Status> health = health(Mono.never(), Schedulers.immediate());

        time.advanceTimeBy(Duration.ofMillis(1_900));
        assertThat(health).hasNullValue();

        time.advanceTimeBy(Duration.ofMillis(200));
        assertThat(health).hasValue(Status.DOWN);
    }

    /** The answer may be waiting for the threads that read it. */
    @Test
    void serviceWhoseAnswerThisProcessReadsLate_isUp() {
        Queue<Runnable> late = new ArrayDeque<>();
        Mono<HttpStatusCode> answer = Mono.delay(Duration.ofSeconds(31), time).map(any -> HttpStatus.OK);
        AtomicReference<Status> health = health(answer, Schedulers.fromExecutor(late::add));

        for (int looks = 0; looks < 6; looks++) {
            time.advanceTimeBy(Duration.ofSeconds(5));
            late.remove().run();
        }
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(health).hasValue(Status.UP);
    }

    @Test
    void serviceThatRefuses_isDown() {
        AtomicReference<Status> health = health(Mono.just(HttpStatus.SERVICE_UNAVAILABLE), Schedulers.immediate());

        assertThat(health).hasValue(Status.DOWN);
    }
}
