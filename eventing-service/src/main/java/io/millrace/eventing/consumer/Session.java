package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkException;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A worker and its link, until one of them ends. */
final class Session implements AutoCloseable {

    /** The socket is closed when the worker ends. */
    private static final Duration UNTIL_IT_ENDS = Duration.ofDays(1);

    private final WorkerSetup setup;
    private final boolean known;
    private final WorkerLauncher.Worker worker;
    private final LinkServer server;
    private volatile @Nullable Link link;
    private String runtime = "";

    private Session(WorkerSetup setup, boolean known, WorkerLauncher.Worker worker, LinkServer server) {
        this.setup = setup;
        this.known = known;
        this.worker = worker;
        this.server = server;
    }

    interface FrameTaker {
        void take(Frame frame) throws IOException;
    }

    /**
     * Starts a worker; {@link #greet} makes it ready.
     *
     * @throws IOException when the worker could not be started
     */
    static Session open(String name, WorkerSetup setup, Placement placement, WorkerLauncher launcher)
            throws IOException {
        LinkServer server = LinkServer.listen();
        try {
            boolean known = placement.start() == Placement.Start.KNOWN;
            return new Session(setup, known, launcher.launch(name, server.socket(), placement), server);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Sends the worker its function, and waits until it is ready for events, without end: the consumer kills a worker
     * that makes no progress.
     *
     * @param other receives the frames that may come at any time
     * @throws HandlerRejected when the worker says that the handler cannot run
     */
    void greet(FrameTaker other) throws IOException, HandlerRejected {
        Link opened = accept();
        while (true) {
            Frame frame = opened.receive().orElseThrow(() -> new IOException("The worker ended while it was starting"));
            switch (frame) {
                case Frame.Hello hello -> {
                    runtime = hello.runtime();
                    opened.send(new Frame.Init(setup, known));
                }
                case Frame.Ready ignored -> {
                    return;
                }
                case Frame.Rejected rejected ->
                    throw new HandlerRejected(rejected.message(), rejected.line(), rejected.column());
                default -> other.take(frame);
            }
        }
    }

    /** Returns whether the worker is ready before it has loaded its code. */
    boolean known() {
        return known;
    }

    private Link accept() throws IOException {
        // a worker that ends before it connects ends the waiting too
        worker.exited().whenComplete((code, failure) -> closeQuietly(server));
        Link opened;
        try (server) {
            opened = server.accept(UNTIL_IT_ENDS);
        }
        link = opened;
        return opened;
    }

    /**
     * Has the worker try out code, and waits until it has, without end.
     *
     * @throws HandlerRejected when the worker says that the handler cannot run
     */
    List<byte[]> tryOut(Frame.Try attempt) throws IOException, HandlerRejected {
        Link opened = accept();
        List<byte[]> tried = new ArrayList<>();
        while (tried.size() < attempt.events().size()) {
            Frame frame =
                    opened.receive().orElseThrow(() -> new IOException("The worker ended while it tried the code"));
            switch (frame) {
                case Frame.Hello ignored -> opened.send(attempt);
                case Frame.Tried result -> tried.add(result.invocation());
                case Frame.Rejected rejected ->
                    throw new HandlerRejected(rejected.message(), rejected.line(), rejected.column());
                default -> throw new IOException("The worker sent a frame that is not allowed here: " + frame);
            }
        }
        return tried;
    }

    /**
     * Has the worker start a debugger, and waits until it takes messages, without end.
     *
     * @throws HandlerRejected when the worker says that the handler cannot run
     */
    void debug(Frame.Debug debug) throws IOException, HandlerRejected {
        Link opened = accept();
        while (true) {
            Frame frame = opened.receive().orElseThrow(() -> new IOException("The worker ended while it was starting"));
            switch (frame) {
                case Frame.Hello ignored -> opened.send(debug);
                case Frame.Debugging ignored -> {
                    return;
                }
                case Frame.Rejected rejected ->
                    throw new HandlerRejected(rejected.message(), rejected.line(), rejected.column());
                default -> throw new IOException("The worker sent a frame that is not allowed here: " + frame);
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

    /**
     * Returns why the worker ended, which it has done by itself or does now: nothing can be said to it any more. Waits until its
     * process tells; one that is late may do so after the link has closed.
     */
    Death death(boolean served) {
        kill(); // one that has a reason of its own to end keeps it
        return worker.exited()
                .handle((code, failure) ->
                        failure == null ? Death.of(code, worker.shared(), served) : Death.own("its link was closed"))
                .join();
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
        opened().send(frame);
    }

    private Link opened() throws IOException {
        Link opened = link;
        if (opened == null) {
            throw new IOException("The worker has not connected");
        }
        return opened;
    }

    /** Waits for the next frame; nothing when the worker has ended. */
    Optional<Frame> receive() throws IOException {
        try {
            return opened().receive();
        } catch (LinkException e) {
            if (e.code() == LinkException.Code.CLOSED || e.code() == LinkException.Code.TRUNCATED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Ends the worker and closes the link, and does not wait. */
    void kill() {
        worker.kill();
        Link opened = link;
        if (opened != null) {
            opened.close();
        }
    }

    /** Ends the worker and waits until none of its writes will leave any more: a successor may handle the same events. */
    @Override
    public void close() {
        kill();
        closeQuietly(server);
        worker.exited().handle((code, failure) -> true).join();
    }
}
