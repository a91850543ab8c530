package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.OwnRedis;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis is restarted under a function without losing anything. */
@Timeout(300)
class CleanRestartsIT {

    private static final int RESTARTS = Integer.getInteger("millrace.restarts", 3);
    private static final int DOCUMENTS = 200;

    /** Counts how often a document was handled. */
    private static final String COUNT = """
            function OnUpdate(doc, meta) {
              var seen = target[meta.id];
              target[meta.id] = {n: seen ? seen.n + 1 : 1};
            }
            """;

    @Test
    void restartsWithoutLoss_startNoWorkerRepeatNoChangeAndUseUpNoIncarnation() {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "everysec"));
                RealWorkers node = new RealWorkers(redis.url(), "clean")) {
            node.start(COUNT);
            node.putSource("first", "{}");
            patiently().until(() -> node.results().containsKey("first"));
            long worker = node.pid();

            for (int restart = 0; restart < RESTARTS; restart++) {
                String round = "r" + restart + "-";
                Thread writer = Thread.startVirtualThread(
                        () -> IntStream.range(0, DOCUMENTS).forEach(i -> node.putSource(round + i, "{}")));
                int handled = restart * DOCUMENTS + DOCUMENTS / 4;
                patiently().until(() -> node.results().size() > handled);
                redis.stop();
                redis.restart();
                await().atMost(Duration.ofMinutes(2)).until(() -> !writer.isAlive());
                patiently().until(() -> node.results().size() > (handled / DOCUMENTS + 1) * DOCUMENTS);
            }

            assertThat(node.results()).hasSize(1 + RESTARTS * DOCUMENTS);
            assertThat(Set.copyOf(node.results().values())).containsExactly(1);
            assertThat(node.pid()).isEqualTo(worker);
            assertThat(node.incarnations()).containsOnly(0L);
            assertThat(node.log.stream().filter(line -> line.contains("checkpoints")))
                    .isEmpty();
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(2)).ignoreExceptions();
    }
}
