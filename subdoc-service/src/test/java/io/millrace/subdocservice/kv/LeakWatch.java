package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.slf4j.LoggerFactory;

/**
 * Detects buffers that were not released. Every buffer that is allocated from its creation on is watched, and the stack of each
 * access is kept, which is dear: not for tests that do not look at the reports.
 */
final class LeakWatch implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

    LeakWatch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        reports.start();
        logger.addAppender(reports);
    }

    /** Looks for unreachable buffers that were not released. */
    @Override
    public void close() {
        for (int round = 0; round < 5; round++) {
            System.gc();
            for (int i = 0; i < 100; i++) {
                ByteBufAllocator.DEFAULT.directBuffer(64).release(); // reports what has been collected
                ByteBufAllocator.DEFAULT.heapBuffer(64).release();
            }
        }
        logger.detachAppender(reports);
        ResourceLeakDetector.setLevel(before);
        // HTTP clients of other tests in this process may leave a response unread; those buffers are not from this code
        assertThat(reports.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(report -> report.contains("io.millrace."))
                .isEmpty();
    }
}
