package io.millrace.worker;

import io.millrace.workerprotocol.WorkerExit;
import org.jspecify.annotations.Nullable;

/** Ends a worker. */
@FunctionalInterface
public interface Exit {

    /**
     * Ends the worker. For a reason that {@linkplain WorkerExit#endsTheHost() ends the host}, ends the process at once
     * and does not return.
     */
    void now(WorkerExit why, String message, @Nullable Throwable cause);
}
