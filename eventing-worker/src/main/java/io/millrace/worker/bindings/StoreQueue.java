package io.millrace.worker.bindings;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.timers.TimerStore;
import io.millrace.worker.messages.MessageStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The way from the handler threads to the document store: their calls, in order, made on another thread. See
 * {@code RATIONALE.md}, "A stack of its own for the store".
 */
public final class StoreQueue {

    private final DocumentStore store;
    private final TimerStore timers;
    private final MessageStore messages;
    private final Executor executor;
    private final ConcurrentLinkedQueue<Call<?>> calls = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    /** Calls that are not answered; when the queue is shut this counts down to the end. */
    private final Phaser unanswered = new Phaser(1);

    private volatile boolean shut;

    /** Without a place for messages. */
    public StoreQueue(DocumentStore store, TimerStore timers, Executor executor) {
        this(store, timers, MessageStore.NONE, executor);
    }

    /** @param executor where the store is called; preferably the thread that also writes to the network */
    public StoreQueue(DocumentStore store, TimerStore timers, MessageStore messages, Executor executor) {
        this.store = store;
        this.timers = timers;
        this.messages = messages;
        this.executor = executor;
    }

    /** Returns the store itself; what is asked of it directly does not wait for the calls that were made here. */
    DocumentStore documents() {
        return store;
    }

    /** Makes a call to the timer store. */
    <T> CompletableFuture<T> timers(Function<TimerStore, CompletableFuture<T>> call) {
        return made(() -> call.apply(timers));
    }

    /** Makes a call to the store of messages. */
    <T> CompletableFuture<T> messages(Function<MessageStore, CompletableFuture<T>> call) {
        return made(() -> call.apply(messages));
    }

    private <T> CompletableFuture<T> made(Supplier<CompletableFuture<T>> call) {
        unanswered.register();
        return CompletableFuture.supplyAsync(
                        () -> shut ? CompletableFuture.<T>failedFuture(refusal()) : call.get(), executor)
                .thenCompose(Function.identity())
                .whenComplete((done, failure) -> unanswered.arriveAndDeregister());
    }

    /** From now on every call fails; those that were made before may still be carried out until {@link #awaitQuiet}. */
    public void shut() {
        shut = true;
    }

    /** Waits until every call has been answered, so that after {@link #shut} nothing is carried out any more. */
    public void awaitQuiet() {
        unanswered.arriveAndAwaitAdvance();
    }

    private static DocumentsException refusal() {
        return DocumentsException.of(DocumentsException.Code.REFUSED, "The function is not running here any more.");
    }

    /** Returns whether a write failed because of a lock. */
    static boolean locked(DocumentsException failure) {
        return failure.getCause() instanceof DocumentLocked;
    }

    private static final class DocumentLocked extends Exception {

        private static final long serialVersionUID = 1L;
    }

    /** A call on its way. */
    private abstract static sealed class Call<T> {
        final CompletableFuture<T> answer = new CompletableFuture<>();

        abstract CompletableFuture<T> make(DocumentStore store);

        void run(DocumentStore store, Phaser unanswered) {
            try {
                make(store).whenComplete(completion(unanswered));
            } catch (RuntimeException e) {
                fail(e, unanswered);
            }
        }

        void fail(RuntimeException failure, Phaser unanswered) {
            unanswered.arriveAndDeregister();
            answer.completeExceptionally(failure);
        }

        private static Throwable unwrapped(Throwable failure) {
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }

        private BiConsumer<T, Throwable> completion(Phaser unanswered) {
            return (value, failure) -> {
                unanswered.arriveAndDeregister();
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(unwrapped(failure));
                }
            };
        }
    }

    private static final class WriteCall extends Call<WriteResult> {
        private final Write write;

        WriteCall(Write write) {
            this.write = write;
        }

        @Override
        CompletableFuture<WriteResult> make(DocumentStore store) {
            return store.write(write).thenCompose(WriteCall::unlocked);
        }

        /** A write to a locked document is retried: locks expire. */
        private static CompletableFuture<WriteResult> unlocked(WriteResult result) {
            return result instanceof WriteResult.Locked
                    ? CompletableFuture.failedFuture(DocumentsException.of(
                            DocumentsException.Code.UNAVAILABLE,
                            "A client has locked the document for a while.",
                            new DocumentLocked()))
                    : CompletableFuture.completedFuture(result);
        }
    }

    private static final class GetCall extends Call<Optional<Document>> {
        private final DocumentKey key;

        GetCall(DocumentKey key) {
            this.key = key;
        }

        @Override
        CompletableFuture<Optional<Document>> make(DocumentStore store) {
            return store.get(key);
        }
    }

    CompletableFuture<WriteResult> write(Write write) {
        return submit(new WriteCall(write));
    }

    CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return submit(new GetCall(key));
    }

    private <T> CompletableFuture<T> submit(Call<T> call) {
        unanswered.register();
        calls.add(call);
        if (draining.compareAndSet(false, true)) {
            executor.execute(this::drain);
        }
        return call.answer;
    }

    private void drain() {
        do {
            for (Call<?> call = calls.poll(); call != null; call = calls.poll()) {
                if (shut) {
                    call.fail(refusal(), unanswered);
                } else {
                    call.run(store, unanswered);
                }
            }
            draining.set(false);
        } while (!calls.isEmpty() && draining.compareAndSet(false, true));
    }
}
