package io.millrace.worker.bindings;

import io.millrace.documents.DocumentsException;
import io.millrace.timers.TimersException;
import io.millrace.workerprotocol.WorkerExit;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Redis is away, or full. No event is to blame for that, and none that failed because of it is reported.
 *
 * @param exit what it ends a worker with
 */
public record StoreOutage(WorkerExit exit, String message) {

    /** Returns the outage that a failed call shows, null if it failed for another reason. */
    static @Nullable StoreOutage of(Throwable failure) {
        Throwable cause = failure.getCause();
        if (cause != null && (failure instanceof CompletionException || failure instanceof ExecutionException)) {
            return of(cause);
        }
        String message = String.valueOf(failure.getMessage());
        return switch (failure) {
            case DocumentsException full when full.full() -> new StoreOutage(WorkerExit.STORE_FULL, message);
            case DocumentsException known when away(known) -> away(message);
            case TimersException known when known.code() == TimersException.Code.UNAVAILABLE -> away(message);
            default -> null;
        };
    }

    /** Neither a document that a client has locked nor a process without room for a document is an outage of Redis. */
    private static boolean away(DocumentsException failure) {
        return failure.code() == DocumentsException.Code.STALE_INCARNATION
                || failure.code() == DocumentsException.Code.UNAVAILABLE && !StoreQueue.locked(failure);
    }

    static StoreOutage away(String message) {
        return new StoreOutage(WorkerExit.STORE_AWAY, message);
    }
}
