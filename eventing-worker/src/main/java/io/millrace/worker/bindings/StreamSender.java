package io.millrace.worker.bindings;

import io.millrace.documents.DocumentsException;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.messages.Message;
import io.millrace.worker.report.Counters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of all threads of a worker to one stream, in the order in which they come. One batch is on its way at a
 * time and takes what has come meanwhile, so the order holds when a batch fails and is sent again. Thread-safe.
 */
final class StreamSender {

    private final StoreQueue store;
    private final String stream;
    private final long longest;
    private final Duration patience;
    private final Counters counters;

    // guarded by this
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean sending;

    /** Belongs to the batch that is on its way. */
    private RepairPauses pauses = new RepairPauses();

    private record Waiting(Message message, long giveUpNanos, CompletableFuture<Void> answer) {}

    /** @param patience how long after it was handed in a message that finds Redis away or full is repeated */
    StreamSender(StoreQueue store, String stream, long longest, Duration patience, Counters counters) {
        this.store = store;
        this.stream = stream;
        this.longest = longest;
        this.patience = patience;
        this.counters = counters;
    }

    /** Completes when the message is in the stream; fails when it was given up. */
    CompletableFuture<Void> send(Message message) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        synchronized (this) {
            waiting.addLast(new Waiting(message, System.nanoTime() + patience.toNanos(), answer));
            if (sending) {
                return answer;
            }
            sending = true;
        }
        sendNext();
        return answer;
    }

    private void sendNext() {
        List<Waiting> batch = next();
        if (batch.isEmpty()) {
            return;
        }
        List<Message> messages = batch.stream().map(Waiting::message).toList();
        store.messages(redis -> redis.append(stream, longest, messages))
                .whenComplete((done, failure) -> ended(batch, failure));
    }

    /** Returns the first messages, which keep their places until they are answered. */
    private synchronized List<Waiting> next() {
        List<Waiting> batch = new ArrayList<>();
        long bytes = 0;
        for (Waiting each : waiting) {
            bytes += each.message().bytes();
            if (batch.size() == WorkerLimits.MESSAGES_PER_BATCH
                    || (!batch.isEmpty() && bytes > WorkerLimits.MESSAGE_BYTES_PER_BATCH)) {
                break;
            }
            batch.add(each);
        }
        sending = !batch.isEmpty();
        return batch;
    }

    private void ended(List<Waiting> batch, @Nullable Throwable failure) {
        if (failure == null) {
            pauses = new RepairPauses();
            remove(batch);
            counters.add(Counters.MESSAGES, batch.size());
            batch.forEach(each -> each.answer().complete(null));
            sendNext();
            return;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean passes = cause instanceof DocumentsException known && (known.unavailable() || known.full());
        long now = System.nanoTime();
        List<Waiting> lost = batch.stream()
                .filter(each -> !passes || each.giveUpNanos() - now <= 0)
                .toList();
        remove(lost);
        counters.add(Counters.MESSAGES_FAILED, lost.size());
        lost.forEach(each -> each.answer().completeExceptionally(cause));
        if (passes) {
            CompletableFuture.delayedExecutor(pauses.next().toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::sendNext);
        } else {
            sendNext();
        }
    }

    private synchronized void remove(List<Waiting> ended) {
        for (int i = 0; i < ended.size(); i++) {
            waiting.removeFirst(); // those given up are the oldest
        }
    }
}
