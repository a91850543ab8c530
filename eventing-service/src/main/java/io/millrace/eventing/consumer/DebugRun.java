package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A worker in a process of its own that runs code on one event while a debugger follows it; nothing takes effect. */
public final class DebugRun implements AutoCloseable {

    private final Session session;

    private DebugRun(Session session) {
        this.session = session;
    }

    /**
     * Starts the worker and waits until it takes messages of the debugger.
     *
     * @param name the worker's name, for log lines
     * @param patience how long that may take
     * @throws HandlerRejected when the code cannot run
     * @throws TimeoutException when it takes longer
     */
    public static DebugRun open(
            String name, Frame.Debug debug, Placement placement, WorkerLauncher launcher, Duration patience)
            throws IOException, HandlerRejected, TimeoutException {
        Session session = Session.open(name, debug.setup(), placement.apart(), launcher);
        AtomicBoolean late = new AtomicBoolean();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        ready.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).whenComplete((done, timeout) -> {
            if (timeout != null) {
                late.set(true);
                session.kill();
            }
        });
        try {
            session.debug(debug);
            return new DebugRun(session);
        } catch (IOException | HandlerRejected | RuntimeException e) {
            session.close();
            if (late.get()) {
                TimeoutException timeout = new TimeoutException(
                        "The debugger did not start in %d s; try again".formatted(patience.toSeconds()));
                timeout.initCause(e);
                throw timeout;
            }
            throw e;
        } finally {
            ready.complete(null);
        }
    }

    /**
     * Passes messages to the client until the code has run, and returns how that ended, as JSON.
     *
     * @throws IOException when the worker ends before
     */
    public byte[] follow(Consumer<String> client) throws IOException {
        while (true) {
            Frame frame = session.receive().orElseThrow(() -> new IOException("The worker ended"));
            switch (frame) {
                case Frame.DebugMessage message -> client.accept(message.text());
                case Frame.Tried tried -> {
                    return tried.invocation();
                }
                default -> throw new IOException("The worker sent a frame that is not allowed here: " + frame);
            }
        }
    }

    /** Passes a message of the client to the debugger. */
    public void send(String message) throws IOException {
        session.send(new Frame.DebugMessage(message));
    }

    /** Ends the worker and waits for that. */
    @Override
    public void close() {
        session.close();
    }
}
