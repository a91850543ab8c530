package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.forwarding.ForwardingDocumentStore;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose writes wait until they are released, or fail a number of times. */
final class HeldStore extends ForwardingDocumentStore {

    private final DocumentStore store;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger outages = new AtomicInteger();
    final Queue<Write> writes = new ConcurrentLinkedQueue<>();
    volatile boolean held;

    HeldStore(DocumentStore store) {
        this.store = store;
    }

    void release() {
        held = false;
        for (Runnable write = waiting.poll(); write != null; write = waiting.poll()) {
            write.run();
        }
    }

    @Override
    protected DocumentStore behind() {
        return store;
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        begun.incrementAndGet();
        writes.add(write);
        if (outages.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            return CompletableFuture.failedFuture(
                    DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is loading."));
        }
        if (!held) {
            return store.write(write);
        }
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        waiting.add(() -> store.write(write).thenAccept(answer::complete));
        return answer;
    }
}
