package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.RedisPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica that takes over without the last writes of its master, under a function that has handled them. */
@Timeout(300)
class LostWritesIT {

    private static final String COPY = """
        function OnUpdate(doc, meta) {
          target[meta.id] = {n: doc.n};
          if (meta.id === 'first') { createTimer(late, new Date(Date.now() + 3600000), 'r', {}); }
        }
        function late() { target.late = {n: 0}; }
        """;

    @Test
    void function_afterLostWrites_handlesEveryStateThatIsLeftAndWhatIsWrittenThen() {
        try (RedisPair redis = RedisPair.start();
                RealWorkers node = new RealWorkers(redis.url(), "lost")) {
            node.start(COPY);
            node.putSource("first", "{\"n\": 1}");
            patiently().until(() -> node.results().equals(Map.of("first", 1)));
            node.supervisor().stop("f").join();
            node.putSource("overwritten", "{\"n\": 1}");
            redis.awaitInStep();
            redis.cutReplication();
            // the function never sees the earlier state, which is to be there again
            node.putSource("overwritten", "{\"n\": 2}");
            node.putSource("lost", "{\"n\": 2}");
            node.start(COPY);
            patiently().until(() -> node.results().equals(Map.of("first", 1, "overwritten", 2, "lost", 2)));

            long worker = node.pid();
            redis.failOver();

            // more changes than were lost, whose numbers must not count as handled
            for (int i = 0; i < 9; i++) {
                node.putSource("new" + i, "{\"n\": 3}");
            }
            patiently().until(() -> node.results().equals(afterwards()));
            assertThat(node.documents
                            .catalog()
                            .find("lost-source")
                            .join()
                            .orElseThrow()
                            .incarnation())
                    .isPositive();
            assertThat(node.log).anyMatch(line -> line.contains("handles its latest changes again"));
            assertThat(node.pid()).isEqualTo(worker);
            assertThat(node.owners()).containsExactly("node");

            node.clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(2)));
            patiently().until(() -> node.results().containsKey("late"));
        }
    }

    private static Map<String, Integer> afterwards() {
        Map<String, Integer> results = new HashMap<>(Map.of("first", 1, "overwritten", 1));
        for (int i = 0; i < 9; i++) {
            results.put("new" + i, 3);
        }
        return results;
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(2)).ignoreExceptions();
    }
}
