package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.RedisFixture;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that cannot reach Redis while their node can, for longer than their writes may wait. */
@Timeout(300)
class WorkersCutOffIT {

    private static final int DOCUMENTS = 50;
    private static final int ROUNDS = 6;
    private static final Handling LETTERS =
            new Handling(0, Duration.ofMillis(10), Duration.ofMillis(10), 1000, false, false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function OnUpdate(doc, meta) { target[meta.id] = {n: doc.n}; }",
                "function OnUpdate(doc, meta) { let before = target[meta.id]; target[meta.id] = {n: doc.n}; }",
            })
    void function_waitsAndHandlesEveryChangeInOrderAfterwards(String code) {
        URI redis = URI.create(RedisFixture.url());
        try (FlakyProxy way = FlakyProxy.to(redis.getHost(), redis.getPort());
                RealWorkers workers = RealWorkers.behind(way, RedisFixture.url(), "cut-" + UUID.randomUUID())) {
            workers.supervisor().start(impatient(workers.spec(code))).join();
            List<String> stepsBack = workers.watchForStepsBack();
            workers.write(DOCUMENTS, 1, 1);
            patiently().until(() -> allAt(workers, 1));

            way.down();
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> workers.write(DOCUMENTS, 2, ROUNDS), Thread::startVirtualThread);
            patiently().until(() -> deaths(workers) >= 2);
            writing.join();
            assertThat(workers.supervisor().notes("f").waiting().values())
                    .containsExactly("it cannot reach Redis (exit code 18)");
            way.up();

            patiently().until(() -> allAt(workers, ROUNDS));
            patiently().until(() -> workers.stats().execution().getOrDefault("agg_queue_size", -1L) == 0);
            assertThat(stepsBack).isEmpty();
            assertThat(workers.stats().execution()).containsEntry("on_update_failure", 0L);
            assertThat(workers.deadLetters()
                            .count(workers.spec(code).checkpoints())
                            .join())
                    .isZero();
            assertThat(workers.supervisor().notes("f").waiting()).isEmpty();
            assertThat(workers.supervisor().notes("f").apart()).isEmpty();
        }
    }

    private static FunctionSpec impatient(FunctionSpec spec) {
        FunctionSpec.Limits limits = spec.limits();
        return new FunctionSpec(
                spec.identity(),
                spec.code(),
                spec.language(),
                spec.source(),
                spec.metadata(),
                spec.workers(),
                new FunctionSpec.Limits(
                        limits.executionTimeout(), limits.allocationBytes(), limits.hops(), Duration.ofMillis(300)),
                spec.checkpointInterval(),
                spec.logLevel(),
                spec.aliases(),
                spec.handler(),
                LETTERS);
    }

    private static boolean allAt(RealWorkers workers, int round) {
        Map<String, Integer> results = workers.results();
        return results.size() == DOCUMENTS && results.values().stream().allMatch(n -> n == round);
    }

    private static long deaths(RealWorkers workers) {
        return workers.stats().processing().getOrDefault("worker_death_counter", 0L);
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(2)).ignoreExceptions();
    }
}
