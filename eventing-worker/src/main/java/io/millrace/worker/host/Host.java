package io.millrace.worker.host;

import io.millrace.worker.Exit;
import io.millrace.worker.ProcessResources;
import io.millrace.worker.Worker;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkException;
import io.millrace.workerprotocol.WorkerExit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with the service about this process: opens and ends workers. What the service sends is received on a
 * thread that never blocks on anything else, so that the end of the link, which means that the service has died, ends
 * the process at once.
 */
final class Host {

    private static final long SIGN_OF_LIFE_SECONDS = 5;

    /** Workers are counted from 1: no function is to blame for what ends the rehearsal. */
    private static final long NO_WORKER = 0;

    private final Link link;
    private final ProcessResources resources;
    private final Exit exit;
    private final ScheduledExecutorService alive = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("alive").factory());

    /** A worker, or nothing while it is being opened. */
    private final Map<Long, Optional<Worker>> workers = new ConcurrentHashMap<>();

    /** @param exit ends this process */
    Host(Link link, ProcessResources resources, Exit exit) {
        this.link = link;
        this.resources = resources;
        this.exit = exit;
    }

    /** Serves the service until the process ends, also before it is warm. */
    void serve(String runtime) {
        try {
            for (Optional<Frame> next = link.receive(); next.isPresent(); next = link.receive()) {
                receive(next.get(), runtime);
            }
            exit.now(WorkerExit.PEER_GONE, "The service closed the link", null);
        } catch (LinkException e) {
            exit.now(
                    e.code() == LinkException.Code.TRUNCATED ? WorkerExit.PEER_GONE : WorkerExit.PROTOCOL,
                    "The link cannot be read",
                    e);
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        }
    }

    private void warmUp(String runtime) {
        try {
            Rehearsal rehearsal =
                    new Rehearsal(resources, (why, message, cause) -> fail(NO_WORKER, why, message, cause));
            rehearsal.run();
            link.send(new Frame.Hello(ProcessHandle.current().pid(), runtime));
            alive.scheduleAtFixedRate(this::showLife, SIGN_OF_LIFE_SECONDS, SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS);
            if (resources.runtime().optimized()) { // a process that only interprets JavaScript is not made for speed
                rehearsal.practise();
            }
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        } catch (RuntimeException | Error e) {
            exit.now(WorkerExit.DEFECT, "The process could not become warm", e);
        }
    }

    private void receive(Frame frame, String runtime) {
        switch (frame) {
            case Frame.Prepare prepare ->
                Thread.ofPlatform().daemon().name("prepare").start(() -> resources.prepare(prepare.redisUri()));
            case Frame.WarmUp ignored -> resources.beforeLoads(() -> warmUp(runtime));
            case Frame.Open open -> {
                resources.expectStart();
                workers.put(open.worker(), Optional.empty());
                Thread.ofVirtual().name("w" + open.worker()).start(() -> open(open.worker(), open.socket(), runtime));
            }
            case Frame.Halt halt ->
                // a worker that is being opened ends as soon as it finds itself removed
                Optional.ofNullable(workers.remove(halt.worker()))
                        .flatMap(opened -> opened)
                        .ifPresent(worker -> worker.end(WorkerExit.PEER_GONE));
            case Frame.Shutdown ignored -> new Thread(() -> exit.now(WorkerExit.DONE, "", null), "shutdown").start();
            default -> exit.now(WorkerExit.PROTOCOL, "A %s frame is not allowed".formatted(frame.getClass()), null);
        }
    }

    private void open(long number, String socket, String runtime) {
        Link own;
        try {
            own = Link.connect(Path.of(socket));
        } catch (IOException e) {
            ended(number, WorkerExit.PEER_GONE, "The socket cannot be reached: " + e.getMessage());
            return;
        }
        Worker worker =
                new Worker("w" + number, own, resources, (why, message, cause) -> fail(number, why, message, cause));
        worker.ended().thenAccept(why -> {
            workers.remove(number);
            ended(number, why, "");
        });
        if (workers.replace(number, Optional.of(worker)) == null) {
            worker.end(WorkerExit.PEER_GONE);
        } else {
            worker.serve(runtime);
        }
    }

    /** Says which worker is the reason, then ends the process: the others are innocent. */
    private void fail(long number, WorkerExit why, String message, @Nullable Throwable cause) {
        if (why.endsTheHost()) {
            ended(number, why, message);
            exit.now(why, message, cause);
        }
    }

    private void ended(long number, WorkerExit why, String message) {
        try {
            link.send(new Frame.Ended(number, why.code(), message));
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        }
    }

    private void showLife() {
        try {
            link.send(new Frame.Counters(Map.of(Frame.Counters.HELD_BYTES, HeldMemory.bytes())));
        } catch (IOException e) {
            exit.now(WorkerExit.PEER_GONE, "The link broke", e);
        }
    }
}
