package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.runtime.FunctionRuntime.DeployAction;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.eventing.topics.TopicStore.Beginning;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Functions on a topic in memory. */
class TopicDeliveryTest {

    private static final int MEGABYTE = 1 << 20;
    private static final int MOST_OPEN = 16;
    private static final int FIRST_PAGE = 10;

    private static final String UNREADABLE = "1-0";
    private static final String REMOVED = "2-0";

    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger mostHeld = new AtomicInteger();

    private final MemoryTopic topic = new MemoryTopic() {
        @Override
        public CompletableFuture<Given> next(String name, String group, int most) {
            CompletableFuture<Given> next = super.next(name, group, most);
            mostHeld.accumulateAndGet(given() - handled.get(), Math::max);
            return next;
        }

        @Override
        public CompletableFuture<Optional<Entry>> find(String name, String id) {
            return id.equals(UNREADABLE)
                    ? CompletableFuture.failedFuture(new IllegalStateException("cannot be read"))
                    : id.equals(REMOVED) ? CompletableFuture.completedFuture(Optional.empty()) : super.find(name, id);
        }
    };

    private final Fixture fixture = new Fixture(1, Duration.ofMinutes(1), topic);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static FunctionSpec spec() {
        return spec(FeedBoundary.EVERYTHING);
    }

    private static FunctionSpec spec(FeedBoundary boundary) {
        return EventSources.withSource(
                Fixture.spec(), new FunctionSpec.Source(Keyspace.of("_topics"), boundary, "t", ""));
    }

    private List<String> letters() {
        return fixture.deadLetters.list(spec().checkpoints(), Long.MAX_VALUE, 100).join().stream()
                .map(kept -> kept.letter().change().id() + (kept.replaying() ? " replaying" : ""))
                .sorted()
                .toList();
    }

    private void add(int bytes) {
        topic.add(Map.of(
                "key", "k".getBytes(StandardCharsets.UTF_8),
                "data", ('"' + "x".repeat(bytes - 2) + '"').getBytes(StandardCharsets.UTF_8)));
    }

    /** The fake worker does not answer OnDeploy, so this deployment gets no further. */
    @Test
    void deployment_fixesWhereTheMessagesBegin_beforeOnDeploy() {
        DeployAction action = new DeployAction("Deploy", Duration.ZERO, Duration.ofMillis(1));

        assertThat(fixture.supervisor().start(spec(FeedBoundary.FROM_NOW), action))
                .failsWithin(Duration.ofMinutes(1));

        assertThat(topic.joined()).containsExactly(new Beginning.Now());
    }

    @Test
    void groupThatIsLost_beginsBehindWhatWasRead() {
        fixture.supervisor().start(spec(FeedBoundary.FROM_NOW)).join();
        for (int i = 0; i < 7; i++) {
            add(10);
        }
        await().until(() -> fixture.workers.handled().size() == 7);

        topic.loseGroup();

        await().until(() -> topic.joined().size() == 2);
        assertThat(topic.joined()).containsExactly(new Beginning.Now(), new Beginning.Since(7));
    }

    @Test
    void letterThatCannotBeReplayed_isKept_andDoesNotStopThoseBehindIt() {
        fixture.workers.handling((event, life) -> handled.incrementAndGet() > 3
                ? Outcome.success(1)
                : new Outcome(Outcome.Result.THREW, 1, "Error: no", 1, 1, ""));
        Handling buried = new Handling(0, Duration.ofMillis(1), Duration.ofMillis(1), 10, false, false);
        fixture.supervisor().start(spec().withHandling(buried)).join();
        for (int i = 0; i < 3; i++) {
            add(10);
        }
        await().until(() -> letters().equals(List.of(UNREADABLE, REMOVED, "3-0")));

        fixture.deadLetters
                .askForReplay(
                        spec().checkpoints(),
                        fixture.deadLetters.names(spec().checkpoints()).join())
                .join();

        await().until(() -> letters().equals(List.of(UNREADABLE + " replaying", REMOVED)));
        assertThat(fixture.workers.handledIds().getLast()).isEqualTo("3-0");
        assertThat(fixture.log).anyMatch(line -> line.startsWith("1 dead letters cannot be replayed and are kept"));
    }

    @Test
    void largeMessagesOfOneKey_areReadUpToALimitOfBytes_andHandledInOrder() {
        int messages = 100;
        CountDownLatch handling = new CountDownLatch(1);
        fixture.workers.handling((event, life) -> {
            handling.await();
            handled.incrementAndGet();
            return Outcome.success(1);
        });
        for (int i = 0; i < messages; i++) {
            add(MEGABYTE);
        }

        fixture.supervisor().start(spec()).join();
        await().until(() -> topic.given() >= MOST_OPEN);
        handling.countDown();

        await().until(() -> handled.get() == messages);
        assertThat(mostHeld).hasValueLessThan(MOST_OPEN + FIRST_PAGE);
        List<String> inOrder =
                IntStream.rangeClosed(1, messages).mapToObj(n -> n + "-0").toList();
        assertThat(fixture.workers.handledIds()).isEqualTo(inOrder);
    }
}
