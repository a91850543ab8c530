package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.documents.store.LargeReads;
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

    /** A large document: where it is, and how large. */
    private record Measured(Place place, long bytes) {}

    private final RedisLink link;
    private final CatalogCache directory;
    private final RedisLink aside;
    private final LargeReads large;
    private final Map<DocumentKey, DocumentQueue> queues = new ConcurrentHashMap<>();
    private final ShardWriter.All writers;

    /** @param aside a connection for large documents, behind which nothing else waits */
    DocumentQueues(RedisLink link, CatalogCache directory, InstantSource clock, RedisLink aside, LargeReads large) {
        this.aside = aside;
        this.large = large;
        this.link = link;
        this.directory = directory;
        this.writers = new ShardWriter.All(link, clock);
    }

    /** Carries out a write, together with others of its shard that wait at the same time. */
    CompletableFuture<WriteResult> write(Write write, byte[] id) {
        byte[] body = write.body();
        if (body != null) {
            large.note(write.key(), body.length);
        }
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
        while (!queue(key).add(call)) {
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

    /**
     * Reads fields of a document. One of unknown size is read with one command; one that is known to be large is measured first
     * and then read where nothing waits behind it.
     */
    CompletableFuture<DocumentCalls.Fields> read(DocumentKey key, byte[] id, byte[][] fields) {
        boolean whole = fields == DocumentCodec.FIELDS;
        return whole && large.knows(key) ? readAside(key, id, fields) : readAmongOthers(key, id, fields, whole);
    }

    private CompletableFuture<DocumentCalls.Fields> readAmongOthers(
            DocumentKey key, byte[] id, byte[][] fields, boolean whole) {
        return submitRead(key, (redis, place) -> DocumentCalls.fields(redis, place, id, fields, large.room()))
                .thenCompose(read -> {
                    if (whole) {
                        large.note(key, read.bytes());
                    }
                    return read.wanted() == 0 ? CompletableFuture.completedFuture(read) : readAside(key, id, fields);
                });
    }

    /** The size is asked for behind the writes of the document, so that what is read then contains them. */
    private CompletableFuture<DocumentCalls.Fields> readAside(DocumentKey key, byte[] id, byte[][] fields) {
        return submitRead(
                        key,
                        (redis, place) ->
                                DocumentCalls.length(redis, place, id).thenApply(bytes -> new Measured(place, bytes)))
                .thenCompose(measured -> {
                    large.note(key, measured.bytes());
                    return measured.bytes() > Limits.UNASKED_READ_BYTES
                            ? large.read(
                                    key,
                                    measured.bytes(),
                                    () -> aside.call(redis -> DocumentCalls.fields(
                                            redis, measured.place(), id, fields, ReadRoom.UNLIMITED)))
                            : readAmongOthers(key, id, fields, true);
                });
    }

    /** Returns the queue of a document. It has none, as a rule, and {@code computeIfAbsent} would first store a placeholder. */
    private DocumentQueue queue(DocumentKey key) {
        DocumentQueue known = queues.get(key);
        if (known != null) {
            return known;
        }
        DocumentQueue added = new DocumentQueue(key, link, directory, queues, writers);
        DocumentQueue earlier = queues.putIfAbsent(key, added);
        return earlier == null ? added : earlier;
    }
}
