package io.millrace.workerprotocol;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a worker ended, or the process of a host, by its exit code. A signal, such as that of kill -9, gives 128 and its
 * number instead.
 */
public enum WorkerExit {
    /** The service asked it to end, and it had answered every event. */
    DONE(0, "it was told to end"),
    /** It was started with the wrong arguments, or its surroundings do not let it run. */
    USAGE(2, "it could not be started"),
    /** It used up the memory of its process. Never the exit code of a process. */
    OUT_OF_MEMORY(3, "it used up the memory of its process"),
    /** The service closed the link. */
    PEER_GONE(10, "the service closed the link"),
    /** The service sent a frame that is not allowed at that time. */
    PROTOCOL(11, "the service sent a frame that is not allowed"),
    /** An invocation could not be stopped. */
    STUCK(12, "an invocation could not be stopped"),
    /** The JavaScript engine failed. */
    ENGINE_FAILED(13, "the JavaScript engine failed"),
    /** The Java virtual machine failed while it ran the code of this worker. Never the exit code of a process. */
    CRASHED(16, "it crashed its process"),
    /** A defect of the worker itself. */
    DEFECT(14, "the worker failed"),
    /** Its code kept too much memory between invocations, and its process was full. Never the exit code of a process. */
    KEPT_TOO_MUCH(17, "it kept the most memory between invocations while that of its process was used up"),
    /** Redis took or answered nothing for longer than its events may wait. Never the exit code of a process. */
    STORE_AWAY(18, "it cannot reach Redis"),
    /** Redis was full for longer than writes may wait. Never the exit code of a process. */
    STORE_FULL(19, "Redis takes no writes because its memory or disk is full"),
    /** Its code, which had been loaded before, could not be loaded. Never the exit code of a process. */
    NOT_LOADED(20, "its code could not be loaded"),
    /** The host ended because of another worker. Never the exit code of a process. */
    NEIGHBOR(15, "another function ended their process");

    private final int code;
    private final String reason;

    WorkerExit(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    public int code() {
        return code;
    }

    /** Returns whether a host ends when one of its workers ends for this reason. */
    public boolean endsTheHost() {
        return this == OUT_OF_MEMORY || this == STUCK || this == ENGINE_FAILED || this == CRASHED || this == DEFECT;
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
