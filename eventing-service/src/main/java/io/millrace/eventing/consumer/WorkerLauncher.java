package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Starts worker processes. */
@FunctionalInterface
public interface WorkerLauncher {

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
