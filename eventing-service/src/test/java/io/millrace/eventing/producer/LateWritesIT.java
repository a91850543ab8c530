package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the network still has of a worker that has ended. */
@Timeout(300)
class LateWritesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String BY_SUCCESSOR = "{\"by\":\"the successor\"}";

    /** So many that they do not all have the thread of the document that is delayed. */
    private static final int STUCK = 8;

    private static final String CODE = """
            function OnUpdate(doc, meta) {
              if (meta.id === 'd0') {
                target.result = {by: target.ended ? 'the successor' : 'the ended one'};
              } else if (meta.id.startsWith('stuck')) {
                target.digits = {n: Number(7n ** 40000000n % 10n)}; // runs for minutes and cannot be interrupted
              } else {
                log(target.ended);
              }
            }
            """;

    @Test
    void writeOfAKilledWorker_isNotCarriedOutAfterThoseOfTheSuccessor() throws Exception {
        assertNotCarriedOut(
                workers -> ProcessHandle.of(workers.pid()).orElseThrow().destroyForcibly());
    }

    @Test
    void writeOfAWorkerThatCouldNotReachRedis_isNotCarriedOutAfterThoseOfTheSuccessor() throws Exception {
        assertNotCarriedOut(workers -> workers.create("reading", 1));
    }

    @Test
    @Tag("long")
    void writeOfAWorkerThatCouldNotBeStopped_isNotCarriedOutAfterThoseOfTheSuccessor() throws Exception {
        assertNotCarriedOut(workers -> workers.create("stuck", STUCK));
    }

    private static void assertNotCarriedOut(Consumer<RealWorkers> end) throws Exception {
        String name = "late-" + UUID.randomUUID();
        try (FlakyProxy network = FlakyProxy.to(RedisFixture.host(), RedisFixture.port());
                RealWorkers workers = RealWorkers.behind(network, RedisFixture.url(), name)) {
            workers.start(CODE);
            CompletableFuture<?> delayed = network.delay("the ended one");
            workers.create("d", 1);
            delayed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            workers.putTarget("ended", "{}");
            end.accept(workers);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(workers.target("result")).isEqualTo(BY_SUCCESSOR));
            network.forwardDelayed().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

            assertThat(workers.target("result")).isEqualTo(BY_SUCCESSOR);
        }
    }
}
