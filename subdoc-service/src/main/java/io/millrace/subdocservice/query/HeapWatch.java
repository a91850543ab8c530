package io.millrace.subdocservice.query;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.QueryEngine.MemoryWatch;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the statement that has allocated most when the heap is nearly full, so that a sort of millions of rows cannot
 * crash the process and fail all other requests.
 *
 * <p>It checks before the heap is full and collects garbage itself: after a collection by the JVM, a statement can fill the
 * rest of the heap within milliseconds. The threads of the statements do the check, so that none allocates unchecked. A
 * collection stops all requests; so after one that has freed little, the next comes when half of what it left free is in use,
 * or a tenth of the heap is left.
 */
final class HeapWatch implements MemoryWatch {

    private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);

    private static final int FULL_PERCENT = 100;

    /** From here on it collects as often as it takes. */
    private static final int DANGER_PERCENT = 90;

    private final LongSupplier percent;
    private final Runnable collector;
    private final ReentrantLock looking = new ReentrantLock();
    private @Nullable ActiveRequest ended;

    /** From how much on it looks: more after a collection that has left the heap nearly full, as the next would do the same. */
    private volatile long from = QueryLimits.MOST_HEAP_PERCENT;

    HeapWatch() {
        this(percentOfOldObjects(), System::gc);
    }

    /**
     * @param percent how much of the heap is in use
     * @param collector frees what nothing refers to
     */
    HeapWatch(LongSupplier percent, Runnable collector) {
        this.percent = percent;
        this.collector = collector;
    }

    /** Returns how full the pool of objects is that have survived some collections; 0 if there is none. */
    private static LongSupplier percentOfOldObjects() {
        Optional<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
                .filter(pool -> pool.getUsage().getMax() > 0)
                .findFirst();
        return () -> old.map(MemoryPoolMXBean::getUsage)
                .map(usage -> usage.getUsed() * 100 / usage.getMax())
                .orElse(0L);
    }

    @Override
    public void look(QueryEngine engine) {
        long now = percent.getAsLong();
        if (now < from) {
            if (now < QueryLimits.MOST_HEAP_PERCENT) {
                from = QueryLimits.MOST_HEAP_PERCENT;
            }
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
        boolean relieved = percent.getAsLong() < from; // by the statement that was waited for
        if (relieved || ended != null && engine.active().containsKey(ended.id())) {
            return;
        }
        collector.run();
        long left = percent.getAsLong();
        from = Math.clamp((left + FULL_PERCENT + 1) / 2, QueryLimits.MOST_HEAP_PERCENT, DANGER_PERCENT);
        if (left < QueryLimits.MOST_HEAP_PERCENT) {
            return;
        }
        ended = engine.relieve().orElse(null);
        if (ended != null) {
            LOG.warn(
                    "event=statement_cancelled reason=memory request={} heap_percent={} statement=\"{}\"",
                    ended.id(),
                    left,
                    ended.statement());
        }
    }
}
