package io.millrace.streams;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** How a category reads its state back, and what it writes besides its events for that. */
public sealed interface AccessStrategy<S, E> {

    /** All events are read; no unfolds are written. */
    record Unoptimized<S, E>() implements AccessStrategy<S, E> {}

    /** Each event holds everything; the newest is written as an unfold as well. */
    record LatestKnownEvent<S, E>() implements AccessStrategy<S, E> {}

    /**
     * Unfolds hold the state.
     *
     * @param isOrigin tells an event from which the state can be built without those before it
     * @param toSnapshots makes the unfolds
     */
    record MultiSnapshot<S, E>(Predicate<E> isOrigin, Function<S, List<E>> toSnapshots)
            implements AccessStrategy<S, E> {}

    /** Only the state is kept, as an unfold; events are decided, but not written. Conflicts are found by etag. */
    record RollingState<S, E>(Function<S, E> toSnapshot) implements AccessStrategy<S, E> {}

    /**
     * Anything. Conflicts are found by etag.
     *
     * @param isOrigin tells an event from which the state can be built without those before it
     * @param transmute makes of the decided events and the state that they lead to what is written
     */
    record Custom<S, E>(Predicate<E> isOrigin, BiFunction<List<E>, S, Transmuted<E>> transmute)
            implements AccessStrategy<S, E> {}

    static <S, E> AccessStrategy<S, E> unoptimized() {
        return new Unoptimized<>();
    }

    static <S, E> AccessStrategy<S, E> latestKnownEvent() {
        return new LatestKnownEvent<>();
    }

    /** One unfold holds the state. */
    static <S, E> AccessStrategy<S, E> snapshot(Predicate<E> isOrigin, Function<S, E> toSnapshot) {
        return new MultiSnapshot<>(isOrigin, state -> List.of(toSnapshot.apply(state)));
    }

    static <S, E> AccessStrategy<S, E> multiSnapshot(Predicate<E> isOrigin, Function<S, List<E>> toSnapshots) {
        return new MultiSnapshot<>(isOrigin, toSnapshots);
    }

    static <S, E> AccessStrategy<S, E> rollingState(Function<S, E> toSnapshot) {
        return new RollingState<>(toSnapshot);
    }

    static <S, E> AccessStrategy<S, E> custom(Predicate<E> isOrigin, BiFunction<List<E>, S, Transmuted<E>> transmute) {
        return new Custom<>(isOrigin, transmute);
    }

    /** Returns whether the tip may hold all that is needed. */
    default boolean readsTip() {
        return !(this instanceof Unoptimized);
    }

    /** Returns whether a sync expects an etag; otherwise a version. */
    default boolean expectsEtag() {
        return this instanceof RollingState || this instanceof Custom;
    }

    /** Returns whether a state can be built from an event without those before it. */
    default boolean isOrigin(E event) {
        return switch (this) {
            case Unoptimized<S, E> all -> false;
            case LatestKnownEvent<S, E> latest -> true;
            case MultiSnapshot<S, E> snapshots -> snapshots.isOrigin.test(event);
            case RollingState<S, E> rolling -> true;
            case Custom<S, E> custom -> custom.isOrigin.test(event);
        };
    }

    /** Returns what is to be written for events, which are not empty, and the state that they lead to. */
    default Transmuted<E> transmute(List<E> events, S state) {
        return switch (this) {
            case Unoptimized<S, E> all -> new Transmuted<>(events, List.of());
            case LatestKnownEvent<S, E> latest -> new Transmuted<>(events, List.of(events.getLast()));
            case MultiSnapshot<S, E> snapshots -> new Transmuted<>(events, snapshots.toSnapshots.apply(state));
            case RollingState<S, E> rolling -> new Transmuted<>(List.of(), List.of(rolling.toSnapshot.apply(state)));
            case Custom<S, E> custom -> custom.transmute.apply(events, state);
        };
    }
}
