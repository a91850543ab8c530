package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.testkit.OwnRedis;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real workers on a real Redis, killed in the middle of their work. */
@Timeout(300)
class WorkerCrashIT {

    private static final int DOCUMENTS = 1000;
    private static final int ROUNDS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String COPY = "function OnUpdate(doc, meta) { target[meta.id] = {n: doc.n}; }";

    /** At first in the process that functions share; after the second time the function is suspected and has one of its own. */
    @Test
    void workerKilledAmong20000Mutations_handlesEveryLastStateAndNeverStepsBack() {
        handlesEveryLastStateAndNeverStepsBack(Isolation.SHARED);
    }

    @Test
    @Tag("long")
    void workerWithAProcessOfItsOwnKilledAmong20000Mutations_handlesEveryLastStateAndNeverStepsBack() {
        handlesEveryLastStateAndNeverStepsBack(Isolation.PROCESS);
    }

    private static void handlesEveryLastStateAndNeverStepsBack(Isolation isolation) {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name()).isolation(isolation)) {
            workers.start(COPY);
            List<String> stepsBack = workers.watchForStepsBack();
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> workers.write(DOCUMENTS, 1, ROUNDS), Thread::startVirtualThread);

            for (int kill = 0; kill < 3; kill++) {
                long handled = handled(workers);
                await().atMost(PATIENCE).until(() -> handled(workers) > handled + 500 || writing.isDone());
                long pid = workers.pid();
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                await().atMost(PATIENCE).until(() -> workers.pid() != pid && workers.pid() != 0);
            }
            writing.join();

            await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
            assertThat(workers.results())
                    .hasSize(DOCUMENTS)
                    .allSatisfy((id, n) -> assertThat(n).isEqualTo(ROUNDS));
            assertThat(stepsBack).isEmpty();
            assertThat(workers.stats().processing().get("worker_death_counter")).isEqualTo(3);
            assertThat(workers.log)
                    .filteredOn(line -> line.contains("exit code 137"))
                    .hasSize(3);
        }
    }

    /**
     * A single built-in of the engine that runs for minutes cannot be interrupted: the worker is ended with it, again for
     * each attempt, until the document is given up.
     */
    @Test
    @Tag("long")
    @Timeout(900)
    void builtInThatCannotBeStopped_failsOnlyItsDocument() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            workers.start("""
                    function OnUpdate(doc, meta) {
                      if (meta.id === 'd13') { target.digits = {n: Number(7n ** 40000000n % 10n)}; }
                      target[meta.id] = {n: doc.n};
                    }
                    """);
            long pid = workers.pid();

            workers.write(100, 1, 1);

            await().atMost(Duration.ofMinutes(10))
                    .until(() -> workers.stats().execution().getOrDefault("on_update_failure", 0L) == 1);
            await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
            assertThat(workers.results()).hasSize(99).doesNotContainKeys("d13", "digits");
            assertThat(workers.stats().processing().get("poison_events_skipped"))
                    .isEqualTo(1);
            assertThat(workers.stats().processing().get("worker_death_counter")).isPositive();
            await().atMost(PATIENCE).until(() -> workers.pid() != pid && workers.pid() != 0);

            workers.write(13, 2, 2);
            await().atMost(PATIENCE).until(() -> workers.results().getOrDefault("d12", 0) == 2);
        }
    }

    @Test
    void redisKilledAmongMutations_handlesEveryLastStateAndNeverStepsBack() {
        try (OwnRedis redis = OwnRedis.startDurable();
                RealWorkers workers = new RealWorkers(redis.url(), name())) {
            workers.start(COPY);
            List<String> stepsBack = workers.watchForStepsBack();
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> workers.write(200, 1, ROUNDS), Thread::startVirtualThread);

            await().atMost(PATIENCE).until(() -> handled(workers) > 500 || writing.isDone());
            redis.kill9();
            redis.restart();
            writing.join();

            await().atMost(PATIENCE)
                    .until(() -> workers.results().values().stream()
                                    .filter(n -> n == ROUNDS)
                                    .count()
                            == 200);
            await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
            assertThat(stepsBack).isEmpty();
            assertThat(workers.stats().execution().get("on_update_failure")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "PROCESS"})
    void pausedAndResumed_goesOnFromTheCheckpoints(Isolation isolation) {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name()).isolation(isolation)) {
            workers.write(100, 1, 1);
            workers.start(COPY);
            await().atMost(PATIENCE).until(() -> handled(workers) == 100);
            long pid = workers.pid();

            workers.supervisor().stop("f").join();
            if (isolation == Isolation.PROCESS) {
                await().atMost(PATIENCE).until(() -> ProcessHandle.of(pid).isEmpty());
            }
            workers.write(50, 2, 2);
            workers.start(COPY);

            assertThat(workers.pid() == pid)
                    .as("a process that others may share is kept")
                    .isEqualTo(isolation == Isolation.SHARED);
            await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
            assertThat(handled(workers)).as("only what came meanwhile").isEqualTo(50);
            assertThat(IntStream.range(0, 50).mapToObj(i -> workers.results().get("d" + i)))
                    .containsOnly(2);
        }
    }

    @Test
    void codeThatDoesNotParse_isRejectedWithItsPlace() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            assertThatThrownBy(() -> workers.start("function OnUpdate(doc, meta) {\n  var x = ;\n}"))
                    .cause()
                    .isInstanceOfSatisfying(DeployRejected.class, rejected -> {
                        assertThat(rejected.line()).isEqualTo(2);
                        assertThat(rejected.column()).isPositive();
                    });
            assertThat(workers.supervisor().running()).isEmpty();
        }
    }

    private static String name() {
        return "crash-" + UUID.randomUUID();
    }

    private static long handled(RealWorkers workers) {
        return workers.stats().execution().getOrDefault("on_update_success", 0L);
    }
}
