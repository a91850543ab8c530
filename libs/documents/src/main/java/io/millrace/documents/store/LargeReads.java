package io.millrace.documents.store;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The large documents of a store: which ones are large, and reads of them, a few at a time, when there is room for them.
 * Thread-safe.
 */
public final class LargeReads {

    private final ReadRoom room;
    private final Set<DocumentKey> known = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free = Limits.LARGE_READS_AT_A_TIME;

    public LargeReads(ReadRoom room) {
        this.room = room;
    }

    public ReadRoom room() {
        return room;
    }

    /** Returns whether a document was large when this process last read or wrote it. */
    public boolean knows(DocumentKey key) {
        return !known.isEmpty() && known.contains(key);
    }

    /** Notes how large a document is. */
    public void note(DocumentKey key, long bytes) {
        if (bytes > Limits.MAX_BYTES_AMONG_OTHERS) {
            if (known.size() >= Limits.MAX_REMEMBERED_LARGE) {
                known.clear(); // each is found again by its next read
            }
            known.add(key);
        } else if (!known.isEmpty()) {
            known.remove(key);
        }
    }

    /** Reads a document of this size, or refuses to when there is no room for it in time; then the call is not made. */
    public <T> CompletableFuture<T> read(DocumentKey key, long bytes, Supplier<? extends CompletionStage<T>> call) {
        return room.reserve(bytes)
                .thenCompose(reserved -> reserved
                        ? inTurn(bytes, call)
                        : CompletableFuture.failedFuture(DocumentsException.of(
                                Code.OVERLOADED,
                                ("The service holds as many bytes of requests and responses as it may, and document '%s'"
                                                + " has %,d. Repeat the request later, and read responses to their end.")
                                        .formatted(key.id(), bytes))));
    }

    private <T> CompletableFuture<T> inTurn(long bytes, Supplier<? extends CompletionStage<T>> call) {
        CompletableFuture<T> handed = new CompletableFuture<>();
        Runnable read = () -> call.get().whenComplete((document, failure) -> {
            next();
            if (failure == null) {
                handed.complete(document); // the reader counts the bytes meanwhile
            } else {
                handed.completeExceptionally(failure);
            }
            room.give(bytes);
        });
        synchronized (this) {
            if (free == 0) {
                waiting.add(read);
                return handed;
            }
            free--;
        }
        read.run();
        return handed;
    }

    /** Passes a turn on. */
    private void next() {
        Runnable read;
        synchronized (this) {
            read = waiting.poll();
            if (read == null) {
                free++;
            }
        }
        if (read != null) {
            read.run();
        }
    }
}
