package io.millrace.eventing.delivery;

import io.millrace.eventing.kafka.KafkaMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * A partition whose messages are being handed out. One thread brings what was read; another one takes it, some messages at a
 * time, and waits for their outcomes, which other threads bring. Thread-safe.
 */
final class OpenPartition {

    private final int number;
    private final int vbucket;

    /** One for each message that waits, and one more at the end. */
    private final Semaphore available = new Semaphore(0);

    // guarded by this
    private final Deque<KafkaMessage> waiting = new ArrayDeque<>();
    private final Deque<Long> handedOut = new ArrayDeque<>();
    private final Set<Long> ended = new HashSet<>();
    private long waitingBytes;
    private int taken;
    private long next;
    private long reached;
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    private boolean closed;

    /** @param next the offset from which it is read */
    OpenPartition(int number, int vbucket, long next) {
        this.number = number;
        this.vbucket = vbucket;
        this.next = next;
        this.reached = next;
    }

    int number() {
        return number;
    }

    int vbucket() {
        return vbucket;
    }

    /** Returns the offset from which a reader goes on. */
    synchronized long next() {
        return next;
    }

    /** Returns whether it should be read no further for now. */
    synchronized boolean full() {
        return closed
                || waiting.size() >= HandlingLimits.MESSAGES_PER_PAGE
                || waitingBytes >= HandlingLimits.MAX_WAITING_MESSAGE_BYTES;
    }

    /** Takes a message that was read. */
    synchronized void read(KafkaMessage message) {
        next = message.offset() + 1;
        waiting.addLast(message);
        waitingBytes += message.bytes();
        available.release();
    }

    /** Goes on at another offset, because the topic does not have the ones before. */
    synchronized void skipTo(long offset) {
        next = offset;
    }

    /** Returns the next messages; waits for the first of them. Returns none at the end. */
    List<KafkaMessage> take(int most) throws InterruptedException {
        available.acquire();
        synchronized (this) {
            List<KafkaMessage> some = new ArrayList<>();
            while (!closed && some.size() < most && !waiting.isEmpty()) {
                KafkaMessage message = waiting.removeFirst();
                waitingBytes -= message.bytes();
                some.add(message);
            }
            available.tryAcquire(Math.max(0, some.size() - 1));
            taken = some.size();
            return some;
        }
    }

    /** Begins to hand out messages. Completes when all have an outcome, or when the partition is closed. */
    synchronized CompletableFuture<Void> begin(List<KafkaMessage> messages) {
        messages.forEach(message -> handedOut.addLast(message.offset()));
        done = closed ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        return done;
    }

    /** Notes that what was taken is in a worker. */
    synchronized void submitted() {
        taken = 0;
    }

    /** Notes that a message need not be delivered again. */
    synchronized void ended(long offset) {
        if (!handedOut.contains(offset)) {
            return; // of an earlier delivery, or of a replay
        }
        ended.add(offset);
        while (!handedOut.isEmpty() && ended.remove(handedOut.peekFirst())) {
            reached = handedOut.removeFirst() + 1;
        }
        if (handedOut.isEmpty()) {
            done.complete(null);
        }
    }

    /** Returns the offset up to which all messages are handled. */
    synchronized long reached() {
        return reached;
    }

    /** Returns whether messages wait to be handed out. */
    synchronized boolean behind() {
        return !waiting.isEmpty();
    }

    /** Returns how many messages wait and are not in a worker. */
    synchronized int size() {
        return waiting.size() + taken;
    }

    /** Hands out no more, and lets the thread that waits go on. */
    synchronized void close() {
        closed = true;
        done.complete(null);
        available.release();
    }
}
