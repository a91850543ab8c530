package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Starts worker processes. */
@FunctionalInterface
public interface WorkerLauncher {

    /**
     * Returns a launcher of worker processes.
     *
     * @param home a worker distribution; read when a worker is started
     * @param mostHeapMib the largest heap of a worker in MiB; a function that needs less gets less
     * @param optimizing whether workers compile JavaScript where the JDK can
     */
    static WorkerLauncher processes(Path home, int mostHeapMib, boolean optimizing) {
        return new WorkerProcesses(home, mostHeapMib, optimizing);
    }

    /** Returns the worker distribution of a development build in or above a directory, or that directory itself. */
    static Path developmentHome(Path from) {
        for (Path at = from.toAbsolutePath(); at != null; at = at.getParent()) {
            Path home = at.resolve("eventing-worker").resolve("target").resolve("worker");
            if (Files.isDirectory(home)) {
                return home;
            }
        }
        return from;
    }

    /**
     * Starts a worker that connects to a socket.
     *
     * @param name the worker's name, for log lines
     * @param setup the function that it will run, which determines its heap
     */
    Worker launch(String name, WorkerSetup setup, Path socket) throws IOException;

    /** A started worker. */
    interface Worker {

        long pid();

        /** Completes with the exit code when the process has ended. */
        CompletableFuture<Integer> exited();

        /** Kills the process. Never fails; does nothing when it has ended. */
        void kill();
    }
}
