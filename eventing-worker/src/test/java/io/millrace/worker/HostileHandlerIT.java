package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.RedisFixture;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.Outcome.Result;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that fail in harmful ways: each loses only its own invocation, all in one process, which compiles where Java can. */
@Timeout(180)
class HostileHandlerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** Long enough for a busy machine to reach the limits of memory and depth first; the loop waits for it. */
    private static final int TIME_LIMIT_MILLIS = 12_000;

    private static final String BUCKET = "b" + UUID.randomUUID().toString().replace("-", "");

    /** The member n of a document selects a harmful action; other documents are copied. */
    private static final String CODE = """
        function OnUpdate(doc, meta) {
          if (doc.act === 'loop') { while (true) {} }
          if (doc.act === 'bomb') { var all = []; while (true) { all.push(new Array(1000).fill(doc.n)); } }
          if (doc.act === 'recurse') { recurse(1); }
          if (doc.act === 'recurseWriting') { recurseWriting(meta.id, 1); }
          if (doc.act === 'throw') { throw new TypeError('no ' + doc.n); }
          if (doc.act === 'read only') { ro[meta.id] = doc; }
          if (doc.act === 'sum') { log(meta.id); var s = 0; for (var i = 0; i < 1e5; i++) { s += i; } dst.s = s; }
          dst[meta.id] = doc;
        }
        function recurse(n) { return recurse(n + 1) + 1; }
        function recurseWriting(id, n) { if (n % 100 === 0) { dst[id + '-' + n % 1000] = n; } return recurseWriting(id, n + 1) + 1; }
        """;

    private static RedisStore redis;
    private static DocumentStore store;
    private static WorkerProcess worker;
    private static int sent;

    @BeforeAll
    static void startWorker() throws IOException {
        redis = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test");
        store = redis.documents();
        store.catalog().createBucket(BUCKET, 1).join();
        worker = WorkerProcess.start(new WorkerSetup(
                "hostile",
                "instance1",
                new WorkerSetup.Source(CODE, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(1, TIME_LIMIT_MILLIS, 32 << 20),
                "INFO",
                "source",
                RedisFixture.url(),
                List.of(
                        new WorkerSetup.Alias("dst", BUCKET, "_default", "_default", true),
                        new WorkerSetup.Alias("ro", BUCKET, "_default", "_default", false))));
    }

    @AfterAll
    static void stopWorker() {
        worker.close();
        redis.close();
    }

    @Test
    void handlerThatLoopsForEver_isStopped() throws Exception {
        assertOnlyVictimsLost("loop", Set.of(20), Result.TIMED_OUT);
    }

    @Test
    void handlerThatAllocatesWithoutEnd_isStopped() throws Exception {
        assertOnlyVictimsLost("bomb", Result.OUT_OF_MEMORY);
    }

    @Test
    void handlerThatRecursesWithoutEnd_isStopped() throws Exception {
        assertOnlyVictimsLost("recurse", Result.THREW);
    }

    /**
     * Each call deepens the stack, and some allocate: the size of a frame decides which limit is reached first. That of time is
     * not, because only some of them wait for Redis.
     */
    @Test
    void handlerThatRecursesWithoutEndAndWrites_isStopped() throws Exception {
        assertOnlyVictimsLost("recurseWriting", Result.THREW, Result.OUT_OF_MEMORY);
    }

    @Test
    void handlerThatThrows_isReportedWithItsPosition() throws Exception {
        Map<String, Outcome> lost = assertOnlyVictimsLost("throw", Result.THREW);

        assertThat(lost.values()).allSatisfy(outcome -> {
            assertThat(outcome.message()).startsWith("TypeError: no ");
            assertThat(outcome.line()).isEqualTo(6);
            assertThat(outcome.column()).isPositive();
        });
        String victim = lost.keySet().iterator().next();
        assertThat(worker.log())
                .extracting(LogLine::text)
                .anySatisfy(line -> assertThat(line)
                        .contains("'" + victim + "'")
                        .contains("line 6")
                        .contains("TypeError: no "));
    }

    @Test
    void handlerThatWritesToAReadOnlyAlias_getsAnError() throws Exception {
        Map<String, Outcome> lost = assertOnlyVictimsLost("read only", Result.THREW);

        assertThat(lost.values())
                .allSatisfy(outcome -> assertThat(outcome.message()).contains("EventingError"));
    }

    @Test
    void javaThatCanCompile_compilesHandlers() throws Exception {
        Optional<String> whyInterpreted = WorkerProcess.command().whyInterpreted();

        handle(IntStream.rangeClosed(1, 20)
                .mapToObj(n -> Samples.update("sum" + n, n, "{\"act\":\"sum\"}"))
                .toList());

        assertThat(worker.failures()).isEmpty();
        assertThat(store.get(Samples.key(BUCKET, "s")).join().orElseThrow().body())
                .asString()
                .isEqualTo("4999950000");
        assertThat(worker.log())
                .filteredOn(line -> line.text().contains("sum"))
                .extracting(LogLine::level)
                .hasSize(20)
                .containsOnly("INFO");
        assertThat(worker.runtime()).startsWith(whyInterpreted.isPresent() ? "interpreted: " : "optimized: ");
        whyInterpreted.ifPresent(why -> assertThat(worker.runtime()).contains(why));
    }

    private static void handle(List<Event> events) throws Exception {
        worker.failures().clear();
        worker.send(0, events);
        sent += events.size();
        Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == sent);
    }

    private static Map<String, Outcome> assertOnlyVictimsLost(String act, Result... results) throws Exception {
        return assertOnlyVictimsLost(act, Set.of(15, 30), results);
    }

    /** Sends 30 documents, of which those with some numbers are harmful, and returns the outcomes of the harmful ones. */
    private static Map<String, Outcome> assertOnlyVictimsLost(String act, Set<Integer> numbers, Result... results)
            throws Exception {
        List<Event> events = new ArrayList<>();
        List<String> victims = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int n = 1; n <= 30; n++) {
            String id = act.replace(' ', '-') + n;
            boolean harmful = numbers.contains(n);
            (harmful ? victims : others).add(id);
            events.add(Samples.update(id, n, "{\"act\":\"%s\",\"n\":%d}".formatted(harmful ? act : "copy", n)));
        }
        handle(events);

        assertThat(worker.failures())
                .containsOnlyKeys(victims)
                .allSatisfy((id, outcome) ->
                        assertThat(outcome.result()).as(outcome.message()).isIn((Object[]) results));
        for (String id : others) {
            assertThat(store.get(Samples.key(BUCKET, id)).join()).as(id).isPresent();
        }
        for (String id : victims) {
            assertThat(store.get(Samples.key(BUCKET, id)).join()).as(id).isEmpty();
        }
        assertThat(worker.process().isAlive()).isTrue();
        assertThat(store.count(Keyspace.of(BUCKET)).join()).isPositive();
        return Map.copyOf(worker.failures());
    }
}
