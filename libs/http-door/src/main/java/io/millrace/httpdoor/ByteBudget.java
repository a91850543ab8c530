package io.millrace.httpdoor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Limits the bytes of requests and responses that a service holds, over all its doors. What does not fit waits in the order
 * of arrival, for a bounded time and in a bounded queue. A quarter of the budget is left to small requests and responses, so
 * that clients of large ones, slow or many, do not stop the others. Thread-safe.
 */
public final class ByteBudget {

    private static final int PARTS = 4;

    private final long limit;
    private final long limitOfLarge;
    private final Duration patience;
    private final int maxWaiting;
    private final Queue<Waiter> waiting = new ArrayDeque<>();
    private final Queue<Waiter> admitted = new ArrayDeque<>();
    private boolean waking;
    private long held;
    private long refused;

    private record Waiter(long bytes, boolean large, CompletableFuture<Boolean> answer) {}

    /** @param limit in bytes */
    public ByteBudget(long limit) {
        this(limit, ByteBudgetLimits.PATIENCE, ByteBudgetLimits.MAX_WAITING);
    }

    ByteBudget(long limit, Duration patience, int maxWaiting) {
        this.limit = limit;
        this.limitOfLarge = limit - limit / PARTS;
        this.patience = patience;
        this.maxWaiting = maxWaiting;
    }

    /**
     * Takes bytes from the budget; returns false and takes none if they do not fit, or if others wait for room.
     *
     * @param whole the length of what the bytes are a part of; it tells large from small
     */
    public synchronized boolean take(long bytes, long whole) {
        boolean large = large(whole);
        if (!fits(bytes, large) || (large && !waiting.isEmpty())) {
            refused++;
            return false;
        }
        held += bytes;
        return true;
    }

    /** Returns whether something of this length would fit now, and takes nothing. */
    public synchronized boolean has(long bytes) {
        boolean large = large(bytes);
        return fits(bytes, large) && !(large && !waiting.isEmpty());
    }

    /**
     * Takes bytes as soon as they fit.
     *
     * @param whole the length of what the bytes are a part of; it tells large from small
     * @return a future with true when they were taken, or false when there was no room in time or too many wait
     */
    public CompletableFuture<Boolean> reserve(long bytes, long whole) {
        Waiter waiter = new Waiter(bytes, large(whole), new CompletableFuture<>());
        synchronized (this) {
            if (fits(bytes, waiter.large()) && waiting.isEmpty()) {
                held += bytes;
                return CompletableFuture.completedFuture(true);
            }
            if (waiting.size() >= maxWaiting) {
                refused++;
                return CompletableFuture.completedFuture(false);
            }
            waiting.add(waiter);
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
        for (Waiter next = waiting.peek(); next != null && fits(next.bytes(), next.large()); next = waiting.peek()) {
            held += next.bytes();
            admitted.add(waiting.remove());
        }
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
            waiting.remove(waiter);
            admit();
        }
        wake();
    }

    private boolean fits(long bytes, boolean large) {
        return held + bytes <= (large ? limitOfLarge : limit);
    }

    private static boolean large(long bytes) {
        return bytes > ByteBudgetLimits.SMALL_BYTES;
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
        return waiting.size();
    }

    /** Returns how often something did not fit, at once or in time. */
    public synchronized long refused() {
        return refused;
    }
}
