package io.millrace.worker;

import io.millrace.workerprotocol.WorkerExit;
import org.jspecify.annotations.Nullable;

/** Ends the process. */
@FunctionalInterface
interface Exit {

    /** Ends the process at once; does not return there. */
    void now(WorkerExit why, String message, @Nullable Throwable cause);
}
