package io.millrace.testkit;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Netty's detector of buffers that were not released. It keeps what it reports of buffers that our code has used, and {@link
 * LeakCheck} fails the run at its end. Modules use it by {@code test.leak.args} of the root pom.
 */
public final class LeakDetector<T> extends ResourceLeakDetector<T> {

    private static final Queue<String> REPORTS = new ConcurrentLinkedQueue<>();
    private static final String OURS = "io.millrace.";
    private static final int ROUNDS = 5;
    private static final int BUFFERS = 100;
    private static final int SHOWN = 3;

    /** Called by Netty. */
    public LeakDetector(Class<?> resourceType, int samplingInterval) {
        super(resourceType, samplingInterval);
    }

    /** What a client of a test has not read never came to code of ours. */
    @Override
    protected void reportTracedLeak(String resourceType, String records) {
        if (records.contains(OURS)) {
            REPORTS.add(resourceType + records);
        }
        super.reportTracedLeak(resourceType, records);
    }

    /**
     * Looks for buffers that are unreachable and were not released.
     *
     * @throws IllegalStateException if there are or were some, with where the first of them were used last
     */
    public static void check() {
        for (int round = 0; round < ROUNDS; round++) {
            System.gc();
            for (int i = 0; i < BUFFERS; i++) { // reports what has been collected
                ByteBufAllocator.DEFAULT.directBuffer().release();
                ByteBufAllocator.DEFAULT.heapBuffer().release();
            }
        }
        if (!REPORTS.isEmpty()) {
            throw new IllegalStateException("%d buffers were not released. Where the first of them were last used:%n%s"
                    .formatted(REPORTS.size(), REPORTS.stream().limit(SHOWN).collect(Collectors.joining("\n"))));
        }
    }
}
