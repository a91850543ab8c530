package io.millrace.worker.report;

import io.millrace.handler.host.HandlerHost.LogLevel;
import io.millrace.worker.WorkerLimits;
import io.millrace.workerprotocol.LogLine;
import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Log lines on their way to the service. When they come faster than they leave, the newest are dropped and counted. */
public final class LogBuffer {

    private final InstantSource clock;
    private final LogLevel threshold;
    private final Counters counters;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<LogLine> lines = new ArrayDeque<>();
    private int chars;
    private long dropped;

    /** The version of the code that a thread runs. */
    private final ThreadLocal<Long> version = ThreadLocal.withInitial(() -> 0L);

    /** What a thread handles. */
    private final ThreadLocal<LogLine.About> about = ThreadLocal.withInitial(() -> LogLine.About.NOTHING);

    /** @param threshold the least important level that is kept */
    public LogBuffer(InstantSource clock, LogLevel threshold, Counters counters) {
        this.clock = clock;
        this.threshold = threshold;
        this.counters = counters;
    }

    /** Says which version of the code the calling thread runs from now on, and that it handles nothing yet. */
    public void runs(long newVersion) {
        version.set(newVersion);
        about.remove();
    }

    /** Returns the version of the code that the calling thread runs. */
    public long version() {
        return version.get();
    }

    /** Says what the lines of the calling thread are about from now on. */
    public void handles(LogLine.About what) {
        about.set(what);
    }

    /** Returns the trace that the calling thread works for, "" for none. */
    public String trace() {
        return about.get().trace();
    }

    boolean keeps(LogLevel level) {
        return level.compareTo(threshold) <= 0;
    }

    public void add(LogLevel level, String text) {
        if (!keeps(level)) {
            return;
        }
        String cut = text.length() <= WorkerProtocolLimits.MAX_LOG_LINE_CHARS
                ? text
                : text.substring(0, WorkerProtocolLimits.MAX_LOG_LINE_CHARS);
        lock.lock();
        try {
            if (lines.size() >= WorkerLimits.MAX_WAITING_LOG_LINES
                    || chars + cut.length() > WorkerLimits.MAX_WAITING_LOG_CHARS) {
                dropped++;
                counters.add(Counters.DROPPED_LOG_LINES, 1);
                return;
            }
            lines.add(new LogLine(level.name(), clock.millis(), cut, version.get(), about.get()));
            chars += cut.length();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest lines, as many as one frame carries; none when there are none. */
    List<LogLine> take() {
        lock.lock();
        try {
            List<LogLine> taken = new ArrayList<>(Math.min(lines.size(), WorkerLimits.LOG_LINES_PER_FRAME));
            int takenChars = 0;
            while (!lines.isEmpty()
                    && taken.size() < WorkerLimits.LOG_LINES_PER_FRAME
                    && takenChars < WorkerLimits.LOG_CHARS_PER_FRAME) {
                LogLine line = lines.remove();
                takenChars += line.text().length();
                taken.add(line);
            }
            chars -= takenChars;
            if (lines.isEmpty() && dropped > 0) {
                taken.add(new LogLine(
                        LogLevel.WARNING.name(),
                        clock.millis(),
                        "%d log lines were dropped here: the handler logged faster than they could be written"
                                .formatted(dropped)));
                dropped = 0;
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
