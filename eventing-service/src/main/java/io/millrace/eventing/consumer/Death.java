package io.millrace.eventing.consumer;

import io.millrace.workerprotocol.WorkerExit;
import java.util.Optional;

/**
 * The end of a worker that was not asked to end.
 *
 * @param reason in words
 * @param cause who caused it
 * @param served whether the worker had been ready
 */
record Death(String reason, Cause cause, boolean served) {

    /** Who caused a death. */
    enum Cause {
        /** The worker itself. */
        OWN,
        /** The worker itself, and it took its process with it. */
        OWN_WITH_ITS_HOST,
        /** The worker itself, by what it kept of events that it has handled: none in flight is to blame. */
        KEEPING,
        /** The store, which the worker could not use for too long. */
        STORE,
        /** Another worker of the same process. */
        NEIGHBOR,
        /** One of the workers of the process, or something outside. */
        UNKNOWN
    }

    /** Returns the death of a worker that could not be started, or was not heard of again. */
    static Death own(String reason) {
        return new Death(reason, Cause.OWN, false);
    }

    /** Returns whether the successor may start at once: this worker was ready, and may be innocent. */
    boolean blameless() {
        return cause == Cause.NEIGHBOR || cause == Cause.UNKNOWN && served;
    }

    /** @param code the exit code */
    static Death of(int code, boolean shared, boolean served) {
        Optional<WorkerExit> exit = WorkerExit.of(code);
        String reason = exit.map(known -> "%s (exit code %d)".formatted(known.reason(), code))
                .orElse("exit code " + code);
        return new Death(reason, cause(exit, shared), served);
    }

    private static Cause cause(Optional<WorkerExit> exit, boolean shared) {
        if (exit.equals(Optional.of(WorkerExit.KEPT_TOO_MUCH))) {
            return Cause.KEEPING;
        }
        if (exit.equals(Optional.of(WorkerExit.STORE_AWAY)) || exit.equals(Optional.of(WorkerExit.STORE_FULL))) {
            return Cause.STORE;
        }
        if (!shared) {
            return Cause.OWN;
        }
        if (exit.isEmpty()) {
            return Cause.UNKNOWN;
        }
        if (exit.get() == WorkerExit.NEIGHBOR) {
            return Cause.NEIGHBOR;
        }
        return exit.get().endsTheHost() ? Cause.OWN_WITH_ITS_HOST : Cause.OWN;
    }
}
