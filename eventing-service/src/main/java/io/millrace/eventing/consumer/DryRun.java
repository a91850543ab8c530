package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Has a worker of its own try out code; nothing that the code does takes effect. */
public final class DryRun {

    private DryRun() {}

    /**
     * Returns what the worker says about each event, as JSON.
     *
     * @param name the worker's name, for log lines
     * @param patience how long all of it may take; then the worker is ended
     * @throws HandlerRejected when the code cannot run
     * @throws TimeoutException when it takes longer
     */
    public static List<byte[]> of(
            String name, Frame.Try attempt, Placement placement, WorkerLauncher launcher, Duration patience)
            throws IOException, HandlerRejected, TimeoutException {
        AtomicBoolean late = new AtomicBoolean();
        CompletableFuture<Void> done = new CompletableFuture<>();
        try (Session session = Session.open(name, attempt.setup(), placement, launcher)) {
            done.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).whenComplete((ended, timeout) -> {
                if (timeout != null) {
                    late.set(true);
                    session.kill();
                }
            });
            return session.tryOut(attempt);
        } catch (IOException e) {
            if (late.get()) {
                TimeoutException timeout = new TimeoutException(
                        "The dry run did not end in %d s; try fewer changes".formatted(patience.toSeconds()));
                timeout.initCause(e);
                throw timeout;
            }
            throw e;
        } finally {
            done.complete(null);
        }
    }
}
