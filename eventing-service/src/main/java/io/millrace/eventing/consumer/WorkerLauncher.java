package io.millrace.eventing.consumer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Starts workers. */
@FunctionalInterface
public interface WorkerLauncher {

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
     * @param placement in which process
     */
    Worker launch(String name, Path socket, Placement placement) throws IOException;

    /** Returns the workers that may have ended a shared process; the same for all workers of this launcher. */
    default Suspects suspects() {
        return Suspects.NONE;
    }

    /** Returns whether a worker starts at once, because it need not wait for a process, or none is kept ready here. */
    default boolean ready() {
        return true;
    }

    /** A started worker. */
    interface Worker {

        /** Returns the id of its process, 0 while it has none. */
        long pid();

        /**
         * Completes when the worker has ended and none of its writes will leave any more. The code is that of a {@link
         * io.millrace.workerprotocol.WorkerExit}, or the exit code of the process.
         */
        CompletableFuture<Integer> exited();

        /** Ends the worker at once. Never fails; does nothing when it has ended. */
        void kill();

        /** Completes when the worker is to be replaced by one in another process, because its own is being renewed. */
        default CompletableFuture<Void> renewal() {
            return new CompletableFuture<>();
        }

        /** Returns whether other workers may be in its process. */
        default boolean shared() {
            return false;
        }

        /** Returns the processor time of its process: a process that uses some is not late, whatever the time. */
        default Duration processorTime() {
            return Duration.ZERO;
        }
    }
}
