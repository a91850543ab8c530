package io.millrace.eventing.topics;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Topics as consumers read them. A group knows which entries it was given and which of them it has acknowledged; it is read by
 * one reader at a time. Thread-safe; no call blocks. A call whose answer is lost may have taken effect, and may be repeated.
 */
public interface TopicStore extends TopicReader {

    /**
     * An entry of a stream.
     *
     * @param millis when it was added, in milliseconds since 1970
     * @param number distinguishes it from others of that millisecond
     * @param fields by their names; none if the stream has removed it
     */
    record Entry(long millis, long number, Map<String, byte[]> fields) {

        /** Returns its id in Redis. */
        public String id() {
            return millis + "-" + number;
        }
    }

    /**
     * What a group was given.
     *
     * @param entries its next ones, oldest first
     * @param pending how many it has been given in all, with these, and has not acknowledged. More than its reader knows of if
     *     the answer to an earlier call was lost
     */
    record Given(List<Entry> entries, long pending) {}

    /**
     * Returns a store on Redis.
     *
     * @param redis opens the connection: asked at the first call, and again after it failed; must not block
     */
    static TopicStore onRedis(Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> redis) {
        return new RedisTopicStore(redis);
    }

    /** Where a group begins that has read nothing. */
    sealed interface Beginning {

        /** With the entries that were added since a time, in milliseconds since 1970; 0 for all. */
        record Since(long millis) implements Beginning {}

        /** Behind the entries that there are. */
        record Now() implements Beginning {}
    }

    /** Creates a group unless it exists. */
    CompletableFuture<Void> join(String topic, String group, Beginning beginning);

    /** Completes with entries that the group was given and has not acknowledged, those behind an id, oldest first. */
    CompletableFuture<List<Entry>> unacknowledged(String topic, String group, String after, int most);

    /** Gives the group its next entries. Fails if there is no such group. */
    CompletableFuture<Given> next(String topic, String group, int most);

    /** Says that entries need not be given again. */
    CompletableFuture<Void> acknowledge(String topic, String group, List<String> ids);

    /** Completes with how many entries the group has not been given. */
    CompletableFuture<Long> unread(String topic, String group);

    /** Deletes a group if it exists. */
    CompletableFuture<Void> leave(String topic, String group);
}
