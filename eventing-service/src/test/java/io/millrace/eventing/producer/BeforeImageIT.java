package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.testkit.RedisFixture;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a real worker shows of what was before, on a real Redis. */
@Timeout(300)
class BeforeImageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void handler_seesTheOldDocument() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), "before-" + UUID.randomUUID())) {
            FunctionSpec spec = workers.spec("""
                    function OnUpdate(doc, meta, xattrs, options) {
                      target[meta.id] = {n: options.old ? 100 * options.old.n + doc.n : doc.n};
                    }
                    """);
            Handling handling = new Handling(0, Duration.ofSeconds(1), Duration.ofSeconds(1), 0, true, true);
            workers.supervisor().start(spec.withHandling(handling)).join();

            workers.write(20, 1, 1);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(workers.results())
                            .hasSize(20)
                            .allSatisfy((id, n) -> assertThat(n).isEqualTo(1)));
            workers.write(20, 2, 2);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(workers.results())
                            .allSatisfy((id, n) -> assertThat(n).isEqualTo(102)));
            await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
            workers.write(20, 2, 2);
            await().atMost(PATIENCE)
                    .until(() -> workers.stats().processing().getOrDefault("dcp_mutation_unchanged_counter", 0L) == 20);
            workers.write(20, 3, 3);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(workers.results())
                            .allSatisfy((id, n) -> assertThat(n).isEqualTo(203)));
            workers.supervisor().remove(spec).join();
        }
    }
}
