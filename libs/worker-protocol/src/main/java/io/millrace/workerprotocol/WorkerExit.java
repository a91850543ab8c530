package io.millrace.workerprotocol;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a worker process ended, by its exit code. A signal, such as that of kill -9, gives 128 and its number instead.
 */
public enum WorkerExit {
    /** The service asked it to end, and it had answered every event. */
    DONE(0, "it was told to end"),
    /** It was started with the wrong arguments, or its surroundings do not let it run. */
    USAGE(2, "it could not be started"),
    /** The process ran out of memory; the Java virtual machine chose this code. */
    OUT_OF_MEMORY(3, "it ran out of memory"),
    /** The service closed the link. */
    PEER_GONE(10, "the service closed the link"),
    /** The service sent a frame that is not allowed at that time. */
    PROTOCOL(11, "the service sent a frame that is not allowed"),
    /** An invocation could not be stopped. */
    STUCK(12, "an invocation could not be stopped"),
    /** The JavaScript engine failed. */
    ENGINE_FAILED(13, "the JavaScript engine failed"),
    /** A defect of the worker itself. */
    DEFECT(14, "the worker failed");

    private final int code;
    private final String reason;

    WorkerExit(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    public int code() {
        return code;
    }

    /** Returns the reason as part of a sentence, for a log line. */
    public String reason() {
        return reason;
    }

    /** Returns what an exit code means, or nothing when no worker ends so by itself. */
    public static Optional<WorkerExit> of(int code) {
        return Arrays.stream(values()).filter(exit -> exit.code == code).findFirst();
    }
}
