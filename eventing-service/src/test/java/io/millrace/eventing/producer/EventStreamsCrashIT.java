package io.millrace.eventing.producer;

import static io.millrace.eventing.producer.EventSources.assertInOrder;
import static io.millrace.eventing.producer.EventSources.drained;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a function on event streams runs on is killed while events are appended: none is lost, and each stream keeps its order. */
@Timeout(300)
class EventStreamsCrashIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** How many events are handled before the crash, and after it while they are still appended. */
    private static final int SOME = 300;

    /** How many events of a stream are appended before they are handled, at most. */
    private static final int AHEAD = 20;

    /** How many events of a stream wait for a node that starts, so that many are on their way when it is killed. */
    private static final int BACKLOG = 300;

    private final NumberedStreams streams = new NumberedStreams();
    private final String name = "events-crash-" + UUID.randomUUID();

    @Test
    void nodeKilled_handlesEveryEventInTheOrderOfItsStream() throws Exception {
        String redis = RedisFixture.url();
        try (RealWorkers again = new RealWorkers(redis, name)) {
            for (int stream = 0; stream < NumberedStreams.COUNT; stream++) {
                streams.append(again, Integer.toString(stream), NumberedStreams.events(0, BACKLOG));
            }
            AtomicBoolean end = new AtomicBoolean();
            CompletableFuture<Integer> writing;
            try (NodeProcess node = NodeProcess.start(redis, name, "node", EventStreamsIT.LIST, source())) {
                waiting().until(() -> !again.owners().isEmpty());
                writing = writeUntil(end, again);
                awaitSome(again, writing);
                List<ProcessHandle> workers = node.workers();
                assertThat(workers).isNotEmpty();
                node.kill9();
                waiting().until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
            }
            start(again);
            awaitSome(again, writing);
            end.set(true);
            int events = BACKLOG + writing.join();

            drained(again);
            assertAllInOrder(again, events);
        }
    }

    @Test
    void redisKilled_handlesEveryEventInTheOrderOfItsStream() {
        try (OwnRedis redis = OwnRedis.startDurable();
                RealWorkers workers = new RealWorkers(redis.url(), name)) {
            start(workers);
            AtomicBoolean end = new AtomicBoolean();
            CompletableFuture<Integer> writing = writeUntil(end, workers);
            awaitSome(workers, writing);

            redis.kill9();
            redis.restart();
            awaitSome(workers, writing);
            end.set(true);
            int events = writing.join();

            waiting().untilAsserted(() -> assertAllInOrder(workers, events));
        }
    }

    private static ConditionFactory waiting() {
        return await().atMost(PATIENCE).ignoreExceptions();
    }

    private FunctionSpec.Source source() {
        return EventSources.source(streams.category(), "");
    }

    private void start(RealWorkers workers) {
        workers.supervisor()
                .start(EventSources.withSource(workers.spec(EventStreamsIT.LIST), source()))
                .join();
    }

    /** Appends events, never many more than are handled; returns how many each stream has in the end. */
    private CompletableFuture<Integer> writeUntil(AtomicBoolean end, RealWorkers workers) {
        return CompletableFuture.supplyAsync(
                () -> {
                    int events = 0;
                    while (!end.get()) {
                        streams.write(workers, 1);
                        int least = ++events - AHEAD;
                        waiting()
                                .until(() -> end.get()
                                        || least <= 0
                                        || streams.seen(workers, 0).size() >= least);
                    }
                    return events;
                },
                Thread::startVirtualThread);
    }

    private void awaitSome(RealWorkers workers, CompletableFuture<Integer> writing) {
        AtomicInteger before = new AtomicInteger(-1);
        waiting().until(() -> {
            if (writing.isDone()) {
                return true;
            }
            int now = seen(workers);
            before.compareAndSet(-1, now);
            return now > before.get() + SOME;
        });
        assertThat(writing).isNotDone();
    }

    private int seen(RealWorkers workers) {
        return IntStream.range(0, NumberedStreams.COUNT)
                .map(stream -> streams.seen(workers, stream).size())
                .sum();
    }

    private void assertAllInOrder(RealWorkers workers, int events) {
        for (int stream = 0; stream < NumberedStreams.COUNT; stream++) {
            assertInOrder(streams.seen(workers, stream), events);
        }
    }
}
