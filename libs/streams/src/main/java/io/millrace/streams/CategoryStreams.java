package io.millrace.streams;

import io.millrace.streams.AccessStrategy.Transmuted;
import io.millrace.streams.codec.Codec;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Loads and syncs states of the streams of one category, without a cache. */
final class CategoryStreams<S, E> {

    /** How a sync ended. */
    sealed interface Outcome<S> {

        record Written<S>(Loaded<S> loaded) implements Outcome<S> {}

        /** Another writer came first; {@code resync} makes no trip when the answer already had the events. */
        record Conflict<S>(Supplier<CompletableFuture<Loaded<S>>> resync) implements Outcome<S> {}
    }

    private final Trips trips;
    private final Codec<E> codec;
    private final Folding<S, E> folding;
    private final AccessStrategy<S, E> access;

    CategoryStreams(Trips trips, Codec<E> codec, Folding<S, E> folding, AccessStrategy<S, E> access) {
        this.trips = trips;
        this.codec = codec;
        this.folding = folding;
        this.access = access;
    }

    Loaded<S> empty() {
        return new Loaded<>(Token.EMPTY, folding.initial().get());
    }

    CompletableFuture<Loaded<S>> load(StreamName stream) {
        if (!access.readsTip()) {
            return new BackwardWalk<>(trips, codec, access, stream, 0)
                    .walk(PageRequest.END)
                    .thenApply(found -> new Loaded<>(found.token(), folding.of(found.events())));
        }
        return trips.tip(stream, 0).thenCompose(result -> switch (result) {
            case TipResult.Found(Tip tip) -> fromTip(stream, tip);
            default -> CompletableFuture.completedFuture(empty());
        });
    }

    /** Brings a state up to date. */
    CompletableFuture<Loaded<S>> reload(StreamName stream, Loaded<S> known) {
        return trips.tip(stream, known.token().etag()).thenCompose(result -> switch (result) {
            case TipResult.NotModified same -> CompletableFuture.completedFuture(known);
            case TipResult.NotFound gone -> CompletableFuture.completedFuture(empty());
            case TipResult.Found(Tip tip) ->
                tip.version() < known.token().version() ? fromTip(stream, tip) : since(stream, known, tip);
        });
    }

    private CompletableFuture<Loaded<S>> fromTip(StreamName stream, Tip tip) {
        Token token = new Token(tip.version(), tip.etag());
        Optional<List<E>> origin = fromOrigin(tip.timeline());
        if (origin.isPresent() || tip.index() == 0) {
            List<E> events = origin.orElseGet(() -> decode(tip.events()));
            return CompletableFuture.completedFuture(new Loaded<>(token, folding.of(events)));
        }
        return new BackwardWalk<>(trips, codec, access, stream, 0)
                .walk(tip.index())
                .thenApply(found -> {
                    List<E> events = new ArrayList<>(found.events());
                    events.addAll(decode(tip.events()));
                    return new Loaded<>(token, folding.of(events));
                });
    }

    private CompletableFuture<Loaded<S>> since(StreamName stream, Loaded<S> known, Tip tip) {
        Token token = new Token(tip.version(), tip.etag());
        Optional<List<E>> origin = access.readsTip() ? fromOrigin(tip.timeline()) : Optional.empty();
        if (origin.isPresent()) {
            return CompletableFuture.completedFuture(new Loaded<>(token, folding.of(origin.get())));
        }
        long from = known.token().version();
        if (tip.index() <= from) {
            return CompletableFuture.completedFuture(new Loaded<>(token, later(known.state(), tip.events(), from)));
        }
        return new BackwardWalk<>(trips, codec, access, stream, from)
                .walk(tip.index())
                .thenApply(found -> {
                    S before = found.fromOrigin()
                            ? folding.of(found.events())
                            : folding.fold().apply(known.state(), found.events());
                    return new Loaded<>(token, folding.fold().apply(before, decode(tip.events())));
                });
    }

    private S later(S state, List<TimelineEvent> events, long from) {
        List<TimelineEvent> later =
                events.stream().filter(event -> event.index() >= from).toList();
        return folding.fold().apply(state, decode(later));
    }

    /** Returns the events from the newest origin on, if there is one. */
    private Optional<List<E>> fromOrigin(List<TimelineEvent> timeline) {
        for (int k = timeline.size() - 1; k >= 0; k--) {
            Optional<E> event = codec.decode(timeline.get(k).event());
            if (event.isPresent() && access.isOrigin(event.get())) {
                List<E> events = new ArrayList<>();
                events.add(event.get());
                events.addAll(decode(timeline.subList(k + 1, timeline.size()).stream()
                        .filter(later -> !later.unfold())
                        .toList()));
                return Optional.of(events);
            }
        }
        return Optional.empty();
    }

    private List<E> decode(List<TimelineEvent> events) {
        return events.stream()
                .flatMap(event -> codec.decode(event.event()).stream())
                .toList();
    }

    /** Writes the events that were decided from a state. */
    CompletableFuture<Outcome<S>> sync(StreamName stream, Loaded<S> at, List<E> events) {
        S state = folding.fold().apply(at.state(), events);
        Transmuted<E> write = access.transmute(events, state);
        Expected expected = access.expectsEtag()
                ? Expected.etag(at.token().etag())
                : Expected.version(at.token().version());
        List<EncodedEvent> encoded = write.events().stream().map(codec::encode).toList();
        List<EncodedEvent> unfolds = write.unfolds().stream().map(codec::encode).toList();
        return trips.sync(stream, expected, encoded, unfolds).thenApply(result -> switch (result) {
            case SyncResult.Written done ->
                new Outcome.Written<>(new Loaded<>(new Token(done.version(), done.etag()), state));
            case SyncResult.Conflict conflict -> new Outcome.Conflict<>(() -> resync(stream, at, conflict));
        });
    }

    private CompletableFuture<Loaded<S>> resync(StreamName stream, Loaded<S> at, SyncResult.Conflict conflict) {
        if (conflict.etag() == 0) {
            return CompletableFuture.completedFuture(empty());
        }
        Token token = new Token(conflict.version(), conflict.etag());
        long from = at.token().version();
        List<TimelineEvent> timeline = new ArrayList<>(conflict.events());
        if (access.readsTip()) {
            timeline.addAll(conflict.unfolds());
            timeline.sort(TimelineEvent.ORDER);
        }
        Optional<List<E>> origin = access.readsTip() ? fromOrigin(timeline) : Optional.empty();
        if (origin.isPresent()) {
            return CompletableFuture.completedFuture(new Loaded<>(token, folding.of(origin.get())));
        }
        boolean contiguous = !access.expectsEtag() && conflict.tipIndex() <= from && from <= conflict.version();
        return contiguous
                ? CompletableFuture.completedFuture(new Loaded<>(token, later(at.state(), conflict.events(), from)))
                : reload(stream, at);
    }
}
