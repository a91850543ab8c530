package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Functions on event streams and topics, in tests: what they get, and what their workers have done with it. */
final class EventSources {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private EventSources() {}

    /**
     * Returns all events of a category, or all messages of a topic.
     *
     * @param category empty for a topic
     * @param topic empty for a category
     */
    static FunctionSpec.Source source(String category, String topic) {
        return source(category, topic, "");
    }

    /** @param cluster that of Kafka which has the topic; empty for Redis */
    static FunctionSpec.Source source(String category, String topic, String cluster) {
        Keyspace keyspace = Keyspace.of(topic.isEmpty() ? "_streams" : "_topics");
        return new FunctionSpec.Source(keyspace, FeedBoundary.EVERYTHING, "", category, 0, topic, cluster, false);
    }

    static FunctionSpec withSource(FunctionSpec spec, FunctionSpec.Source source) {
        return new FunctionSpec(
                new FunctionSpec.Identity(spec.name(), spec.instance(), spec.functionId(), spec.version()),
                spec.code(),
                spec.language(),
                source,
                spec.metadata(),
                spec.workers(),
                spec.limits(),
                spec.checkpointInterval(),
                spec.logLevel(),
                spec.aliases(),
                spec.handler(),
                spec.handling());
    }

    static void drained(RealWorkers workers) {
        await().atMost(PATIENCE).until(() -> workers.stats().backlog() == 0);
    }

    static long handled(RealWorkers workers) {
        return workers.stats().execution().getOrDefault("on_event_success", 0L);
    }

    /** Returns the numbers that a handler has collected in {@code seen} of a document of the target. */
    static List<Integer> seen(RealWorkers workers, String id) {
        return json(workers, id).path("seen").valueStream().map(JsonNode::asInt).toList();
    }

    static JsonNode json(RealWorkers workers, String id) {
        return JsonMapper.shared().readTree(workers.target(id));
    }

    static List<DeadLetter> letters(RealWorkers workers, CheckpointGroup group) {
        return workers.deadLetters().list(group, Long.MAX_VALUE, 10).join().stream()
                .map(DeadLetterStore.Kept::letter)
                .toList();
    }

    /** Has the only dead letter of a function handled again, and waits until there is none. */
    static void replay(RealWorkers workers, CheckpointGroup group, DeadLetter letter) {
        workers.deadLetters().askForReplay(group, List.of(letter.name())).join();
        await().atMost(PATIENCE).until(() -> letters(workers, group).isEmpty());
    }

    /** At least once: after a crash some numbers at the end of what was handled come again, in order. */
    static void assertInOrder(List<Integer> seen, int count) {
        int next = 0;
        for (int number : seen) {
            assertThat(number).as("in %s", seen).isLessThanOrEqualTo(next);
            next = number + 1;
        }
        assertThat(next).isEqualTo(count);
    }
}
