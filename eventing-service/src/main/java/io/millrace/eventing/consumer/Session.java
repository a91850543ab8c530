package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkException;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerExit;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A worker process and its link, until one of them ends. */
final class Session implements AutoCloseable {

    private static final Duration EXIT_CODE_PATIENCE = Duration.ofSeconds(1);

    private final WorkerLauncher.Worker worker;
    private final Link link;
    private final String runtime;

    private Session(WorkerLauncher.Worker worker, Link link, String runtime) {
        this.worker = worker;
        this.link = link;
        this.runtime = runtime;
    }

    /**
     * Receives what happens before a worker is ready.
     *
     * @param started receives the process as soon as it exists, so that a worker that never becomes ready can be killed
     * @param other receives the frames that may come at any time
     */
    record Starter(Started started, FrameTaker other) {}

    interface Started {
        void started(WorkerLauncher.Worker worker);
    }

    interface FrameTaker {
        void take(Frame frame) throws IOException;
    }

    /**
     * Starts a worker, sends it the function, and waits until it is ready for events.
     *
     * @throws HandlerRejected when the worker says that the handler cannot run
     * @throws IOException when the worker could not be started
     */
    static Session open(String name, WorkerSetup setup, WorkerLauncher launcher, Duration atMost, Starter starter)
            throws IOException, HandlerRejected {
        try (LinkServer server = LinkServer.listen()) {
            WorkerLauncher.Worker worker = launcher.launch(name, setup, server.socket());
            starter.started().started(worker);
            // a worker that ends before it connects ends the waiting too
            worker.exited().whenComplete((code, failure) -> closeQuietly(server));
            Link link = null;
            try {
                link = server.accept(atMost);
                return greet(worker, link, setup, starter.other());
            } catch (IOException | HandlerRejected | RuntimeException e) {
                worker.kill();
                if (link != null) {
                    link.close();
                }
                throw e;
            }
        }
    }

    private static Session greet(WorkerLauncher.Worker worker, Link link, WorkerSetup setup, FrameTaker other)
            throws IOException, HandlerRejected {
        String runtime = "";
        while (true) {
            Frame frame =
                    link.receive().orElseThrow(() -> new IOException("The worker process ended while it was starting"));
            switch (frame) {
                case Frame.Hello hello -> {
                    runtime = hello.runtime();
                    link.send(new Frame.Init(setup));
                }
                case Frame.Ready ignored -> {
                    return new Session(worker, link, runtime);
                }
                case Frame.Rejected rejected ->
                    throw new HandlerRejected(rejected.message(), rejected.line(), rejected.column());
                default -> other.take(frame);
            }
        }
    }

    private static void closeQuietly(LinkServer server) {
        try {
            server.close();
        } catch (IOException e) {
            // closed is closed
        }
    }

    /** Returns why the process ended, as far as its exit code says. */
    static String exitReason(WorkerLauncher.Worker worker) {
        try {
            int code = worker.exited().get(EXIT_CODE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return WorkerExit.of(code)
                    .map(exit -> "%s (exit code %d)".formatted(exit.reason(), code))
                    .orElse("exit code " + code);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            return "its link was closed";
        }
    }

    WorkerLauncher.Worker worker() {
        return worker;
    }

    String runtime() {
        return runtime;
    }

    long pid() {
        return worker.pid();
    }

    void send(Frame frame) throws IOException {
        link.send(frame);
    }

    /** Waits for the next frame; nothing when the worker has ended. */
    Optional<Frame> receive() throws IOException {
        try {
            return link.receive();
        } catch (LinkException e) {
            if (e.code() == LinkException.Code.CLOSED || e.code() == LinkException.Code.TRUNCATED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Kills the process and closes the link. */
    @Override
    public void close() {
        worker.kill();
        link.close();
    }
}
