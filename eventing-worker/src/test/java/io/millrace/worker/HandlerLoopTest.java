package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.InvocationResult;
import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.worker.bindings.FaultyStore;
import io.millrace.worker.bindings.FaultyStore.Fate;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.WorkerExit;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class HandlerLoopTest extends LoopFixture {

    @Test
    void batches_areAnsweredInOrderWithOneOutcomePerEvent() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            if (event.id().equals("e3")) {
                return new InvocationResult.Threw("TypeError: no", 7, 9, "", 20);
            }
            return event.id().equals("e4")
                    ? new InvocationResult.Skipped(InvocationResult.Skipped.Cause.NO_ENTRY_POINT)
                    : new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1, 2, 3));
        loop.submit(batch(2, 4, 5));

        List<io.millrace.workerprotocol.Outcome> first = nextDone(1).outcomes();
        assertThat(first).extracting(outcome -> outcome.result().name()).containsExactly("SUCCESS", "SUCCESS", "THREW");
        assertThat(first.getLast().line()).isEqualTo(7);
        assertThat(nextDone(2).outcomes())
                .extracting(outcome -> outcome.result().name())
                .containsExactly("SKIPPED", "SUCCESS");
    }

    @Test
    void code_isLoadedWithTheFirstBatchAtTheLatest() throws IOException {
        AtomicInteger loads = new AtomicInteger();
        HandlerLoop loop = startUnloaded(Samples.setup(1), writes(), host -> {
            loads.incrementAndGet();
            return event -> new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1));
        nextDone(1);
        loop.load().join();
        loop.submit(batch(2, 2));
        nextDone(2);

        assertThat(loads).hasValue(1);
    }

    @Test
    void loopThatEndsBeforeItHasLoaded_loadsNothing() {
        AtomicInteger loads = new AtomicInteger();
        HandlerLoop loop = startUnloaded(Samples.setup(1), writes(), host -> {
            loads.incrementAndGet();
            return event -> new InvocationResult.Success(10);
        });

        loop.finish();
        loop.load().join();

        assertThat(loads).hasValue(0);
        assertThat(exits).isEmpty();
    }

    @Test
    void otherCode_isTakenBetweenBatches() throws IOException, InterruptedException {
        CountDownLatch handling = new CountDownLatch(1);
        HandlerLoop loop = start((event, host) -> {
            try {
                handling.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            host.log(LogLevel.INFO, "old");
            return new InvocationResult.Threw("old", 1, 1, "", 10);
        });

        loop.submit(batch(1, 1, 2));
        CompletableFuture<?> swapped = loop.swap(
                host -> event -> {
                    host.log(LogLevel.INFO, "new");
                    return new InvocationResult.Threw("new", 1, 1, "", 10);
                },
                8);
        loop.submit(batch(2, 3));
        assertThat(swapped).isNotDone();
        handling.countDown();

        Frame.Done before = nextDone(1);
        Frame.Done after = nextDone(2);
        assertThat(before.outcomes()).extracting(outcome -> outcome.message()).containsExactly("old", "old");
        assertThat(before.version()).isEqualTo(Samples.setup(1).source().version());
        assertThat(after.outcomes()).extracting(outcome -> outcome.message()).containsExactly("new");
        assertThat(after.version()).isEqualTo(8);
        assertThat(swapped).isCompleted();
    }

    @Test
    void done_waitsForTheAnswersOfTheWrites() throws IOException {
        store.hold();
        CompletableFuture<Void> handled = new CompletableFuture<>();
        HandlerLoop loop = start((event, host) -> {
            host.upsert("target", event.id(), document("1"));
            handled.complete(null);
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1));
        handled.join();
        loop.submit(new Frame.Batch(2, 0, List.of()));

        outbox.done(new Frame.Done(99, 0, List.of())); // whatever was reported before would come before this
        assertThat(nextDone(99).outcomes()).isEmpty();
        store.release();
        assertThat(nextDone(1).outcomes()).hasSize(1);
        assertThat(nextDone(2).outcomes()).isEmpty();
    }

    @Test
    void writesThatWereLost_areRepeatedBeforeTheNextEvent() throws IOException {
        Queue<Fate> fates = new ConcurrentLinkedQueue<>(List.of(Fate.LOST, Fate.LOST));
        store.fates(() -> fates.isEmpty() ? Fate.DONE : fates.remove());
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        HandlerLoop loop = start((event, host) -> {
            seen.add(store.stored("e" + (event.seqno() - 1)));
            host.upsert("target", event.id(), document("1"));
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1, 2, 3));

        assertThat(nextDone(1).outcomes()).allMatch(io.millrace.workerprotocol.Outcome::ok);
        assertThat(seen).containsExactly("absent", "1", "1");
    }

    @Test
    void finish_answersEverythingThatCameBefore() throws IOException {
        store.hold();
        HandlerLoop loop = start((event, host) -> {
            host.upsert("target", event.id(), document("1"));
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1));
        loop.submit(batch(2, 2));
        loop.finish();
        Awaitility.await().until(() -> store.sent() == 2);
        store.release();

        nextDone(1);
        nextDone(2);
        assertThat(exits).isEmpty();
    }

    @Test
    void engineThatFailed_endsTheProcess() {
        HandlerLoop loop = start(
                (event, host) -> new InvocationResult.InternalError("broken", new IllegalStateException("broken"), 1));

        loop.submit(batch(1, 1));

        Awaitility.await().until(() -> exits.peek() == WorkerExit.ENGINE_FAILED);
    }

    @Test
    void writes_carryTheirOriginWithOneHopMore() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            host.upsert("target", event.id(), document("1"));
            host.delete("target", "gone", false);
            return new InvocationResult.Success(10);
        });
        store.write(FaultyStore.upsert("gone", "1"));

        loop.submit(new Frame.Batch(1, 0, List.of(Samples.event("a", 1, 0), Samples.event("b", 2, 4))));

        nextDone(1);
        assertThat(store.getWithTombstone(FaultyStore.key("a"))
                        .join()
                        .orElseThrow()
                        .origin())
                .extracting(io.millrace.documents.Origin::instance, io.millrace.documents.Origin::hops)
                .containsExactly("instance1", 1);
        assertThat(store.getWithTombstone(FaultyStore.key("b"))
                        .join()
                        .orElseThrow()
                        .origin())
                .extracting(io.millrace.documents.Origin::hops)
                .isEqualTo(5);
        assertThat(store.getWithTombstone(FaultyStore.key("gone"))
                        .join()
                        .orElseThrow()
                        .origin())
                .isNotNull();
    }

    @Test
    void badArguments_throwInTheHandler() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            switch (event.id()) {
                case "e1" -> host.upsert("target", "", document("1"));
                case "e2" -> host.upsert("target", "ü".repeat(126), document("1"));
                case "e3" ->
                    host.upsert(
                            "target",
                            "a",
                            new StoredDocument(new byte[io.millrace.documents.Limits.MAX_DOCUMENT_BYTES + 1], true));
                case "e4" -> host.upsert("gone", "a", document("1"));
                default -> host.upsert("target", "ü".repeat(125), document("1"));
            }
            return new InvocationResult.Success(10);
        });

        loop.submit(batch(1, 1, 2, 3, 4, 5));

        List<io.millrace.workerprotocol.Outcome> outcomes = nextDone(1).outcomes();
        assertThat(outcomes.subList(0, 4))
                .extracting(io.millrace.workerprotocol.Outcome::message)
                .satisfiesExactly(
                        m -> assertThat(m).contains("LCB_ERR_INVALID_ARGUMENT"),
                        m -> assertThat(m).contains("LCB_ERR_INVALID_ARGUMENT"),
                        m -> assertThat(m).contains("LCB_ERR_VALUE_TOO_LARGE"),
                        m -> assertThat(m).contains("There is no bucket 'gone'"));
        assertThat(outcomes.getLast().ok()).isTrue();
        assertThat(counters.takeDeltas())
                .containsEntry(Counters.BUCKET_EXCEPTIONS, 4L)
                .containsEntry(Counters.EXCEPTIONS_BY_CODE + "203", 2L)
                .containsEntry(Counters.EXCEPTIONS_BY_CODE + "210", 1L);
    }

    @Test
    void logLines_comeBeforeTheOutcomeOfTheirInvocation() throws IOException {
        HandlerLoop loop = start((event, host) -> {
            host.log(LogLevel.INFO, "hello " + event.id());
            host.log(LogLevel.DEBUG, "not asked for");
            return new InvocationResult.Threw("Error: no", 1, 2, "at OnUpdate", 10);
        });

        loop.submit(batch(1, 1));

        Frame.Log lines = (Frame.Log) service.receive().orElseThrow();
        assertThat(lines.lines())
                .extracting(line -> line.level() + " " + line.text())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("INFO hello e1"),
                        line -> assertThat(line)
                                .startsWith(
                                        "ERROR OnUpdate of 'e1' (vb 7, seq 1) failed at line 1, column 2: Error: no"));
        nextDone(1);
    }

    @ParameterizedTest
    @CsvSource({"other, _default", "_default, secret", "*, *"})
    void binding_doesNotReachFurther(String scope, String collection) throws IOException {
        HandlerLoop loop = start((event, host) -> {
            host.access(new DocumentCall(
                    DocumentCall.Operation.GET,
                    "target",
                    scope,
                    collection,
                    "x",
                    null,
                    0,
                    null,
                    false,
                    false,
                    List.of()));
            return new InvocationResult.Success(1);
        });

        loop.submit(new Frame.Batch(1, 0, List.of(Samples.event("e1", 1, 0))));

        assertThat(nextDone(1).outcomes().getFirst().message())
                .contains("The binding 'target' does not cover " + scope + "." + collection);
    }
}
