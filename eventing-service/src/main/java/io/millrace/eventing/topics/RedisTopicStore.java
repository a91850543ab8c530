package io.millrace.eventing.topics;

import static io.millrace.redis.Bytes.bytes;
import static io.millrace.redis.Bytes.text;

import io.lettuce.core.Consumer;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import io.millrace.workerprotocol.TopicFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Topics on Redis 7 or newer, or Valkey; also on a cluster. */
final class RedisTopicStore implements TopicStore {

    /** All nodes read under one name: the one that takes a topic over is given what the one before did not acknowledge. */
    private static final byte[] READER = bytes("reader");

    private static final String GROUP_EXISTS = "BUSYGROUP";
    private static final String KEY_MISSING = "no such key";
    private static final String NO_GROUP = "NOGROUP";

    private final RedisLink redis;

    RedisTopicStore(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        this.redis = new RedisLink(redis);
    }

    private static byte[] key(String topic) {
        return bytes(TopicFormat.place(topic));
    }

    @Override
    public CompletableFuture<Void> join(String topic, String group, Beginning beginning) {
        StreamOffset<byte[]> start = StreamOffset.from(key(topic), behind(beginning));
        return redis.call(commands -> commands.xgroupCreate(start, bytes(group), XGroupCreateArgs.Builder.mkstream()))
                .handle((done, failure) -> unless(failure, GROUP_EXISTS))
                .thenCompose(answer -> answer);
    }

    /** Returns the id of an entry, which need not exist: those behind it are read. */
    private static String behind(Beginning beginning) {
        return switch (beginning) {
            case Beginning.Now() -> "$";
            case Beginning.Since(long millis) -> millis == 0 ? START : (millis - 1) + "-" + Long.toUnsignedString(-1);
        };
    }

    private static CompletableFuture<Void> unless(@Nullable Throwable failure, String... harmless) {
        if (failure == null) {
            return CompletableFuture.completedFuture(null);
        }
        String why = String.valueOf(RedisFailure.unwrap(failure).getMessage());
        for (String one : harmless) {
            if (why.contains(one)) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletableFuture<List<Entry>> unacknowledged(String topic, String group, String after, int most) {
        return read(group, StreamOffset.from(key(topic), after), most);
    }

    /** The client repeats calls itself after a reconnection, so the count comes from a second call, which is always behind. */
    @Override
    public CompletableFuture<Given> next(String topic, String group, int most) {
        var entries = read(group, StreamOffset.lastConsumed(key(topic)), most);
        var pending = redis.call(commands -> commands.xpending(key(topic), bytes(group)));
        return entries.thenCombine(
                pending,
                (found, all) -> new Given(found, all.getConsumerMessageCount().getOrDefault(text(READER), 0L)));
    }

    private CompletableFuture<List<Entry>> read(String group, StreamOffset<byte[]> from, int most) {
        return redis.call(commands ->
                        commands.xreadgroup(Consumer.from(bytes(group), READER), XReadArgs.Builder.count(most), from))
                .thenApply(found -> found.stream().map(RedisTopicStore::entry).toList());
    }

    private static Entry entry(StreamMessage<byte[], byte[]> found) {
        String id = found.getId();
        int dash = id.indexOf('-');
        Map<String, byte[]> fields = new HashMap<>();
        Map<byte[], byte[]> body = found.getBody();
        if (body != null) {
            body.forEach((name, value) -> fields.put(text(name), value));
        }
        return new Entry(Long.parseLong(id.substring(0, dash)), Long.parseLong(id.substring(dash + 1)), fields);
    }

    @Override
    public CompletableFuture<Void> acknowledge(String topic, String group, List<String> ids) {
        return redis.call(commands -> commands.xack(key(topic), bytes(group), ids.toArray(String[]::new)))
                .thenApply(count -> null);
    }

    @Override
    public CompletableFuture<Long> unread(String topic, String group) {
        return redis.call(commands -> commands.xinfoGroups(key(topic)))
                .thenApply(groups -> groups.stream()
                        .filter(List.class::isInstance)
                        .map(one -> attributes((List<?>) one))
                        .filter(one -> one.get("name") instanceof byte[] name
                                && text(name).equals(group))
                        .map(one -> one.get("lag") instanceof Long lag ? lag : 0L)
                        .findFirst()
                        .orElse(0L));
    }

    private static Map<String, @Nullable Object> attributes(List<?> pairs) {
        Map<String, @Nullable Object> found = new HashMap<>();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            if (pairs.get(i) instanceof byte[] name) {
                found.put(text(name), pairs.get(i + 1));
            }
        }
        return found;
    }

    @Override
    public CompletableFuture<String> newest(String topic) {
        return redis.call(commands -> commands.xrevrange(key(topic), Range.unbounded(), Limit.from(1)))
                .thenApply(found -> found.isEmpty() ? START : found.getFirst().getId());
    }

    @Override
    public CompletableFuture<List<Entry>> after(String topic, String id, int most) {
        return redis.call(commands -> commands.xread(XReadArgs.Builder.count(most), StreamOffset.from(key(topic), id)))
                .thenApply(found -> found.stream().map(RedisTopicStore::entry).toList());
    }

    @Override
    public CompletableFuture<Optional<Entry>> find(String topic, String id) {
        return redis.call(commands -> commands.xrange(key(topic), Range.create(id, id), Limit.from(1)))
                .thenApply(found -> found.stream().findFirst().map(RedisTopicStore::entry));
    }

    @Override
    public CompletableFuture<Void> leave(String topic, String group) {
        return redis.call(commands -> commands.xgroupDestroy(key(topic), bytes(group)))
                .handle((done, failure) -> unless(failure, NO_GROUP, KEY_MISSING, "requires the key to exist"))
                .thenCompose(answer -> answer);
    }
}
