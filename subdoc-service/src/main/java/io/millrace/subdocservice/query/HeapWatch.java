package io.millrace.subdocservice.query;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.QueryEngine.MemoryWatch;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the statement that has allocated most when the heap is nearly full, so that a sort of millions of rows cannot
 * crash the process and fail all other requests.
 *
 * <p>It checks before the heap is full and collects garbage itself: after a collection by the JVM, a statement can fill the
 * rest of the heap within milliseconds. The threads of the statements do the check, so that none allocates unchecked.
 */
final class HeapWatch implements MemoryWatch {

    private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);

    /** The pool of objects that have survived some collections. */
    private final Optional<MemoryPoolMXBean> old;

    private final ReentrantLock looking = new ReentrantLock();
    private @Nullable ActiveRequest ended;

    HeapWatch() {
        this.old = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
                .filter(pool -> pool.getUsage().getMax() > 0)
                .findFirst();
    }

    @Override
    public void look(QueryEngine engine) {
        if (percent() < QueryLimits.MOST_HEAP_PERCENT) {
            return;
        }
        // the other statements wait: they would fill the heap meanwhile
        looking.lock();
        try {
            relieve(engine);
        } finally {
            looking.unlock();
        }
    }

    private void relieve(QueryEngine engine) {
        if (ended != null && engine.active().containsKey(ended.id())) {
            return;
        }
        System.gc();
        long percent = percent();
        if (percent < QueryLimits.MOST_HEAP_PERCENT) {
            return;
        }
        ended = engine.relieve().orElse(null);
        if (ended != null) {
            LOG.warn(
                    "event=statement_cancelled reason=memory request={} heap_percent={} statement=\"{}\"",
                    ended.id(),
                    percent,
                    ended.statement());
        }
    }

    private long percent() {
        if (old.isEmpty()) {
            return 0;
        }
        MemoryUsage usage = old.get().getUsage();
        return usage.getUsed() * 100 / usage.getMax();
    }
}
