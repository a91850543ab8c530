package io.millrace.worker.cloudevents;

import io.millrace.worker.WorkerLimits;
import io.millrace.worker.curl.Poster;
import io.millrace.worker.messages.Message;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of all threads of a worker to one URL, as CloudEvents. Those with the same key are sent one after the other, in
 * the order in which they come; up to {@link WorkerLimits#EVENT_REQUESTS} are on their way at a time. Thread-safe; no call but {@link
 * #close} blocks.
 */
public final class EventSink {

    /** Headers that a message cannot have, because the request has its own. */
    private static final Set<String> OWN_HEADERS = Set.of(
            "accept-encoding",
            "authorization",
            "connection",
            "content-length",
            "content-type",
            "host",
            "transfer-encoding");

    private static final String SIGNATURE_HEADERS = "webhook-";

    private final Poster poster;
    private final Delivery delivery;
    private final Lane[] lanes;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * What all events have in common.
     *
     * @param source who publishes them, a URI reference
     * @param type what kind of events they are
     * @param signingSecret {@code whsec_} and the Base64 of a key; empty for requests without a signature
     * @param patience how long after it was handed in a message is sent again that was not accepted
     */
    public record Settings(String source, String type, String signingSecret, Duration patience) {

        /** Leaves out the secret. */
        @Override
        public String toString() {
            return "Settings[source=%s, type=%s, patience=%s]".formatted(source, type, patience);
        }
    }

    public EventSink(Poster poster, Settings settings) {
        this.poster = poster;
        Signature signature = settings.signingSecret().isEmpty() ? null : new Signature(settings.signingSecret());
        delivery = new Delivery(poster, settings, signature);
        lanes = Stream.generate(() -> new Lane(delivery))
                .limit(WorkerLimits.EVENT_REQUESTS)
                .toArray(Lane[]::new);
    }

    /** Returns the name of a header that messages for such a sink cannot have, if there is one. */
    public static Optional<String> refusedHeader(Message message) {
        return message.headers().keySet().stream()
                .filter(name -> OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))
                        || name.toLowerCase(Locale.ROOT).startsWith(SIGNATURE_HEADERS))
                .findFirst();
    }

    /**
     * Completes when the server has accepted the event; fails with a {@link io.millrace.documents.DocumentsException} when it was
     * given up.
     *
     * @param trace the value of the header {@code traceparent}; null for none
     */
    public CompletableFuture<Void> send(Message message, @Nullable String trace) {
        String key = message.key();
        int lane = key == null ? next.getAndIncrement() : key.hashCode();
        return lanes[Math.floorMod(lane, lanes.length)].send(message, trace);
    }

    /** Ends the connections; what is on its way fails. */
    public void close() {
        delivery.end();
        for (Lane lane : lanes) {
            lane.close();
        }
        poster.close();
    }
}
