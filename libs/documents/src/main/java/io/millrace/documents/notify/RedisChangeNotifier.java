package io.millrace.documents.notify;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.millrace.documents.Limits;
import io.millrace.redis.Bytes;
import io.millrace.redis.PubSubConnection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Notifications over Redis: one subscription per JVM to one channel, fanned out in memory. Connects at the first
 * {@link #subscribe} and tries again once a second until it succeeds; Lettuce keeps the subscription over reconnects. Whenever
 * Redis has confirmed it, everything is notified: what was published before is lost.
 */
public final class RedisChangeNotifier implements ChangeNotifier, AutoCloseable {

    /** The channel of all notifications; a message is {@code <topic>:<detail>}. */
    private static final byte[] CHANNEL = Bytes.bytes("mr:bell");

    private final Map<String, Set<Runnable>> listeners = new ConcurrentHashMap<>();
    private final PubSubConnection connection;

    /** Subscribes on the connection that the supplier opens; it is closed with this object. */
    public RedisChangeNotifier(Supplier<CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>>> connector) {
        connection = new PubSubConnection(connector, Limits.SLOW_POLL, this::subscribeOn);
    }

    @Override
    public Subscription subscribe(String topic, Runnable callback) {
        Runnable own = callback::run; // a new object, so that the same callback can be subscribed twice
        listeners.compute(topic, (name, set) -> {
            Set<Runnable> all = set == null ? ConcurrentHashMap.newKeySet() : set;
            all.add(own);
            return all;
        });
        connection.open();
        return () -> listeners.computeIfPresent(topic, (name, set) -> {
            set.remove(own);
            return set.isEmpty() ? null : set;
        });
    }

    private void subscribeOn(StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        opened.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] channel, byte[] message) {
                dispatch(Bytes.text(message));
            }

            @Override
            public void subscribed(byte[] channel, long count) {
                listeners.values().forEach(topic -> topic.forEach(Runnable::run));
            }
        });
        opened.async().subscribe(CHANNEL);
    }

    private void dispatch(String message) {
        String topic = message.substring(0, Math.max(0, message.lastIndexOf(':')));
        listeners.getOrDefault(topic, Set.of()).forEach(Runnable::run);
    }

    @Override
    public void close() {
        connection.close();
    }
}
