package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.runtime.CodeInsight;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.testkit.RedisFixture;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real workers take other code among changes. */
@Timeout(300)
class CodeSwapIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DOCUMENTS = 500;
    private static final int ROUNDS = 6;
    private static final String OLD = "function OnUpdate(doc, meta) { target[meta.id] = {n: doc.n, by: 'old'}; }";
    private static final String NEW = OLD.replace("old", "new");

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "PROCESS"})
    void otherCode_takesOverAmongChanges_withoutRepeatingOrLosingAny(Isolation isolation) {
        String name = "swap" + UUID.randomUUID().toString().substring(0, 8);
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name).isolation(isolation)) {
            workers.start(OLD);
            long pid = workers.pid();
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> workers.write(DOCUMENTS, 1, ROUNDS), Thread::startVirtualThread);
            await().atMost(PATIENCE).until(() -> handled(workers) > DOCUMENTS / 2);

            assertThatThrownBy(() -> workers.supervisor()
                            .swap(workers.spec("throw new Error('not today');"))
                            .join())
                    .cause()
                    .isInstanceOf(DeployRejected.class)
                    .hasMessageContaining("not today");
            workers.supervisor().swap(workers.spec(NEW)).join();
            writing.join();
            workers.write(DOCUMENTS, ROUNDS + 1, ROUNDS + 1);

            await().atMost(PATIENCE)
                    .until(() -> workers.results().values().stream()
                                    .filter(n -> n == ROUNDS + 1)
                                    .count()
                            == DOCUMENTS);
            assertThat(workers.target("d0")).contains("\"new\"");
            assertThat(workers.pid()).isEqualTo(pid);
            await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
            assertThat(handled(workers))
                    .as("each change that was sent is handled once")
                    .isEqualTo(workers.stats().processing().get("dcp_mutation_sent_to_worker"));
            assertThat(workers.stats().processing().get("worker_spawn_counter")).isEqualTo(1);
        }
    }

    @Test
    void insight_isThatOfTheVersionThatRuns() {
        String name = "lines" + UUID.randomUUID().toString().substring(0, 8);
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name)) {
            workers.start("function OnUpdate() { log('old'); }");
            workers.write(3, 1, 1);
            awaitLine(workers, 1, 3, "\"old\"");

            workers.supervisor()
                    .swap(workers.spec("function OnUpdate() { log('new'); }").withVersion(2))
                    .join();
            assertThat(insight(workers).lines())
                    .as("nothing of the version before")
                    .isEmpty();
            workers.write(2, 2, 2);

            awaitLine(workers, 2, 2, "\"new\"");
        }
    }

    /** Waits until the first line of the version that runs has logged so many times, and this last. */
    private static void awaitLine(RealWorkers workers, long version, long times, String logged) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            CodeInsight insight = insight(workers);
            assertThat(insight.version()).isEqualTo(version);
            assertThat(insight.lines()).singleElement().satisfies(line -> {
                assertThat(line.calls()).isEqualTo(times);
                assertThat(line.lastLog()).isEqualTo(logged);
            });
        });
    }

    private static CodeInsight insight(RealWorkers workers) {
        return workers.supervisor().insight("f").getFirst();
    }

    @Test
    void otherConstants_takeOverInTheSameWorker() {
        String name = "env" + UUID.randomUUID().toString().substring(0, 8);
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name)) {
            FunctionSpec spec =
                    workers.spec("function OnUpdate(doc, meta) { target[meta.id] = {n: doc.n, by: RATE}; }");
            workers.supervisor().start(constant(spec, "'one'")).join();
            workers.write(1, 1, 1);
            awaitTarget(workers, "one");
            long pid = workers.pid();

            workers.supervisor().swap(constant(spec, "'two'")).join();
            workers.write(1, 2, 2);

            awaitTarget(workers, "two");
            assertThat(workers.pid()).isEqualTo(pid);
        }
    }

    @Test
    void otherVersionsOfLibraries_takeOverInTheSameWorker() {
        String name = "lib" + UUID.randomUUID().toString().substring(0, 8);
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name)) {
            workers.supervisor().start(importing(workers, 1, "one")).join();
            workers.write(1, 1, 1);
            awaitTarget(workers, "one");
            long pid = workers.pid();

            FunctionSpec next = importing(workers, 2, "two");
            assertThat(next.swapsWith(importing(workers, 1, "one"))).isTrue();
            workers.supervisor().swap(next).join();
            workers.write(1, 2, 2);

            awaitTarget(workers, "two");
            assertThat(workers.pid()).isEqualTo(pid);
        }
    }

    private static void awaitTarget(RealWorkers workers, String rate) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(workers.target("d0")).contains('"' + rate + '"'));
    }

    private static FunctionSpec importing(RealWorkers workers, int version, String rate) {
        String code = "import {rate} from 'rates@%d'; function OnUpdate(doc, meta) { target[meta.id] = {by: rate}; }";
        String library = "export const rate = '%s';".formatted(rate);
        return workers.spec(code.formatted(version))
                .withLibraries(List.of(new WorkerSetup.Library("rates@" + version, library)));
    }

    private static FunctionSpec constant(FunctionSpec spec, String literal) {
        return spec.withConstants(List.of(new HandlerSettings.Constant("RATE", literal)));
    }

    private static long handled(RealWorkers workers) {
        return workers.stats().execution().getOrDefault("on_update_success", 0L);
    }
}
