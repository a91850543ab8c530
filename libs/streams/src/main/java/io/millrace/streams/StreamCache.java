package io.millrace.streams;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * States of streams in memory; the least recently used are evicted first. Thread-safe. One cache may serve several
 * categories; {@link CachingStrategy} says how long a state stays.
 */
public final class StreamCache {

    /** A state, or the load that is going to provide it. */
    private record Kept(
            @Nullable Loaded<?> loaded,
            Instant checked,
            Instant expires,
            @Nullable Pending pending) {}

    private record Pending(CompletableFuture<? extends Loaded<?>> answer, Instant begun) {}

    private final Map<String, Kept> entries;
    private final InstantSource clock;

    /** Creates a cache of at most this many states. */
    public StreamCache(int maxStates, InstantSource clock) {
        this.clock = clock;
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
                return size() > maxStates;
            }
        };
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns a cached state; {@code prolong} extends how long it is kept, null does not. */
    synchronized <S> Optional<Loaded<S>> find(String key, @Nullable Duration prolong) {
        Kept entry = entries.get(key);
        if (entry == null || entry.loaded == null) {
            return Optional.empty();
        }
        if (!entry.expires.isAfter(now())) {
            entries.remove(key);
            return Optional.empty();
        }
        if (prolong != null) {
            entries.put(key, new Kept(entry.loaded, entry.checked, now().plus(prolong), entry.pending));
        }
        return Optional.of(cast(entry.loaded));
    }

    /**
     * Returns a state that was checked at most this long ago, or the result of a load that began within that time;
     * otherwise starts a load.
     */
    <S> CompletableFuture<Loaded<S>> findOrShare(
            String key, Duration maxAge, Supplier<CompletableFuture<Loaded<S>>> load) {
        CompletableFuture<Loaded<S>> own = new CompletableFuture<>();
        synchronized (this) {
            Instant oldest = now().minus(maxAge);
            Kept entry = entries.get(key);
            if (entry != null
                    && entry.loaded != null
                    && !entry.checked.isBefore(oldest)
                    && entry.expires.isAfter(now())) {
                return CompletableFuture.completedFuture(cast(entry.loaded));
            }
            if (entry != null && entry.pending != null && !entry.pending.begun.isBefore(oldest)) {
                return cast(entry.pending.answer);
            }
            Pending pending = new Pending(own, now());
            entries.put(
                    key,
                    entry == null
                            ? new Kept(null, Instant.MIN, Instant.MIN, pending)
                            : new Kept(entry.loaded, entry.checked, entry.expires, pending));
        }
        load.get().whenComplete((loaded, failure) -> {
            forgetPending(key, own);
            if (failure == null) {
                own.complete(loaded);
            } else {
                own.completeExceptionally(failure);
            }
        });
        return own;
    }

    private synchronized void forgetPending(String key, CompletableFuture<?> own) {
        Kept entry = entries.get(key);
        if (entry != null && entry.pending != null && entry.pending.answer == own) {
            entries.put(key, new Kept(entry.loaded, entry.checked, entry.expires, null));
        }
    }

    /**
     * Caches a state that was current at a time, unless the cache has a newer one.
     *
     * @param moves whether the time that it is kept starts again if it is in the cache already
     */
    synchronized void put(String key, Loaded<?> loaded, Instant checked, Duration keep, boolean moves) {
        Kept entry = entries.get(key);
        Instant expires = now().plus(keep);
        if (entry == null || entry.loaded == null || !entry.expires.isAfter(now())) {
            entries.put(key, new Kept(loaded, checked, expires, entry == null ? null : entry.pending));
        } else if (loaded.token().equals(entry.loaded.token())) {
            Instant newest = checked.isAfter(entry.checked) ? checked : entry.checked;
            entries.put(key, new Kept(entry.loaded, newest, moves ? expires : entry.expires, entry.pending));
        } else if (!entry.loaded.token().makesStale(loaded.token())) {
            entries.put(key, new Kept(loaded, checked, expires, entry.pending));
        }
    }

    @SuppressWarnings("unchecked") // a key belongs to one category, and its states have one type
    private static <S> Loaded<S> cast(Loaded<?> loaded) {
        return (Loaded<S>) loaded;
    }

    @SuppressWarnings("unchecked")
    private static <S> CompletableFuture<Loaded<S>> cast(CompletableFuture<? extends Loaded<?>> answer) {
        return (CompletableFuture<Loaded<S>>) answer;
    }
}
