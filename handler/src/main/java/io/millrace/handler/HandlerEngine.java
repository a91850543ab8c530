package io.millrace.handler;

import java.util.function.Consumer;

/** The JavaScript engine of a process, shared by everything that runs in it: there should be one. */
public final class HandlerEngine implements AutoCloseable {

    private HandlerEngine() {}

    /**
     * Starts an engine and warms it up, which takes about a second of processor time.
     *
     * @param onStuck called, once and on a thread of the engine, when an invocation that had to be stopped goes on for
     *     {@link HandlerLimits#STUCK_AFTER_MILLIS}: the process cannot get rid of it and must end
     */
    public static HandlerEngine start(Consumer<String> onStuck) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Returns how code runs here. */
    public RuntimeReport runtime() {
        throw new UnsupportedOperationException("not yet");
    }

    /**
     * Compiles code and loads it once on trial, without calling an entry point.
     *
     * @return a {@link Handler} or a {@link HandlerRejected}
     */
    public Compilation compile(HandlerSpec spec) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Makes a thread, not yet started, on which {@link Handler#open} may be called: one with a stack of
     * {@link HandlerLimits#STACK_BYTES}. */
    public static Thread newThread(String name, Runnable body) {
        return new Thread(null, body, name, HandlerLimits.STACK_BYTES);
    }

    /** Ends the engine; every {@link HandlerThread} must have been closed. */
    @Override
    public void close() {}
}
