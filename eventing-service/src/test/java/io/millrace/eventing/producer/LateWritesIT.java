package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the network still has of a worker that was killed. */
@Timeout(300)
class LateWritesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String BY_SUCCESSOR = "{\"by\":\"the successor\"}";

    @Test
    void writeThatArrivesAfterThoseOfTheSuccessor_isNotCarriedOut() throws Exception {
        String name = "late-" + UUID.randomUUID();
        try (FlakyProxy network = FlakyProxy.to(RedisFixture.host(), RedisFixture.port());
                RealWorkers workers = RealWorkers.behind(network, RedisFixture.url(), name)) {
            workers.start("""
                    function OnUpdate(doc, meta) {
                      target.result = {by: target.killed ? 'the successor' : 'the killed one'};
                    }
                    """);
            CompletableFuture<?> delayed = network.delay("the killed one");
            workers.create("d", 1);
            delayed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            workers.putTarget("killed", "{}");

            ProcessHandle.of(workers.pid()).orElseThrow().destroyForcibly();
            await().atMost(PATIENCE).ignoreExceptions().until(() -> workers.target("result"), BY_SUCCESSOR::equals);
            network.forwardDelayed().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

            assertThat(workers.target("result")).isEqualTo(BY_SUCCESSOR);
        }
    }
}
