package io.millrace.redis;

import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection for pub/sub that is opened when it is first needed. An attempt that fails is repeated until one succeeds or this is
 * closed; an open connection is kept by Lettuce, which subscribes again after an interruption. Thread-safe; no call blocks.
 */
public final class PubSubConnection implements AutoCloseable {

    private final Supplier<CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>>> connector;
    private final Duration pause;
    private final Consumer<StatefulRedisPubSubConnection<byte[], byte[]>> user;

    // guarded by this
    private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private boolean begun;
    private boolean closed;

    /**
     * @param connector opens a connection, which is closed with this object
     * @param pause between two attempts
     * @param user gets the open connection, once
     */
    public PubSubConnection(
            Supplier<CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>>> connector,
            Duration pause,
            Consumer<StatefulRedisPubSubConnection<byte[], byte[]>> user) {
        this.connector = connector;
        this.pause = pause;
        this.user = user;
    }

    /** Begins to connect; does nothing if that was begun before, or if this is closed. */
    public void open() {
        synchronized (this) {
            if (begun || closed) {
                return;
            }
            begun = true;
        }
        connect();
    }

    private void connect() {
        CompletableFuture.completedStage(null)
                .thenCompose(nothing -> connector.get())
                .whenComplete((opened, failure) -> {
                    if (failure == null) {
                        use(opened);
                    } else {
                        connectLater();
                    }
                });
    }

    private void connectLater() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::connect);
    }

    private void use(StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        synchronized (this) {
            if (closed) {
                opened.closeAsync();
                return;
            }
            connection = opened;
        }
        user.accept(opened);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (connection != null) {
            connection.closeAsync();
        }
    }
}
