package io.millrace.eventing.configuration;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * Follows the entries below a directory of MetaKV from {@link #start} to {@link #close}, on behalf of a store that keeps
 * them in memory. The store's own lock is never held while the watch begins or ends: MetaKV may be telling it something
 * at that moment. Thread-safe.
 */
public final class MetakvWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MetakvWatch.class);

    private final MetakvClient metakv;
    private final String directory;
    private final Consumer<MetakvEvent> listener;
    private @Nullable Disposable watch;

    /** @param listener receives the events one after the other; must not block */
    public MetakvWatch(MetakvClient metakv, String directory, Consumer<MetakvEvent> listener) {
        this.metakv = metakv;
        this.directory = directory;
        this.listener = listener;
    }

    /** Begins to follow the entries. Without effect when that has begun. */
    public synchronized void start() {
        if (watch == null) {
            watch = metakv.watch(directory)
                    .subscribe(listener, failure -> LOG.error("event=watch_ended path={}", directory, failure));
        }
    }

    @Override
    public synchronized void close() {
        if (watch != null) {
            watch.dispose();
            watch = null;
        }
    }
}
