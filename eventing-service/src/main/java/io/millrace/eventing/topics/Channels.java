package io.millrace.eventing.topics;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.millrace.redis.Bytes;
import io.millrace.redis.PubSubConnection;
import io.millrace.workerprotocol.TopicFormat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The channels of Redis that are topics. A message that is published while no connection listens is lost, and Redis does not say
 * how many were. One connection listens for all; it is opened at the first {@link #listen}, and Lettuce subscribes again when it
 * was interrupted. Thread-safe; no call blocks.
 */
public final class Channels implements AutoCloseable {

    private static final Duration ASKED_AGAIN = Duration.ofSeconds(1);

    private final PubSubConnection connecting;

    // guarded by this
    private final Map<String, Channel> channels = new HashMap<>();
    private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;

    /** Hears a channel, on a thread that must not be blocked. */
    public interface Listener {

        /** Redis has confirmed the subscription: from now on messages come. Again after each interruption. */
        void listening();

        /** Redis has not confirmed the subscription; it is asked again. */
        void refused(String reason);

        void message(byte[] content);
    }

    /** Ends listening. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {

        @Override
        void close();
    }

    private static final class Channel {

        private final Set<Listener> listeners = new CopyOnWriteArraySet<>();
        private boolean confirmed;
    }

    /** Listens on the connection that the supplier opens; it is closed with this object. */
    public Channels(Supplier<CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>>> connector) {
        connecting = new PubSubConnection(connector, ASKED_AGAIN, this::listenOn);
    }

    /** Lets a listener hear a topic from the next {@link Listener#listening} on. */
    public Subscription listen(String topic, Listener listener) {
        String place = TopicFormat.place(topic);
        boolean confirmed;
        synchronized (this) {
            Channel channel = channels.computeIfAbsent(place, name -> new Channel());
            if (channel.listeners.isEmpty() && connection != null) {
                subscribe(place);
            }
            channel.listeners.add(listener);
            confirmed = channel.confirmed;
        }
        if (confirmed) {
            listener.listening();
        }
        connecting.open();
        return () -> leave(place, listener);
    }

    private synchronized void leave(String place, Listener listener) {
        Channel channel = channels.get(place);
        if (channel == null || !channel.listeners.remove(listener) || !channel.listeners.isEmpty()) {
            return;
        }
        channels.remove(place);
        if (connection != null) {
            connection.async().unsubscribe(Bytes.bytes(place));
        }
    }

    private synchronized void listenOn(StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        connection = opened;
        opened.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] channel, byte[] message) {
                listeners(channel).forEach(listener -> listener.message(message));
            }

            @Override
            public void subscribed(byte[] channel, long count) {
                confirmed(channel).forEach(Listener::listening);
            }
        });
        channels.keySet().forEach(this::subscribe);
    }

    /** Redis may refuse it, for instance to a user whose rights do not name the channel. */
    private synchronized void subscribe(String place) {
        if (connection == null || !channels.containsKey(place)) {
            return;
        }
        connection.async().subscribe(Bytes.bytes(place)).whenComplete((done, failure) -> {
            if (failure != null) {
                String reason = String.valueOf(failure.getMessage());
                listeners(Bytes.bytes(place)).forEach(listener -> listener.refused(reason));
                CompletableFuture.delayedExecutor(ASKED_AGAIN.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(() -> subscribe(place));
            }
        });
    }

    private synchronized Set<Listener> listeners(byte[] place) {
        Channel channel = channels.get(Bytes.text(place));
        return channel == null ? Set.of() : channel.listeners;
    }

    private synchronized List<Listener> confirmed(byte[] place) {
        Channel channel = channels.get(Bytes.text(place));
        if (channel == null) {
            return List.of();
        }
        channel.confirmed = true;
        return List.copyOf(channel.listeners);
    }

    @Override
    public synchronized void close() {
        channels.clear(); // none is subscribed to again
        connecting.close();
    }
}
