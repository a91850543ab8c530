package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandoverTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Between events while a process is renewed, so that a fast machine has not many more of them than a slow one. */
    private static final Duration PACE = Duration.ofNanos(200_000);

    private static final int THREADS = 2;

    private final FakeWorkers workers = new FakeWorkers();
    private final AtomicInteger launches = new AtomicInteger();
    private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();
    private final FunctionCounts counts = FunctionCounts.start(lines -> {}, InstantSource.system());
    private volatile boolean refusing;
    private final Consumer consumer = new Consumer(
            "worker",
            FakeWorkers.setup("first", THREADS),
            new Placement("", Isolation.SHARED),
            this::launch,
            DeliverySettings.DEFAULT,
            counts,
            lines -> {},
            () -> true,
            this::acknowledged);
    private long sent;

    private WorkerLauncher.Worker launch(String name, Path socket, Placement placement) throws IOException {
        launches.incrementAndGet();
        if (refusing) {
            throw new IOException("no process");
        }
        return workers.launch(name, socket, placement);
    }

    private void acknowledged(Event event, Outcome outcome) {
        if (outcome.ok()) {
            acknowledged.add(event.seqno());
        }
    }

    @AfterEach
    void close() {
        consumer.kill().join();
    }

    private void submit(int events) throws InterruptedException {
        for (int n = 0; n < events; n++) {
            sent++;
            consumer.submit((int) (sent % THREADS), SampleEvents.events(sent, sent), System.nanoTime());
        }
    }

    private FakeWorkers.Life life(int number) {
        return workers.lives().get(number - 1);
    }

    @Test
    void workerWhoseProcessIsRenewed_isReplacedAndNothingIsRepeated() throws InterruptedException {
        consumer.start().join();

        for (int life = 1; life <= 5; life++) {
            submit(500);
            life(life).renew();
            while (workers.lives().size() == life || !life(life).exited().isDone()) {
                submit(1);
                LockSupport.parkNanos(PACE.toNanos());
            }
        }
        submit(100);

        await().atMost(PATIENCE).until(() -> acknowledged.size() >= sent);
        assertThat(acknowledged.stream().sorted().toList())
                .isEqualTo(LongStream.rangeClosed(1, sent).boxed().toList());
        assertThat(workers.handled()).hasSize((int) sent);
        assertThat(counts.counters().of("worker_spawn_counter").sum())
                .as("a move does not count as a restart")
                .isEqualTo(1);
        assertThat(consumer.pid()).isEqualTo(life(6).pid());
    }

    @Test
    void eventsInFlight_areHandledByTheWorkerThatHasThem() throws InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        Queue<Integer> by = new ConcurrentLinkedQueue<>();
        workers.handling((event, life) -> {
            by.add(life.number());
            handling.await();
            return Outcome.success(10);
        });
        consumer.start().join();
        submit(1);
        await().atMost(PATIENCE).until(() -> !by.isEmpty());

        life(1).renew();
        await().atMost(PATIENCE).until(() -> workers.lives().size() == 2);
        handling.countDown();

        await().atMost(PATIENCE).until(() -> consumer.pid() == life(2).pid());
        submit(1);
        await().atMost(PATIENCE).until(() -> acknowledged.size() == 2);
        assertThat(by).containsExactly(1, 2);
    }

    @Test
    void requests_areAnsweredWhileTheWorkerIsReplaced() {
        consumer.start().join();
        life(1).renew();

        while (workers.lives().size() == 1 || !life(1).exited().isDone()) {
            assertThat(request()).isInstanceOf(RequestResult.Answered.class);
        }

        assertThat(request()).isInstanceOf(RequestResult.Answered.class);
    }

    private RequestResult request() {
        HttpRequest request = new HttpRequest(new byte[0], new HttpBody(HttpBody.Kind.NONE, new byte[0]));
        return consumer.calls().request(request, PATIENCE).join();
    }

    @Test
    void workerWithoutASuccessor_staysAtWork() throws InterruptedException {
        consumer.start().join();
        refusing = true;

        life(1).renew();
        await().atMost(PATIENCE).until(() -> launches.get() == 2);
        submit(100);

        await().atMost(PATIENCE).until(() -> acknowledged.size() == sent);
        assertThat(life(1).exited()).isNotDone();
    }

    @Test
    void codeThatWasTakenMeanwhile_isNotLost() throws InterruptedException {
        consumer.start().join();

        life(1).renew();
        CompletableFuture<Void> swap = consumer.calls().swap(FakeWorkers.setup("second", THREADS));
        swap.handle((taken, failure) -> failure).join();
        submit(100);

        await().atMost(PATIENCE).until(() -> acknowledged.size() == sent);
        assertThat(workers.living())
                .allSatisfy(life ->
                        assertThat(life.code()).isEqualTo(swap.isCompletedExceptionally() ? "first" : "second"));
    }

    @Test
    void consumerThatIsClosedMeanwhile_leavesNoWorker() {
        consumer.start().join();

        life(1).renew();
        consumer.close().join();

        await().atMost(PATIENCE).until(() -> workers.living().isEmpty());
    }
}
