package io.millrace.handler.sandbox;

import io.millrace.handler.HandlerLimits;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds the handler that keeps the most when the heap is almost full of what handlers keep between invocations: it alone has
 * to begin again, before the heap ends the process with all of them.
 */
final class FullHeap {

    private final LiveHeap heap;
    private final List<Guard> guards;
    private final AtomicBoolean searching = new AtomicBoolean();
    private volatile long restNanos = System.nanoTime();

    /** @param guards all handlers, also those that come later */
    FullHeap(LiveHeap heap, List<Guard> guards) {
        this.heap = heap;
        this.guards = guards;
    }

    /** Looks whether the last collection left the heap full, and if so searches on a thread of its own. */
    void tick(long now) {
        if (now - restNanos >= 0 && heap.full() && searching.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("handler-search").start(this::search);
        }
    }

    private void search() {
        boolean found = false;
        try {
            heap.held(); // what is garbage by now, such as that of a handler that has just been closed, does not count
            found = heap.full() && end();
        } finally {
            long rest = found ? HandlerLimits.SETTLE_MILLIS : HandlerLimits.FULL_HEAP_REST_MILLIS;
            restNanos = System.nanoTime() + rest * 1_000_000;
            searching.set(false);
        }
    }

    private boolean end() {
        long most = heap.capacity() / HandlerLimits.FULL_HEAP_PARTS;
        Guard keeper = null;
        boolean measured = false;
        // a handler keeps no more than it has ever allocated, so that few have to be measured
        List<Guard> byAllocation = guards.stream()
                .sorted(Comparator.comparingLong(Guard::allocatedBytes).reversed())
                .toList();
        for (Guard guard : byAllocation) {
            if (guard.allocatedBytes() < most) {
                break;
            }
            OptionalLong kept = guard.keptBytes();
            if (kept.orElseGet(guard::allocatedBytes) > most) {
                most = kept.orElseGet(guard::allocatedBytes);
                keeper = guard;
                measured = kept.isPresent();
            }
        }
        if (keeper == null) {
            return false;
        }
        keeper.guarded()
                .keepsTooMuch(
                        "The heap of the worker process is full, and this function keeps %s%d of its %d MiB between invocations"
                                .formatted(measured ? "" : "up to ", most >> 20, heap.capacity() >> 20));
        return true;
    }
}
