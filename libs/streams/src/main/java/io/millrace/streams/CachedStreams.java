package io.millrace.streams;

import io.millrace.streams.CategoryStreams.Outcome;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The streams of one category, read through their cache if they have one. */
final class CachedStreams<S, E> {

    private record Keeping(StreamCache cache, Duration time, boolean slides, String prefix) {}

    private final CategoryStreams<S, E> streams;
    private final @Nullable Keeping keeping;

    CachedStreams(CategoryStreams<S, E> streams, CachingStrategy caching) {
        this.streams = streams;
        this.keeping = switch (caching) {
            case CachingStrategy.NoCaching none -> null;
            case CachingStrategy.SlidingWindow(StreamCache cache, Duration window, String prefix) ->
                new Keeping(cache, window, true, prefix);
            case CachingStrategy.FixedTimeSpan(StreamCache cache, Duration period) ->
                new Keeping(cache, period, false, "");
        };
    }

    CompletableFuture<Loaded<S>> load(StreamName stream, LoadOption<S> option) {
        return switch (option) {
            case LoadOption.RequireLoad<S> load -> load(stream);
            case LoadOption.RequireLeader<S> load -> load(stream);
            case LoadOption.AnyCachedValue<S> any ->
                cached(stream).map(CompletableFuture::completedFuture).orElseGet(() -> load(stream));
            case LoadOption.AllowStale<S>(Duration maxAge) ->
                keeping == null
                        ? load(stream)
                        : keeping.cache.findOrShare(key(keeping, stream), maxAge, () -> load(stream));
            case LoadOption.AssumeEmpty<S> assumed -> CompletableFuture.completedFuture(streams.empty());
            case LoadOption.FromMemento<S>(Token token, S state) ->
                CompletableFuture.completedFuture(new Loaded<>(token, state));
        };
    }

    private CompletableFuture<Loaded<S>> load(StreamName stream) {
        Instant began = now();
        return cached(stream)
                .map(known -> streams.reload(stream, known))
                .orElseGet(() -> streams.load(stream))
                .thenApply(loaded -> keep(stream, loaded, began));
    }

    CompletableFuture<Outcome<S>> sync(StreamName stream, Loaded<S> at, List<E> events) {
        Instant began = now();
        return streams.sync(stream, at, events).thenApply(outcome -> switch (outcome) {
            case Outcome.Written<S>(Loaded<S> loaded) -> new Outcome.Written<>(keep(stream, loaded, began));
            case Outcome.Conflict<S>(var resync) ->
                new Outcome.Conflict<>(() -> resync.get().thenApply(loaded -> keep(stream, loaded, began)));
        });
    }

    private Optional<Loaded<S>> cached(StreamName stream) {
        return keeping == null
                ? Optional.empty()
                : keeping.cache.find(key(keeping, stream), keeping.slides ? keeping.time : null);
    }

    private Loaded<S> keep(StreamName stream, Loaded<S> loaded, Instant began) {
        if (keeping != null) {
            keeping.cache.put(key(keeping, stream), loaded, began, keeping.time, keeping.slides);
        }
        return loaded;
    }

    private Instant now() {
        return keeping == null ? Instant.EPOCH : keeping.cache.now();
    }

    private static String key(Keeping keeping, StreamName stream) {
        return keeping.prefix + stream;
    }
}
