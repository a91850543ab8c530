package io.millrace.handler;

import org.jspecify.annotations.Nullable;

/** A {@link Handler} loaded into one thread: its own global object, its own host. Only that thread may call it. */
public final class HandlerThread implements AutoCloseable {

    HandlerThread() {}

    /**
     * Calls {@code OnUpdate(doc, meta, xattrs)}.
     *
     * @param body the document as it is stored; the array must not change afterwards
     * @param userXattrs a JSON object, or null for none
     */
    public Outcome onUpdate(EventMeta meta, byte[] body, byte @Nullable [] userXattrs) {
        throw new UnsupportedOperationException("not yet");
    }

    /**
     * Calls {@code OnDelete(meta, options)}.
     *
     * @param expired whether the document expired
     */
    public Outcome onDelete(EventMeta meta, boolean expired) {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void close() {}
}
