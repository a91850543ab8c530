package io.millrace.handler.sandbox;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import io.millrace.handler.HandlerLimits;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** How much of the heap is in use beyond what the engine itself needs. */
final class LiveHeap {
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final List<GarbageCollectorMXBean> COLLECTORS =
            ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
    private static final Set<String> HEAP_POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());

    /** Where what lives long is; empty with a collector that has no such place. */
    private static final Optional<MemoryPoolMXBean> OLD = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
            .filter(pool -> pool.isUsageThresholdSupported() && pool.getUsage().getMax() > 0)
            .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()));

    /** What was live when hardly any invocation held anything: the engine, and what the handlers keep. */
    private volatile long idleBytes;

    private LiveHeap(long idleBytes) {
        this.idleBytes = idleBytes;
    }

    /** Measures what is live while no code runs. */
    static LiveHeap idle() {
        return new LiveHeap(afterCollection());
    }

    /** Measures again what is live while no code runs, or none that holds much. */
    void settle() {
        idleBytes = afterCollection();
    }

    /** Returns what code may hold at most: what is in use now, garbage included. Costs nothing. */
    long heldAtMost() {
        return MEMORY.getHeapMemoryUsage().getUsed() - idleBytes;
    }

    /** Returns what is live, after a collection of the whole heap. */
    long held() {
        return afterCollection() - idleBytes;
    }

    /** Returns whether the last collection of the whole heap left most of it in use. Costs nothing. */
    boolean full() {
        return OLD.map(MemoryPoolMXBean::getCollectionUsage)
                .filter(after -> after.getUsed() > after.getMax() / 100 * HandlerLimits.FULL_HEAP_PERCENT)
                .isPresent();
    }

    /** Returns how much of the heap can be in use for long. */
    long capacity() {
        return OLD.map(MemoryPoolMXBean::getUsage)
                .map(MemoryUsage::getMax)
                .orElse(Runtime.getRuntime().maxMemory());
    }

    /** The collector's own count: by the time that the usage could be asked for, code has made garbage again. */
    private static long afterCollection() {
        System.gc();
        return COLLECTORS.stream()
                .map(GarbageCollectorMXBean::getLastGcInfo)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .map(LiveHeap::heapAfter)
                .orElseGet(() -> MEMORY.getHeapMemoryUsage().getUsed());
    }

    private static long heapAfter(GcInfo collection) {
        return collection.getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> HEAP_POOLS.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }
}
