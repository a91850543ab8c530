package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests over real links to workers in this JVM. */
class CallsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpBody NO_BODY = new HttpBody(HttpBody.Kind.NONE, new byte[0]);
    private static final HttpRequest REQUEST = new HttpRequest(new byte[] {'{', '}'}, NO_BODY);

    private final FakeWorkers workers = new FakeWorkers();
    private final Consumer consumer = new Consumer(
            "worker_f_0",
            FakeWorkers.setup("", 2),
            new Placement("d", Placement.Isolation.SHARED),
            workers,
            DeliverySettings.DEFAULT,
            FunctionCounts.start(lines -> {}, InstantSource.system()),
            lines -> {},
            () -> true,
            (event, outcome) -> {});

    @AfterEach
    void close() {
        consumer.kill().join();
    }

    private CompletableFuture<RequestResult> request() {
        return consumer.calls().request(REQUEST, Duration.ofSeconds(60));
    }

    @Test
    void requests_goToTheThreadWithTheFewest_andComeBackInAnyOrder() {
        Queue<Integer> threads = new ConcurrentLinkedQueue<>();
        CountDownLatch first = new CountDownLatch(1);
        workers.answering((request, life) -> {
            threads.add(request.thread());
            if (request.call() == 1) {
                first.await();
            }
            return new HttpResponse(200 + (int) request.call(), List.of(), NO_BODY);
        });
        consumer.start().join();

        CompletableFuture<RequestResult> one = request();
        CompletableFuture<RequestResult> two = request();

        assertThat(status(two)).isEqualTo(202);
        assertThat(consumer.calls().load()).isEqualTo(1);
        first.countDown();
        assertThat(status(one)).isEqualTo(201);
        assertThat(threads).containsExactlyInAnyOrder(0, 1);
        assertThat(consumer.calls().load()).isZero();
    }

    private static int status(CompletableFuture<RequestResult> result) {
        return ((RequestResult.Answered) result.join()).response().status();
    }

    @Test
    void requestWhoseWorkerEnds_failsAndIsNotSentToTheSuccessor() {
        Queue<Integer> lives = new ConcurrentLinkedQueue<>();
        workers.answering((request, life) -> {
            lives.add(life.number());
            if (life.number() == 1) {
                throw new FakeWorkers.Crash();
            }
            return HttpResponse.NONE;
        });
        consumer.start().join();

        assertThat(request().join()).isEqualTo(new RequestResult.WorkerEnded());

        await().atMost(PATIENCE).until(() -> consumer.calls().load() == 0);
        assertThat(request().join()).isInstanceOf(RequestResult.Answered.class);
        assertThat(lives).containsExactly(1, 2);
    }

    @Test
    void requestWithoutAWorker_isNotSent() {
        assertThat(request().join()).isEqualTo(new RequestResult.NoWorker());

        consumer.start().join();
        consumer.kill().join();

        assertThat(request().join()).isEqualTo(new RequestResult.NoWorker());
    }
}
