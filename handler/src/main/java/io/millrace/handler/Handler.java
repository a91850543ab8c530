package io.millrace.handler;

import java.util.List;

/** Code that was found fit to run. Safe for use by many threads. */
public final class Handler implements Compilation {

    Handler() {}

    /** Returns the entry points that the code declares, out of {@code OnUpdate} and {@code OnDelete}. */
    public List<String> entryPoints() {
        throw new UnsupportedOperationException("not yet");
    }

    /**
     * Loads the code for the calling thread, which should come from {@link HandlerEngine#newThread}: no other thread may
     * use the result.
     */
    public HandlerThread open(HandlerHost host) {
        throw new UnsupportedOperationException("not yet");
    }
}
