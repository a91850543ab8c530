package io.millrace.documents.redis;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Limits;
import io.millrace.documents.redis.DocumentQueues.Operation;
import io.millrace.documents.redis.DocumentQueues.StaleShard;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The calls for one document. It is in the map of queues as long as it has calls. */
final class DocumentQueue {

    /** A call on its way. */
    static final class Call<T> {
        private final Operation<T> operation;
        private final boolean write;
        final CompletableFuture<T> answer = new CompletableFuture<>();
        private long number;
        private boolean repaired;

        Call(Operation<T> operation, boolean write) {
            this.operation = operation;
            this.write = write;
        }

        CompletionStage<T> send(RedisLink link, Place place) {
            try {
                return operation.send(link.redis(), place);
            } catch (RuntimeException e) {
                return CompletableFuture.failedStage(e);
            }
        }
    }

    private enum Repair {
        READ_CATALOG,
        OPEN_SHARD,
        LOAD_FUNCTIONS
    }

    private final DocumentKey key;
    private final RedisLink link;
    private final CatalogCache directory;
    private final Map<DocumentKey, DocumentQueue> queues;
    private final ShardWriter.All writers;

    private final Queue<Call<?>> waiting = new ArrayDeque<>(2);
    private @Nullable Queue<Call<?>> returned;
    private @Nullable Repair needed;
    private boolean repairing;
    private int onTheWay;

    /** Whether the calls on their way are writes, which may still wait for others of their shard. */
    private boolean writing;

    private long calls;
    private boolean gone;

    DocumentQueue(
            DocumentKey key,
            RedisLink link,
            CatalogCache directory,
            Map<DocumentKey, DocumentQueue> queues,
            ShardWriter.All writers) {
        this.key = key;
        this.link = link;
        this.directory = directory;
        this.queues = queues;
        this.writers = writers;
    }

    /** Takes a call, or returns false when this queue has left the map. */
    synchronized boolean add(Call<?> call) {
        if (gone) {
            return false;
        }
        call.number = calls++;
        waiting.add(call);
        if (onTheWay < callsAtATime(link) && waiting.size() == 1) {
            advance();
        }
        return true;
    }

    private void advance() {
        while (needed == null && onTheWay < callsAtATime(link) && hasNext() && keepsOrder()) {
            Place place = directory.place(key);
            if (place == null) {
                needed = Repair.READ_CATALOG;
            } else {
                send(next(), place);
            }
        }
        if (needed != null && onTheWay == 0 && !repairing) {
            repair(needed);
        }
        if (onTheWay == 0 && !repairing && !hasNext() && !gone) {
            gone = true;
            queues.remove(key, this);
        }
    }

    /** One on a cluster: a call that is redirected to the new place of a slot is overtaken by a later one sent there. */
    static int callsAtATime(RedisLink link) {
        return link.cluster() ? 1 : Limits.REMEMBERED_TRANSACTIONS;
    }

    private boolean hasNext() {
        return !waiting.isEmpty() || (returned != null && !returned.isEmpty());
    }

    /** A write may wait for others of its shard, so no other call follows it, and it follows none, before there is an answer. */
    private boolean keepsOrder() {
        Call<?> again = returned == null ? null : returned.peek();
        Call<?> next = again != null ? again : waiting.peek();
        return onTheWay == 0 || next != null && next.write == writing;
    }

    /** What was sent before and came back goes first, in its order. */
    private Call<?> next() {
        Call<?> again = returned == null ? null : returned.poll();
        return again != null ? again : waiting.remove();
    }

    private <T> void send(Call<T> call, Place place) {
        onTheWay++;
        writing = call.write;
        call.send(link, place).whenComplete((value, failure) -> answered(call, place, value, failure));
    }

    private <T> void answered(Call<T> call, Place place, T value, @Nullable Throwable failure) {
        Repair repair = failure == null ? null : repairFor(failure);
        boolean again = repair != null && !call.repaired;
        boolean followed;
        synchronized (this) {
            onTheWay--;
            followed = onTheWay > 0; // by calls that are not made again before these have come back
            if (again) {
                giveBack(call);
                needed = repair;
            }
            // Not earlier: Netty sends what its own thread writes ahead of what other threads have just written.
            if (onTheWay == 0) {
                advance();
            }
        }
        if (again && call.write && followed) {
            writers.recall(place, key);
        }
        if (!again) {
            if (failure == null) {
                call.answer.complete(value);
            } else {
                call.answer.completeExceptionally(
                        repair == Repair.OPEN_SHARD ? stale() : DocumentsException.of(failure));
            }
        }
        writers.send();
    }

    private static @Nullable Repair repairFor(Throwable failure) {
        if (RedisFailure.unwrap(failure) instanceof StaleShard) {
            return Repair.OPEN_SHARD;
        }
        return RedisFailure.functionMissing(failure) ? Repair.LOAD_FUNCTIONS : null;
    }

    private void giveBack(Call<?> call) {
        call.repaired = true;
        if (returned == null) {
            returned = new PriorityQueue<>(Comparator.comparingLong((Call<?> earlier) -> earlier.number));
        }
        returned.add(call);
    }

    private void repair(Repair what) {
        repairing = true;
        if (what == Repair.LOAD_FUNCTIONS) {
            link.functionsLost();
        }
        directory
                .refresh()
                .thenCompose(fresh -> {
                    Place place = fresh.require(key);
                    return what == Repair.OPEN_SHARD
                            ? ShardGate.open(link, directory, place.bucket(), place.shard())
                            : CompletableFuture.completedStage(true);
                })
                .whenComplete((done, failure) -> repaired(failure));
    }

    private void repaired(@Nullable Throwable failure) {
        Queue<Call<?>> failed = new ArrayDeque<>();
        synchronized (this) {
            repairing = false;
            needed = null;
            while (failure != null && hasNext()) {
                failed.add(next());
            }
            advance();
        }
        if (failure != null) {
            DocumentsException reason = DocumentsException.of(failure);
            failed.forEach(call -> call.answer.completeExceptionally(reason));
        }
        if (!Thread.holdsLock(this)) { // else who holds it sends afterwards
            writers.send();
        }
    }

    private DocumentsException stale() {
        return DocumentsException.of(
                Code.STALE_INCARNATION,
                ("Bucket '%s' has a newer incarnation, or moves to another Redis. Try again; once it has moved,"
                                + " services must be started with the address of that Redis.")
                        .formatted(key.keyspace().bucket()));
    }
}
