package io.millrace.handler;

/**
 * How one invocation ended. All but {@link InternalError} leave the {@link HandlerThread} ready for the next one.
 */
public sealed interface InvocationResult {

    /** Returns how long the invocation ran, in microseconds. */
    long micros();

    /** The entry point returned. */
    record Success(long micros) implements InvocationResult {}

    /** No code ran. */
    record Skipped(Cause cause) implements InvocationResult {
        /** Why no code ran. */
        public enum Cause {
            /** The handler has no entry point for this kind of event. */
            NO_ENTRY_POINT,
            /** The document is binary and the handler's language has no such documents. */
            BINARY_DOCUMENT
        }

        @Override
        public long micros() {
            return 0;
        }
    }

    /**
     * The code threw, or the event's document is not JSON.
     *
     * @param message the error's class and message
     * @param line where in the user's code, from 1; 0 when unknown
     * @param column likewise
     * @param stack the JavaScript stack, one line per frame, innermost first, in positions of the user's code
     */
    record Threw(String message, int line, int column, String stack, long micros) implements InvocationResult {}

    /**
     * The code ran longer than {@link HandlerSpec#executionTimeout()} and was stopped. What it had written stays
     * written.
     *
     * @param line where in the user's code it was stopped, from 1; 0 when unknown
     */
    record TimedOut(int line, int column, long micros) implements InvocationResult {}

    /**
     * The code held more than {@link HandlerSpec#allocationLimitBytes()}, or more than the process has, and was
     * stopped.
     *
     * @param line where in the user's code it was stopped, from 1; 0 when unknown
     */
    record OutOfMemory(int line, int column, long micros) implements InvocationResult {}

    /**
     * The engine or the host failed, not the code: nothing that runs in this process afterwards can be trusted, it must
     * end.
     */
    record InternalError(String message, Throwable cause, long micros) implements InvocationResult {}
}
