package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final DeliverySettings SETTINGS = DeliverySettings.DEFAULT;

    /** What a worker is sent before it has answered anything. */
    private static final int WINDOW = SETTINGS.windowBatches() * SETTINGS.batchEvents();

    private final FakeWorkers workers = new FakeWorkers().sharingProcesses();
    private final AtomicBoolean gate = new AtomicBoolean(true);
    private final AtomicInteger acknowledged = new AtomicInteger();
    private Consumer consumer = consumer("");

    private Consumer consumer(String code) {
        return new Consumer(
                "worker",
                FakeWorkers.setup(code, 1),
                new Placement("", Placement.Isolation.SHARED),
                workers,
                SETTINGS,
                FunctionCounts.start(lines -> {}, InstantSource.system()),
                lines -> {},
                gate::get,
                (event, outcome) -> acknowledged.incrementAndGet());
    }

    @AfterEach
    void close() {
        consumer.kill().handle((end, failure) -> end).join(); // one test makes it fail
    }

    /** A node whose lease has ended has no right to what waits in its lanes any more. */
    @Test
    void closedGate_holdsBackWhatWasTakenBefore() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        workers.handling((event, life) -> {
            handling.await();
            return Outcome.success(10);
        });
        consumer.start().join();
        consumer.submit(0, SampleEvents.events(1, WINDOW + 50), System.nanoTime());

        gate.set(false);
        handling.countDown();

        await().atMost(PATIENCE).until(() -> acknowledged.get() == WINDOW);
        assertThat(consumer.unacknowledged()).isEqualTo(50);
        assertThat(workers.batches()).hasSize(SETTINGS.windowBatches());
        gate.set(true);
        consumer.sendWaiting();
        await().atMost(PATIENCE).until(() -> acknowledged.get() == WINDOW + 50);
    }

    @Test
    void eventsThatAreNotWantedWhenThereIsRoomForThem_areNotTaken() throws Exception {
        AtomicBoolean wanted = new AtomicBoolean(true);
        gate.set(false);
        consumer.start().join();
        consumer.submit(0, SampleEvents.events(1, SETTINGS.waitingEvents()), System.nanoTime());
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                List<Event> late = SampleEvents.events(SETTINGS.waitingEvents() + 1, SETTINGS.waitingEvents() + 1);
                taken.complete(consumer.submit(0, late, System.nanoTime(), wanted::get));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        await().atMost(PATIENCE).until(() -> waiting.getState() == Thread.State.WAITING);

        wanted.set(false);
        gate.set(true);
        consumer.sendWaiting();

        assertThat(taken).succeedsWithin(PATIENCE).isEqualTo(false);
        await().atMost(PATIENCE).until(() -> consumer.unacknowledged() == 0);
        assertThat(acknowledged).hasValue(SETTINGS.waitingEvents());
    }

    @Test
    void consumerThatIsClosedInItsTurn_leavesItToTheNextSuspect() throws InterruptedException {
        workers.handling((event, life) -> life.hang());
        consumer.start().join();
        consumer.submit(0, SampleEvents.events(1, 1), System.nanoTime());
        await().atMost(PATIENCE).until(() -> workers.batches().size() == 1);
        gate.set(false); // its turn comes, and it does not take it
        workers.lives().getFirst().kill();
        await().atMost(PATIENCE).until(() -> workers.lives().size() == 2);
        assertThat(nextWouldBeFirst()).isFalse();

        consumer.kill().join();

        await().atMost(PATIENCE).until(this::nextWouldBeFirst);
    }

    @Test
    void knownCodeThatCannotBeLoaded_endsTheConsumerWithTheReason() {
        consumer = consumer("syntax error");

        consumer.calls().known();
        consumer.start().join();

        assertThat(consumer.ended())
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(HandlerRejected.class);
        assertThat(workers.lives()).hasSize(2);
    }

    private boolean nextWouldBeFirst() {
        return workers.suspects().enter(() -> {}).leave();
    }
}
