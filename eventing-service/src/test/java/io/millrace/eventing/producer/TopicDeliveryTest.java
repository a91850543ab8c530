package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger mostHeld = new AtomicInteger();

    private final MemoryTopic topic = new MemoryTopic() {
        @Override
        public CompletableFuture<Given> next(String name, String group, int most) {
            CompletableFuture<Given> next = super.next(name, group, most);
            mostHeld.accumulateAndGet(given() - handled.get(), Math::max);
            return next;
        }
    };

    private final Fixture fixture = new Fixture(1, Duration.ofMinutes(1), topic);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static FunctionSpec spec() {
        return EventSources.withSource(
                Fixture.spec(), new FunctionSpec.Source(Keyspace.of("_topics"), FeedBoundary.EVERYTHING, "t", ""));
    }

    private void add(int bytes) {
        topic.add(Map.of(
                "key", "k".getBytes(StandardCharsets.UTF_8),
                "data", ('"' + "x".repeat(bytes - 2) + '"').getBytes(StandardCharsets.UTF_8)));
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
