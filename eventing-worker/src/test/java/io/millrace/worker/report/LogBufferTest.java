package io.millrace.worker.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogBufferTest {

    private final Counters counters = new Counters();
    private final LogBuffer log =
            new LogBuffer(InstantSource.fixed(Instant.ofEpochMilli(1234)), LogLevel.INFO, counters);

    @Test
    void lines_comeOutAsTheyWereLogged() {
        log.add(LogLevel.INFO, "one");
        log.add(LogLevel.DEBUG, "below the threshold");
        log.add(LogLevel.ERROR, "two");

        assertThat(log.take()).containsExactly(new LogLine("INFO", 1234, "one"), new LogLine("ERROR", 1234, "two"));
        assertThat(log.take()).isEmpty();
    }

    @Test
    void lines_sayWhatTheirThreadHandles_untilItRunsOtherCode() throws Exception {
        var about = new LogLine.About("4bf92f", "sales", "orders", "o-1");
        log.handles(about);

        log.add(LogLevel.INFO, "of the order");
        Thread.ofPlatform()
                .start(() -> log.add(LogLevel.INFO, "of another thread"))
                .join();
        log.runs(2);
        log.add(LogLevel.INFO, "while the code is loaded");

        assertThat(log.take())
                .containsExactly(
                        new LogLine("INFO", 1234, "of the order", about),
                        new LogLine("INFO", 1234, "of another thread"),
                        new LogLine("INFO", 1234, "while the code is loaded", 2));
    }

    @Test
    void tooManyLines_areDroppedAndCounted() {
        for (int i = 0; i < WorkerLimits.MAX_WAITING_LOG_LINES + 5; i++) {
            log.add(LogLevel.INFO, "line " + i);
        }

        int taken = 0;
        List<LogLine> last = List.of();
        for (List<LogLine> lines = log.take(); !lines.isEmpty(); lines = log.take()) {
            assertThat(lines).hasSizeLessThanOrEqualTo(WorkerLimits.LOG_LINES_PER_FRAME + 1);
            taken += lines.size();
            last = lines;
        }

        assertThat(taken).isEqualTo(WorkerLimits.MAX_WAITING_LOG_LINES + 1);
        assertThat(last.getLast().text()).startsWith("5 log lines were dropped");
        assertThat(counters.takeDeltas()).containsEntry(Counters.DROPPED_LOG_LINES, 5L);
    }

    @Test
    void longLines_areCutAndShareFramesBySize() {
        String tooLong = "x".repeat(WorkerProtocolLimits.MAX_LOG_LINE_CHARS + 1);
        for (int i = 0; i < 100; i++) {
            log.add(LogLevel.INFO, tooLong);
        }

        List<LogLine> lines = log.take();

        assertThat(lines.getFirst().text()).hasSize(WorkerProtocolLimits.MAX_LOG_LINE_CHARS);
        assertThat(lines).hasSize(WorkerLimits.LOG_CHARS_PER_FRAME / WorkerProtocolLimits.MAX_LOG_LINE_CHARS);
    }
}
