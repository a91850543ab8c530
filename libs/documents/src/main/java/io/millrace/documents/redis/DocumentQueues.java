package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.redis.RedisLink;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the calls for each document in the order in which they were made, and repairs what a call may meet: a catalog
 * that is not known or has changed, a shard that is not open, functions that are gone.
 *
 * <p>At most {@link Limits#REMEMBERED_TRANSACTIONS} calls for one document are in flight at a time, and one on a cluster.
 * After a lost connection Lettuce sends everything unanswered again; were there more, the document would have forgotten
 * the first of them and its history would be played twice.
 */
final class DocumentQueues {

    /** One call to Redis. */
    interface Operation<T> {
        CompletionStage<T> send(RedisClusterAsyncCommands<byte[], byte[]> redis, Place place);
    }

    /** An answer S: this process or the shard does not know the bucket's present state. */
    static final class StaleShard extends RuntimeException {
        private static final long serialVersionUID = 1L;
        static final StaleShard INSTANCE = new StaleShard();

        private StaleShard() {
            super("Stale shard", null, false, false);
        }
    }

    private final RedisLink link;
    private final CatalogCache directory;
    private final Map<DocumentKey, DocumentQueue> queues = new ConcurrentHashMap<>();
    private final ShardWriter.All writers;

    DocumentQueues(RedisLink link, CatalogCache directory, InstantSource clock) {
        this.link = link;
        this.directory = directory;
        this.writers = new ShardWriter.All(link, clock);
    }

    /** Carries out a write, together with others of its shard that wait at the same time. */
    CompletableFuture<WriteResult> write(Write write, byte[] id) {
        return submit(write.key(), (redis, place) -> writers.add(place, id, write), true);
    }

    <T> CompletableFuture<T> submit(DocumentKey key, Operation<T> operation) {
        return submit(key, operation, false);
    }

    private <T> CompletableFuture<T> submit(DocumentKey key, Operation<T> operation, boolean write) {
        DocumentsException refusal = directory.refusal(key.keyspace().bucket());
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        DocumentQueue.Call<T> call = new DocumentQueue.Call<>(operation, write);
        while (!queues.computeIfAbsent(key, this::queue).add(call)) {
            Thread.onSpinWait(); // the queue has just become idle and is about to leave the map
        }
        writers.send();
        return call.answer;
    }

    /** As {@link #submit}, but not counted and not queued when no call for the document is in flight. */
    <T> CompletableFuture<T> submitRead(DocumentKey key, Operation<T> operation) {
        Place place = queues.containsKey(key) ? null : directory.place(key);
        return place == null
                ? submit(key, operation)
                : operation.send(link.redis(), place).toCompletableFuture();
    }

    private DocumentQueue queue(DocumentKey key) {
        return new DocumentQueue(key, link, directory, queues, writers);
    }
}
