package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.OwnRedis;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis comes back without what it took last, as after a crash of the machine, under a function. */
@Timeout(300)
class LossyRestartIT {

    /** Longer than the test: what is known is known without checkpoints. */
    private static final Duration NO_CHECKPOINT = Duration.ofHours(1);

    private static final int MANY = 50;

    private static final String COUNT = """
            function OnUpdate(doc, meta) {
              var seen = target[meta.id];
              target[meta.id] = {n: seen ? seen.n + 1 : 1};
            }
            """;

    @Test
    void lossOfTheLatestChanges_repeatsOnlyWhatCameAfterAMilestone() throws IOException {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "no"));
                RealWorkers node = new RealWorkers(redis.url(), "lossy").checkpointInterval(NO_CHECKPOINT)) {
            node.start(COUNT);
            handle(node, "early", MANY);
            // with each of these one more milestone can be noted, and the first one may have been begun before "early"
            // was handled
            for (int i = 0; i < 3; i++) {
                long noted = node.milestones();
                handle(node, "between" + i + "-", 1);
                patiently().until(() -> node.milestones() > noted);
            }
            handle(node, "kept", 1);
            long kept = Files.size(redis.appended());
            handle(node, "lost", MANY);

            redis.kill9();
            cut(redis.appended(), kept);
            redis.restart();

            assertThat(node.results()).doesNotContainKey("lost0");
            handle(node, "later", MANY);
            patiently()
                    .until(() -> node.log.stream().anyMatch(line -> line.contains("handles its latest changes again")));
            patiently().until(() -> node.results().containsKey("kept0"));
            // what the function had in hand may be written after the restart, although the change is lost
            Map<String, Integer> left = new HashMap<>(node.results());
            left.keySet().removeIf(id -> id.startsWith("lost"));
            assertThat(left)
                    .hasSize(2 * MANY + 4)
                    .containsAllEntriesOf(once("early"))
                    .containsKey("between0-0");
        }
    }

    /** The source lost nothing, what the function had written is gone, and no change comes that could show it. */
    @Test
    void lossOfResultsOfAFunctionAtRest_isFoundWithoutAChange() throws IOException {
        try (OwnRedis redis = OwnRedis.startDurable(Map.of("appendfsync", "no"));
                RealWorkers node = new RealWorkers(redis.url(), "resting").checkpointInterval(NO_CHECKPOINT)) {
            node.start(COUNT);
            long noted = node.milestones();
            node.putSource("f00d-1", "{}");
            patiently().until(() -> node.results().equals(Map.of("f00d-1", 1)));
            // neither a checkpoint nor a milestone is due any more: only the lease can show the restart
            patiently().until(() -> node.milestones() > noted);

            redis.kill9();
            cut(redis.appended(), beginOfResult(redis.appended(), "f00d-1", "{resting-target.0}"));
            redis.restart();

            patiently()
                    .until(() -> node.log.stream().anyMatch(line -> line.contains("handles its latest changes again")));
            patiently().until(() -> node.results().equals(Map.of("f00d-1", 1)));
        }
    }

    /** Redis drops the rest of a transaction that is cut off. */
    private static long beginOfResult(Path file, String change, String target) throws IOException {
        String all = Files.readString(file, StandardCharsets.ISO_8859_1);
        int begin = all.indexOf(target, all.indexOf(change));
        assertThat(begin).isPositive();
        return begin;
    }

    private static void handle(RealWorkers node, String prefix, int count) {
        for (int i = 0; i < count; i++) {
            node.putSource(prefix + i, "{}");
        }
        patiently().until(() -> node.results().containsKey(prefix + (count - 1)));
    }

    private static void cut(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    private static Map<String, Integer> once(String prefix) {
        return IntStream.range(0, MANY).boxed().collect(Collectors.toMap(i -> prefix + i, i -> 1));
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(2)).ignoreExceptions();
    }
}
