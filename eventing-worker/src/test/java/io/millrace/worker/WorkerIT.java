package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.RedisFixture;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The worker as its own process, as shipped, with a real Redis. */
@Timeout(180)
class WorkerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static RedisStore redis;
    private static DocumentStore store;

    private String bucket = "";

    @BeforeAll
    static void openStore() {
        redis = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test");
        store = redis.documents();
    }

    @AfterAll
    static void closeStore() {
        redis.close();
    }

    @BeforeEach
    void createBucket() {
        bucket = "b" + UUID.randomUUID().toString().replace("-", "");
        store.catalog().createBucket(bucket, 1).join();
    }

    @Test
    void events_areHandledInTheirOrderOnEachThread() throws Exception {
        String code = """
            function OnUpdate(doc, meta) {
              var log = dst[doc.key];
              dst[doc.key] = {last: doc.n, seen: (log ? log.seen : '') + doc.n + ' '};
            }
            function OnDelete(meta, options) {
              delete dst[meta.id];
            }
            """;
        try (WorkerProcess worker = WorkerProcess.startInterpreted(setup(code, 2))) {
            assertThat(worker.answer()).isEqualTo(new Frame.Ready());
            for (int thread = 0; thread < 2; thread++) {
                List<Event> events = new ArrayList<>();
                for (int n = 1; n <= 250; n++) {
                    events.add(Samples.update("src" + n, n, "{\"key\":\"t%d\",\"n\":%d}".formatted(thread, n)));
                }
                worker.send(thread, events);
            }
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 500);

            assertThat(worker.failures()).isEmpty();
            StringBuilder expected = new StringBuilder();
            for (int n = 1; n <= 250; n++) {
                expected.append(n).append(' ');
            }
            assertThat(stored("t0")).isEqualTo("{\"last\":250,\"seen\":\"%s\"}".formatted(expected));
            assertThat(stored("t1")).isEqualTo(stored("t0"));

            worker.send(0, List.of(Samples.deletion("t0", 251)));
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 501);
            assertThat(stored("t0")).isEqualTo("absent");
        }
    }

    @Test
    void shutdown_finishesWhatWasReceived() throws Exception {
        try (WorkerProcess worker =
                WorkerProcess.startInterpreted(setup("function OnUpdate(d, m) { dst[m.id] = d; }", 1))) {
            worker.send(0, updates(1, 400));
            worker.shutdown();

            assertThat(worker.exitCode()).isEqualTo(WorkerExit.DONE.code());
            assertThat(store.count(Keyspace.of(bucket)).join()).isEqualTo(400);
            assertThat(worker.answered()).isEqualTo(400);
        }
    }

    @Test
    void missingEntryPoint_isSkipped() throws Exception {
        try (WorkerProcess worker = WorkerProcess.startInterpreted(setup("function OnUpdate(d, m) {}", 1))) {
            worker.send(0, List.of(Samples.deletion("a", 1)));
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 1);

            assertThat(worker.failures()).isEmpty();
        }
    }

    @Test
    void imports_areThoseOfTheCode_alsoAfterItWasSwapped() throws Exception {
        String code = "import {rate} from 'rates@%d';\nfunction OnUpdate(d, m) { dst[m.id] = {n: d.n * rate(d)}; }";
        WorkerSetup.Library one = new WorkerSetup.Library("rates@1", "export const rate = d => 10;");
        WorkerSetup.Library two =
                new WorkerSetup.Library("rates@2", "export function rate(d) {\n  return d.none.x;\n}");
        try (WorkerProcess worker = WorkerProcess.startInterpreted(importing(code.formatted(1), one))) {
            worker.send(0, updates(7, 7));
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 1);
            worker.swap(importing(code.formatted(2), two));
            worker.send(0, updates(8, 8));
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 2);

            assertThat(stored("k7")).isEqualTo("{\"n\":70}");
            assertThat(worker.failures()).containsOnlyKeys("k8");
            assertThat(String.valueOf(worker.failures().get("k8")))
                    .contains("at rate (rates@2:2:10)", "at OnUpdate (f:2:");
        }
    }

    private WorkerSetup importing(String code, WorkerSetup.Library library) {
        WorkerSetup plain = setup(code, 1);
        return new WorkerSetup(
                plain.function(),
                plain.instance(),
                new WorkerSetup.Source(
                        code, List.of("'use strict';"), List.of(), "7.2.0", false, false, 1, List.of(library)),
                plain.limits(),
                plain.logLevel(),
                plain.sourceBucket(),
                plain.redisUri(),
                plain.aliases());
    }

    @Test
    void codeThatDoesNotParse_isRejectedWithItsPlace() throws Exception {
        try (WorkerProcess worker =
                WorkerProcess.startInterpreted(setup("function OnUpdate(d, m) {\n  var 1x;\n}", 1))) {
            Frame.Rejected rejected = (Frame.Rejected) worker.answer();

            assertThat(rejected.line()).isEqualTo(2);
            assertThat(rejected.column()).isPositive();
            worker.shutdown();
            assertThat(worker.exitCode()).isEqualTo(WorkerExit.DONE.code());
        }
    }

    @Test
    void knownCode_isLoadedWithoutBeingWaitedFor() throws Exception {
        WorkerSetup setup = setup("function OnUpdate(d, m) { dst[m.id] = d; }", 2);
        try (WorkerProcess worker = WorkerProcess.startKnown(setup)) {
            assertThat(worker.answer()).isInstanceOf(Frame.Ready.class);
            worker.send(0, updates(1, 1));
            worker.send(1, updates(2, 2));
            Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == 2);

            assertThat(worker.failures()).isEmpty();
            assertThat(stored("k2")).isEqualTo("{\"n\":2}");
        }
    }

    @Test
    void knownCodeThatCannotBeLoaded_endsItsWorkerAlone() throws Exception {
        WorkerSetup.Library other = new WorkerSetup.Library("rates@1", "export const tax = 0.2;");
        WorkerSetup setup = importing("import {rate} from 'rates@1';\nfunction OnUpdate(d, m) { rate(d); }", other);
        try (WorkerProcess neighbor = WorkerProcess.startInterpreted(setup("function OnUpdate(d, m) {}", 1));
                WorkerProcess rejected = WorkerProcess.startInterpreted(setup);
                WorkerProcess worker = WorkerProcess.startKnown(setup)) {
            assertThat(rejected.answer()).isInstanceOf(Frame.Rejected.class);
            assertThat(worker.answer()).isInstanceOf(Frame.Ready.class);

            assertThat(worker.exitCode()).isEqualTo(WorkerExit.NOT_LOADED.code());

            neighbor.send(0, updates(1, 1));
            Awaitility.await().atMost(PATIENCE).until(() -> neighbor.answered() == 1);
            rejected.shutdown();
        }
    }

    @Test
    void memory_staysFlatWhateverPassesThrough() throws Exception {
        // a heap that may hardly grow, so that its growth is not taken for a leak
        try (WorkerProcess worker = WorkerProcess.start(
                WorkerProcess.command().interpreted().withHeapMib(96),
                setup("function OnUpdate(d, m) { dst[m.id] = d; log(m.id); }", 1))) {
            long events = 0;
            long settledKib = 0;
            for (int round = 1; round <= 12; round++) {
                worker.send(0, updates(1, 2_500));
                events += 2_500;
                long sent = events;
                Awaitility.await().atMost(PATIENCE).until(() -> worker.answered() == sent);
                if (round == 4) {
                    settledKib = worker.memoryKib("VmRSS");
                }
            }

            assertThat(worker.failures()).isEmpty();
            assertThat(worker.memoryKib("VmRSS")).isLessThan(settledKib + 64 * 1024);
            assertThat(worker.startTime()).isLessThan(PATIENCE);
            System.out.printf(
                    "worker start_ms=%d rss_mib=%d%n", worker.startTime().toMillis(), worker.memoryKib("VmRSS") / 1024);
        }
    }

    private WorkerSetup setup(String code, int threads) {
        return new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(code, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(threads, 10_000, 64 << 20),
                "INFO",
                "source",
                RedisFixture.url(),
                List.of(new WorkerSetup.Alias("dst", bucket, "_default", "_default", true)));
    }

    private static List<Event> updates(int from, int to) {
        List<Event> events = new ArrayList<>();
        for (int n = from; n <= to; n++) {
            events.add(Samples.update("k" + n, n, "{\"n\":%d}".formatted(n)));
        }
        return events;
    }

    private String stored(String id) {
        return store.get(Samples.key(bucket, id)).join().map(WorkerIT::text).orElse("absent");
    }

    private static String text(Document document) {
        return new String(document.body(), StandardCharsets.UTF_8);
    }
}
