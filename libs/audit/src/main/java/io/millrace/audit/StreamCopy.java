package io.millrace.audit;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Copies the lines of a file to a stream, on a thread of its own: in order, at least once, and without making anyone wait. The
 * stream knows how far the copy is, so that it goes on there after a restart of either side. While the stream cannot be
 * reached, the lines stay in the file alone.
 */
public final class StreamCopy implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(StreamCopy.class.getName());

    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration CALL_LIMIT = Duration.ofSeconds(30);

    /** A stream that is away no longer than this, as while its service starts, is nothing to warn of: no line is lost. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final FileSink file;
    private final TrailReader reader;
    private final AuditStream stream;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean failing;
    private long failingSinceNanos;
    private boolean reported;

    private StreamCopy(FileSink file, AuditStream stream) {
        this.file = file;
        this.reader = new TrailReader(file);
        this.stream = stream;
        this.thread = Thread.ofVirtual().name("audit-copy").unstarted(this::run);
    }

    /** Starts to copy the lines that there are, and those to come. */
    public static StreamCopy start(FileSink file, AuditStream stream) {
        StreamCopy copy = new StreamCopy(file, stream);
        copy.thread.start();
        return copy;
    }

    private void run() {
        try {
            do {
                try {
                    copy();
                } catch (ClosedByInterruptException e) {
                    return;
                } catch (ExecutionException | TimeoutException | IOException | RuntimeException e) {
                    report(e);
                }
            } while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // the end
        }
    }

    /** Copies until a call fails; asks first how far the copy is. */
    private void copy() throws InterruptedException, ExecutionException, TimeoutException, IOException {
        String trail = file.trail();
        long copied = append(trail, List.of());
        do {
            List<String> lines = reader.after(copied, AuditLimits.MAX_LINES_PER_COPY);
            while (!lines.isEmpty()) {
                copied = append(trail, lines);
                lines = reader.after(copied, AuditLimits.MAX_LINES_PER_COPY);
            }
        } while (!closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
    }

    private long append(String trail, List<String> lines)
            throws InterruptedException, ExecutionException, TimeoutException {
        long end = stream.append(trail, lines).get(CALL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        failing = false;
        if (reported) {
            reported = false;
            LOG.log(System.Logger.Level.INFO, "event=audit_copied_again trail={0}", trail);
        }
        return end;
    }

    private void report(Exception failure) {
        if (!failing) {
            failing = true;
            failingSinceNanos = System.nanoTime();
        }
        if (!reported && System.nanoTime() - failingSinceNanos >= SILENCE.toNanos()) {
            reported = true;
            Throwable cause =
                    failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "event=audit_not_copied file={0} reason=\"{1}\" action=\"kept in the file, tried again\"",
                    file.name(),
                    cause);
        }
    }

    /** Stops; what is not copied yet is copied after the next start. */
    @Override
    public void close() {
        closed.countDown();
        thread.interrupt(); // it may wait for an answer
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
