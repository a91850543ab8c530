package io.millrace.eventing.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.XTrimArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.eventing.topics.TopicFollowers.Page;
import io.millrace.eventing.topics.TopicStore.Entry;
import io.millrace.redis.Bytes;
import io.millrace.testkit.RedisFixture;
import io.millrace.workerprotocol.TopicFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Topics on a real Redis, as followers read them. */
@Timeout(120)
class RedisTopicReaderIT {

    private static final int MESSAGES = 500;
    private static final RedisClient CLIENT = RedisClient.create(RedisFixture.url());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private final TopicFollowers followers =
            new TopicFollowers(TopicStore.onRedis(() -> CompletableFuture.completedFuture(CONNECTION.async())));
    private final String topic = "t" + UUID.randomUUID();
    private final byte[] key = Bytes.bytes(TopicFormat.place(topic));

    @AfterAll
    static void close() {
        CLIENT.shutdown();
    }

    private String add(int n) {
        return CONNECTION.sync().xadd(key, Map.of(Bytes.bytes(TopicFormat.DATA), Bytes.bytes(Integer.toString(n))));
    }

    private static int number(Entry entry) {
        return Integer.parseInt(Bytes.text(Objects.requireNonNull(entry.fields().get(TopicFormat.DATA))));
    }

    @Test
    void follower_getsEveryMessageOnceInOrder_whileTheyAreWritten() {
        assertThat(followers.newest(topic).join()).isEqualTo(TopicReader.START);
        Thread.startVirtualThread(() -> IntStream.range(0, MESSAGES).forEach(this::add));

        List<Integer> numbers = new ArrayList<>();
        String position = TopicReader.START;
        while (numbers.size() < MESSAGES) {
            Page page = followers.next(topic, position).join();
            assertThat(page.gap()).isFalse();
            page.entries().forEach(entry -> numbers.add(number(entry)));
            position = page.entries().getLast().id();
        }

        assertThat(numbers).isEqualTo(IntStream.range(0, MESSAGES).boxed().toList());
        assertThat(followers.newest(topic).join()).isEqualTo(position);
    }

    @Test
    void followerBehindARemovedMessage_isToldOfTheGap() {
        String first = add(0);
        String second = add(1);
        add(2);
        CONNECTION.sync().xtrim(key, XTrimArgs.Builder.maxlen(2));

        Page behindFirst = followers.next(topic, first).join();
        Page behindSecond = followers.next(topic, second).join();

        assertThat(behindFirst.gap()).isTrue();
        assertThat(behindFirst.entries()).extracting(RedisTopicReaderIT::number).containsExactly(1, 2);
        assertThat(behindSecond.gap()).isFalse();
        assertThat(behindSecond.entries())
                .extracting(RedisTopicReaderIT::number)
                .containsExactly(2);
    }
}
