package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.OwnRedis;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis or the service goes away while events are handled. */
@Timeout(240)
class OutageIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String BUCKET = "target";
    private static final int KEYS = 40;
    private static final int ROUNDS = 500;

    private final List<RedisStore> stores = new ArrayList<>();

    @Test
    void redisKilledInTheMiddle_losesNoWriteAndNoOrder() throws Exception {
        try (OwnRedis redis = OwnRedis.startDurable();
                WorkerProcess worker =
                        start(redis, 2, "function OnUpdate(doc, meta) { dst[doc.key] = {n: doc.n, pad: doc.pad}; }")) {
            DocumentStore store = open(redis);
            store.catalog().createBucket(BUCKET, 1).join();
            CompletableFuture<Map<String, Long>> watched = CompletableFuture.supplyAsync(() -> watch(store));

            for (int round = 1; round <= ROUNDS; round++) {
                for (int thread = 0; thread < 2; thread++) {
                    worker.send(thread, round(thread, round));
                }
                if (round == ROUNDS / 4 || round == ROUNDS / 2) {
                    redis.kill9();
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .until(() -> reports(worker).size() % 2 == 1);
                    redis.restart();
                }
            }
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == (long) KEYS * ROUNDS);

            assertThat(worker.failures()).isEmpty();
            assertThat(watched.get())
                    .hasSize(KEYS)
                    .allSatisfy((key, n) -> assertThat(n).isEqualTo(ROUNDS));
            assertThat(worker.counters()).doesNotContainKey(Counters.BUCKET_EXCEPTIONS);
            Awaitility.await().atMost(PATIENCE).until(() -> reports(worker).size() >= 4);
            assertThat(worker.output())
                    .as("no line for each attempt, and no stack")
                    .noneMatch(line -> line.contains("Cannot reconnect") || line.startsWith("\tat "));
        }
    }

    private static long clients(OwnRedis redis) throws IOException {
        return redis.console()
                .call("CLIENT", "LIST")
                .lines()
                .filter(line -> line.startsWith("id="))
                .count();
    }

    /** Returns what the process says about its connection. */
    private static List<String> reports(WorkerProcess worker) {
        return worker.output().stream()
                .filter(line -> line.startsWith("event=redis_lost ") || line.startsWith("event=redis_back "))
                .toList();
    }

    private DocumentStore open(OwnRedis redis) {
        RedisStore opened = new RedisStore(redis.url(), RedisTls.DEFAULT, "test");
        stores.add(opened);
        return opened.documents();
    }

    @AfterEach
    void closeStores() {
        stores.forEach(RedisStore::close);
    }

    /** The events of one thread in one round: one for each of its keys. */
    private static List<Event> round(int thread, int round) {
        List<Event> events = new ArrayList<>();
        for (int k = thread; k < KEYS; k += 2) {
            String body = "{\"key\":\"k%d\",\"n\":%d,\"pad\":\"%s\"}".formatted(k, round, "x".repeat(200));
            events.add(Samples.update("s" + k, round, body));
        }
        return events;
    }

    /** Reads the target until every key is at its last round; fails if a key ever returns to an earlier round. */
    private static Map<String, Long> watch(DocumentStore store) {
        Map<String, Long> last = new HashMap<>();
        while (!complete(last)) {
            try (ChangeFeed feed = store.changes(BUCKET, 0, 0)) {
                while (!complete(last)) {
                    next(feed).forEach(mutation -> take(mutation, last));
                }
            } catch (CompletionException e) { // a killed Redis may have lost writes
                if (!(e.getCause() instanceof DocumentsException lost && lost.code() == Code.HISTORY_LOST)) {
                    throw e;
                }
            }
        }
        return last;
    }

    private static boolean complete(Map<String, Long> last) {
        return last.size() == KEYS && last.values().stream().allMatch(n -> n >= ROUNDS);
    }

    private static void take(Mutation mutation, Map<String, Long> last) {
        String body = new String(mutation.document().body(), StandardCharsets.UTF_8);
        long n = Long.parseLong(body.replaceAll("^\\{\"n\":(\\d+),.*", "$1"));
        Long before = last.put(mutation.document().key().id(), n);
        assertThat(n).isGreaterThanOrEqualTo(before == null ? 0 : before);
    }

    private static List<Mutation> next(ChangeFeed feed) {
        try {
            return feed.next(100).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof DocumentsException failure && failure.unavailable()) {
                return List.of();
            }
            throw e;
        }
    }

    @Test
    void linkThatEnds_endsTheWritesAtOnce() throws Exception {
        String code = "function OnUpdate(doc, meta) { for (var i = 0; ; i++) { dst['k' + i % 100] = i; } }";
        try (OwnRedis redis = OwnRedis.startVolatile();
                WorkerProcess worker = start(redis, 1, code)) {
            DocumentStore store = open(redis);
            store.catalog().createBucket(BUCKET, 1).join();
            worker.send(0, List.of(Samples.update("a", 1, "{}")));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> store.highSeqno(BUCKET, 0).join() > 0);

            worker.closeLink();

            assertThat(worker.exitCode()).isEqualTo(WorkerExit.PEER_GONE.code());
            assertThat(worker.process().isAlive()).isTrue();
            // those of the store of this test and of the question itself: the process has no function here any more
            Awaitility.await().atMost(PATIENCE).until(() -> clients(redis) == 2);
            // Redis may still read what the worker sent before it ended
            AtomicLong last = new AtomicLong();
            Awaitility.await().during(Duration.ofMillis(500)).until(() -> {
                long now = store.highSeqno(BUCKET, 0).join();
                return last.getAndSet(now) == now;
            });
        }
    }

    @Test
    void redisThatIsAwayAtTheStart_isWaitedFor() throws Exception {
        try (OwnRedis redis = OwnRedis.startDurable()) {
            DocumentStore store = open(redis);
            store.catalog().createBucket(BUCKET, 1).join();
            redis.stop();
            try (WorkerProcess worker = start(redis, 1, "function OnUpdate(doc, meta) { dst[meta.id] = doc; }")) {
                worker.send(0, List.of(Samples.update("a", 1, "{}")));
                redis.restart();
                Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 1);

                assertThat(worker.failures()).isEmpty();
                assertThat(store.get(Samples.key(BUCKET, "a")).join()).isPresent();
            }
        }
    }

    private static WorkerProcess start(OwnRedis redis, int threads, String code) throws Exception {
        return WorkerProcess.startInterpreted(new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(code, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(threads, 60_000, 512L << 20),
                "INFO",
                "source",
                redis.url(),
                List.of(new WorkerSetup.Alias("dst", BUCKET, Keyspace.DEFAULT, Keyspace.DEFAULT, true))));
    }
}
