package io.millrace.streams;

import io.millrace.streams.codec.Codec;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A category of streams: how their events are encoded, how states are built from them, how they are loaded and cached.
 * Immutable and thread-safe; create one per program and category.
 *
 * {@snippet :
 * var favorites = Category.<State, Event>of("Favorites", context, Codec.json(Event.class))
 *         .fold(State::none, State::evolve)
 *         .access(AccessStrategy.snapshot(Event.Compacted.class::isInstance, State::compacted))
 *         .caching(CachingStrategy.slidingWindow(cache, Duration.ofMinutes(20)));
 * Decider<State, Event> decider = favorites.decider(StreamId.of(clientId));
 * }
 */
public final class Category<S, E> {

    private final String name;
    private final StreamContext context;
    private final Codec<E> codec;
    private final Folding<S, E> folding;
    private final AccessStrategy<S, E> access;
    private final CachedStreams<S, E> streams;

    private Category(
            String name,
            StreamContext context,
            Codec<E> codec,
            Folding<S, E> folding,
            AccessStrategy<S, E> access,
            CachingStrategy caching) {
        this.name = name;
        this.context = context;
        this.codec = codec;
        this.folding = folding;
        this.access = access;
        this.streams = new CachedStreams<>(new CategoryStreams<>(new Trips(context), codec, folding, access), caching);
    }

    /** A category that still needs its fold. */
    public static final class Unfolded<S, E> {
        private final String name;
        private final StreamContext context;
        private final Codec<E> codec;

        private Unfolded(String name, StreamContext context, Codec<E> codec) {
            this.name = name;
            this.context = context;
            this.codec = codec;
        }

        /** Builds states event by event. */
        public Category<S, E> fold(Supplier<S> initial, BiFunction<S, E, S> evolve) {
            return category(Folding.evolving(initial, evolve));
        }

        /** Builds states from many events at once. */
        public Category<S, E> foldAll(Supplier<S> initial, BiFunction<S, List<E>, S> fold) {
            return category(new Folding<>(initial, fold));
        }

        private Category<S, E> category(Folding<S, E> folding) {
            return new Category<>(name, context, codec, folding, AccessStrategy.unoptimized(), CachingStrategy.none());
        }
    }

    /** Starts to define a category; the name must not be empty and must not contain a hyphen. */
    public static <S, E> Unfolded<S, E> of(String name, StreamContext context, Codec<E> codec) {
        return new Unfolded<>(name, context, codec);
    }

    /** Returns this category with an access strategy; without one it is unoptimized. */
    public Category<S, E> access(AccessStrategy<S, E> strategy) {
        return new Category<>(name, context, codec, folding, strategy, CachingStrategy.none());
    }

    /**
     * Returns this category with a caching strategy; by default, states are not cached. Call it after {@link #access}.
     */
    public Category<S, E> caching(CachingStrategy caching) {
        return new Category<>(name, context, codec, folding, access, caching);
    }

    /** Returns the decider of one stream. Cheap. */
    public Decider<S, E> decider(StreamId id) {
        return new Decider<>(streams, StreamName.create(name, id));
    }
}
