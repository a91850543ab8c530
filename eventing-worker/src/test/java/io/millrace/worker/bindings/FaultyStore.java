package io.millrace.worker.bindings;

import io.lettuce.core.RedisCommandExecutionException;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Documents in memory behind a connection that fails on demand. Writes take effect in the order in which they are sent,
 * or not at all, as on one connection to Redis.
 */
public final class FaultyStore extends ForwardingDocumentStore {

    static final Keyspace TARGET = Keyspace.of("target");

    /** What becomes of a write. */
    public enum Fate {
        DONE,
        /** Does not happen, and the answer says so. */
        LOST,
        /** Happens, but the answer says that the outcome is unknown. */
        ANSWER_LOST,
        /** Does not happen, because the store is full. */
        FULL,
        REFUSED,
        /** A client has locked the document. */
        LOCKED
    }

    private final MemoryDocumentStore memory = new MemoryDocumentStore(InstantSource.system());
    private final Deque<Runnable> heldAnswers = new ArrayDeque<>();
    private Supplier<Fate> fates = () -> Fate.DONE;
    private boolean holding;
    private int sent;

    public FaultyStore() {
        memory.catalog().createBucket(TARGET.bucket(), 1).join();
    }

    /** Sets what happens to later writes. */
    public FaultyStore fates(Supplier<Fate> next) {
        fates = next;
        return this;
    }

    /** Keeps the answers of writes back until {@link #release}. */
    public synchronized void hold() {
        holding = true;
    }

    public synchronized void release() {
        holding = false;
        while (!heldAnswers.isEmpty()) {
            heldAnswers.remove().run();
        }
    }

    /** Returns how often a write was sent. */
    public int sent() {
        return sent;
    }

    public static DocumentKey key(String id) {
        return new DocumentKey(TARGET, id);
    }

    public static Write upsert(String id, String body) {
        return Write.upsert(key(id), body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a body as text, or "absent". */
    public String stored(String id) {
        return memory.get(key(id))
                .join()
                .map(document -> new String(document.body(), StandardCharsets.UTF_8))
                .orElse("absent");
    }

    /** Returns how many writes took effect. */
    long mutations() {
        return memory.highSeqno(TARGET.bucket(), 0).join() & ((1L << 42) - 1);
    }

    @Override
    protected DocumentStore behind() {
        return memory;
    }

    @Override
    public synchronized CompletableFuture<WriteResult> write(Write write) {
        sent++;
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        Fate fate = fates.get();
        CompletableFuture<WriteResult> done = fate == Fate.DONE || fate == Fate.ANSWER_LOST
                ? memory.write(write)
                : CompletableFuture.failedFuture(new IllegalStateException("not sent"));
        Runnable complete = () -> {
            switch (fate) {
                case DONE ->
                    done.whenComplete((result, failure) -> {
                        if (failure == null) {
                            answer.complete(result);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
                case LOST, ANSWER_LOST -> answer.completeExceptionally(away());
                case LOCKED -> answer.complete(new WriteResult.Locked(1));
                case FULL ->
                    answer.completeExceptionally(DocumentsException.of(
                            DocumentsException.Code.REFUSED,
                            "Redis refused the command",
                            new RedisCommandExecutionException("MISCONF Errors writing to the AOF file")));
                case REFUSED ->
                    answer.completeExceptionally(DocumentsException.of(
                            DocumentsException.Code.REFUSED, "The function is not running here any more."));
            }
        };
        if (holding) {
            heldAnswers.add(complete);
        } else {
            complete.run();
        }
        return answer;
    }

    private static DocumentsException away() {
        return DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis does not answer.");
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        Fate fate = fates.get();
        return fate == Fate.DONE ? memory.get(key) : CompletableFuture.failedFuture(away());
    }
}
