package io.millrace.httpdoor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes of requests and responses that a service holds, over all its doors. What does not fit waits in the order
 * of arrival, for a bounded time and in bounded queues. A quarter of the budget is left to small requests and responses, which
 * do not wait behind large ones, so that clients of large ones, slow or many, do not stop the others. Thread-safe.
 */
public final class ByteBudget {

    private static final int PARTS = 4;

    private final long limit;
    private final long limitOfLarge;
    private final Duration patience;
    private final int maxWaiting;
    private final LongSupplier nanos;
    private final Queue<Waiter> small = new ArrayDeque<>();
    private final Queue<Waiter> large = new ArrayDeque<>();
    private final Queue<Waiter> admitted = new ArrayDeque<>();
    private boolean waking;
    private long held;
    private long refused;
    private @Nullable Long shortAt;

    private record Waiter(long bytes, boolean large, CompletableFuture<Boolean> answer) {}

    /**
     * @param limit in bytes
     * @param patience how long something waits for room
     */
    public ByteBudget(long limit, Duration patience) {
        this(limit, patience, ByteBudgetLimits.MAX_WAITING);
    }

    ByteBudget(long limit, Duration patience, int maxWaiting) {
        this(limit, patience, maxWaiting, System::nanoTime);
    }

    ByteBudget(long limit, Duration patience, int maxWaiting, LongSupplier nanos) {
        this.limit = limit;
        this.limitOfLarge = limit - limit / PARTS;
        this.patience = patience;
        this.maxWaiting = maxWaiting;
        this.nanos = nanos;
    }

    /**
     * Takes bytes from the budget; returns false and takes none if they do not fit, or if others wait for room.
     *
     * @param whole the length of what the bytes are a part of; it tells large from small
     */
    public synchronized boolean take(long bytes, long whole) {
        if (!hasRoom(bytes, isLarge(whole))) {
            shortAt = nanos.getAsLong();
            refused++;
            return false;
        }
        held += bytes;
        return true;
    }

    /** Returns whether something of this length would fit now, and takes nothing. */
    public synchronized boolean has(long bytes) {
        return hasRoom(bytes, isLarge(bytes));
    }

    private boolean hasRoom(long bytes, boolean ofLarge) {
        return fits(bytes, ofLarge) && !(ofLarge && !large.isEmpty());
    }

    /**
     * Takes bytes as soon as they fit.
     *
     * @param whole the length of what the bytes are a part of; it tells large from small
     * @return a future with true when they were taken, or false when there was no room in time or too many wait
     */
    public CompletableFuture<Boolean> reserve(long bytes, long whole) {
        Waiter waiter = new Waiter(bytes, isLarge(whole), new CompletableFuture<>());
        synchronized (this) {
            Queue<Waiter> queue = queueOf(waiter);
            if (fits(bytes, waiter.large()) && queue.isEmpty()) {
                held += bytes;
                return CompletableFuture.completedFuture(true);
            }
            shortAt = nanos.getAsLong();
            if (waiting() >= maxWaiting) {
                refused++;
                return CompletableFuture.completedFuture(false);
            }
            queue.add(waiter);
        }
        CompletableFuture<Boolean> answer = waiter.answer();
        answer.completeOnTimeout(false, patience.toNanos(), TimeUnit.NANOSECONDS);
        return answer.whenComplete((taken, failure) -> {
            if (!Boolean.TRUE.equals(taken)) {
                giveUp(waiter);
            }
        });
    }

    /** Counts bytes that are in memory already, whether they fit or not: what comes after them waits. */
    public synchronized void hold(long bytes) {
        held += bytes;
    }

    /** Returns bytes to the budget. */
    public void give(long bytes) {
        synchronized (this) {
            held -= bytes;
            admit();
        }
        wake();
    }

    private void admit() {
        admitFrom(small);
        admitFrom(large);
    }

    private void admitFrom(Queue<Waiter> queue) {
        for (Waiter next = queue.peek(); next != null && fits(next.bytes(), next.large()); next = queue.peek()) {
            held += next.bytes();
            admitted.add(queue.remove());
        }
    }

    private Queue<Waiter> queueOf(Waiter waiter) {
        return waiter.large() ? large : small;
    }

    /** Answers those that were admitted, one by one: an answer that returns its bytes at once would lead here again. */
    private void wake() {
        while (true) {
            Waiter next;
            synchronized (this) {
                next = waking ? null : admitted.poll();
                if (next == null) {
                    return;
                }
                waking = true;
            }
            boolean answered = next.answer().complete(true);
            synchronized (this) {
                waking = false;
                if (!answered) {
                    held -= next.bytes();
                    admit();
                }
            }
        }
    }

    /** Leaves the queue; those behind may fit where this one did not. */
    private void giveUp(Waiter waiter) {
        synchronized (this) {
            refused++;
            queueOf(waiter).remove(waiter);
            admit();
        }
        wake();
    }

    private boolean fits(long bytes, boolean ofLarge) {
        return held + bytes <= (ofLarge ? limitOfLarge : limit);
    }

    private static boolean isLarge(long bytes) {
        return bytes > ByteBudgetLimits.SMALL_BYTES;
    }

    /** Returns whether something did not fit of late. */
    synchronized boolean isShort() {
        return shortAt != null && nanos.getAsLong() - shortAt < ByteBudgetLimits.SHORTAGE.toNanos();
    }

    /** Returns the time by which this budget goes. */
    long nanos() {
        return nanos.getAsLong();
    }

    /** Returns how many bytes are held. */
    public synchronized long held() {
        return held;
    }

    /** Returns how many bytes may be held. */
    public long limit() {
        return limit;
    }

    /** Returns how many requests wait for room. */
    public synchronized int waiting() {
        return small.size() + large.size();
    }

    /** Returns how often something did not fit, at once or in time. */
    public synchronized long refused() {
        return refused;
    }
}
