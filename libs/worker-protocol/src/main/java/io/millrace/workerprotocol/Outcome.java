package io.millrace.workerprotocol;

/**
 * How one invocation ended.
 *
 * @param micros how long the handler ran, in microseconds
 * @param message what went wrong, "" for nothing
 * @param line where in the user's code, from 1; 0 when unknown
 * @param column likewise
 * @param stack the JavaScript stack, "" for none
 * @param version the number of the version that ran; 0 for the one that is deployed. Not sent with each outcome, see
 *     {@link Frame.Done}
 */
public record Outcome(Result result, long micros, String message, int line, int column, String stack, long version) {

    /** An outcome of the version that is deployed. */
    public Outcome(Result result, long micros, String message, int line, int column, String stack) {
        this(result, micros, message, line, column, stack, 0);
    }

    /** An outcome without a stack. */
    public Outcome(Result result, long micros, String message, int line, int column) {
        this(result, micros, message, line, column, "");
    }

    /** The ways in which an invocation ends. */
    public enum Result {
        /** The entry point returned. */
        SUCCESS,
        /** The handler has no entry point for this kind of event. */
        SKIPPED,
        /** The handler threw. */
        THREW,
        /** The handler ran longer than its execution timeout and was stopped. */
        TIMED_OUT,
        /** The handler allocated more than one invocation may and was stopped. */
        OUT_OF_MEMORY,
        /** The handler returned, but a write that it made could not be carried out before the timeout. */
        WRITE_FAILED,
        /**
         * No worker survived it: the process ended each time while it handled this event. The service's own verdict.
         */
        WORKER_ENDED
    }

    public static Outcome success(long micros) {
        return new Outcome(Result.SUCCESS, micros, "", 0, 0);
    }

    public static Outcome skipped() {
        return new Outcome(Result.SKIPPED, 0, "", 0, 0);
    }

    /** Returns the same outcome of a version. */
    public Outcome of(long ran) {
        return new Outcome(result, micros, message, line, column, stack, ran);
    }

    /** Returns true unless the invocation failed. */
    public boolean ok() {
        return result == Result.SUCCESS || result == Result.SKIPPED;
    }
}
