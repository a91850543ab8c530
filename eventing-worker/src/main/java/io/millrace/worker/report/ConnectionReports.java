package io.millrace.worker.report;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reports when the connection to Redis is lost and when there is one again: one line for each change, not for each attempt. Of a
 * cluster, the first connection that is lost and the first that comes back count.
 */
public final class ConnectionReports implements RedisConnectionStateListener, AutoCloseable {

    private final String address;
    private final LongSupplier nanos;
    private final Consumer<String> report;

    // guarded by this
    private boolean away;
    private boolean closed;
    private long since;

    /** @param address of Redis, without credentials */
    public ConnectionReports(String address, LongSupplier nanos, Consumer<String> report) {
        this.address = address;
        this.nanos = nanos;
        this.report = report;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        lost();
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {
        connected();
    }

    synchronized void lost() {
        if (!away && !closed) {
            away = true;
            since = nanos.getAsLong();
            report.accept("event=redis_lost address=%s action=reconnect".formatted(address));
        }
    }

    synchronized void connected() {
        if (away && !closed) {
            away = false;
            report.accept("event=redis_back address=%s away_ms=%d"
                    .formatted(address, TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - since)));
        }
    }

    /** What is closed on purpose is not lost. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
