package io.millrace.subdocservice.sandbox;

import io.millrace.handler.HandlerEngine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine of handlers, which starts when the first function is compiled. Thread-safe. */
public final class SharedEngine implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedEngine.class);

    private @Nullable HandlerEngine engine;

    /** Returns the engine, or empty if it cannot run in this process. */
    public synchronized Optional<HandlerEngine> get() {
        if (engine == null) {
            try {
                engine = HandlerEngine.start(stuck -> LOG.error("event=filter_stuck report=\"{}\"", stuck));
            } catch (RuntimeException | LinkageError e) {
                LOG.error("event=engine_failed", e);
                return Optional.empty();
            }
        }
        return Optional.of(engine);
    }

    @Override
    public synchronized void close() {
        if (engine != null) {
            engine.close();
            engine = null;
        }
    }
}
