package io.millrace.streams;

import io.millrace.streams.codec.Codec;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads a stream backward to the newest origin, or to an index. Used for one walk. */
final class BackwardWalk<S, E> {

    /**
     * The result of a walk.
     *
     * @param token of the stream when its first page was read
     * @param events oldest first
     * @param fromOrigin whether the first of them is an origin
     */
    record Found<E>(Token token, List<E> events, boolean fromOrigin) {}

    private final Trips trips;
    private final Codec<E> codec;
    private final AccessStrategy<S, E> access;
    private final StreamName stream;
    private final long from;
    private final Deque<E> events = new ArrayDeque<>();
    private StreamStore store;
    private @Nullable Token token;
    private int requests;

    BackwardWalk(Trips trips, Codec<E> codec, AccessStrategy<S, E> access, StreamName stream, long from) {
        this.trips = trips;
        this.codec = codec;
        this.access = access;
        this.stream = stream;
        this.from = from;
        this.store = trips.context().store();
    }

    /** Reads the events before an index. */
    CompletableFuture<Found<E>> walk(long to) {
        StreamContext context = trips.context();
        if (++requests > context.maxRequests()) {
            return CompletableFuture.failedFuture(StreamsException.tooManyRequests(stream, context.maxRequests()));
        }
        PageRequest request = new PageRequest(PageRequest.Direction.BACKWARD, from, to, context.batchesPerPage());
        return trips.read(store, stream, request).thenCompose(this::take);
    }

    private CompletableFuture<Found<E>> take(Page page) {
        if (token == null) {
            token = new Token(page.version(), page.etag());
        }
        for (TimelineEvent event : page.events().reversed()) {
            Optional<E> decoded = codec.decode(event.event());
            decoded.ifPresent(events::addFirst);
            if (decoded.isPresent() && access.isOrigin(decoded.get())) {
                return done(true);
            }
        }
        if (page.start() <= from) {
            return done(false);
        }
        return page.start() > page.base() ? walk(page.start()) : pruned(page.start());
    }

    private CompletableFuture<Found<E>> pruned(long to) {
        StreamContext context = trips.context();
        StreamStore archive = context.archive();
        if (archive != null && archive != store) {
            store = archive;
            return walk(to);
        }
        return context.ignoreMissingEvents()
                ? done(false)
                : CompletableFuture.failedFuture(StreamsException.originNotFound(stream));
    }

    private CompletableFuture<Found<E>> done(boolean fromOrigin) {
        Token seen = token == null ? Token.EMPTY : token;
        return CompletableFuture.completedFuture(new Found<>(seen, List.copyOf(events), fromOrigin));
    }
}
