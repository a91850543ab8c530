package io.millrace.streams;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** How a category loads its state, and which unfolds it writes for that besides its events. */
public sealed interface AccessStrategy<S, E> {

    /** All events are read; no unfolds are written. */
    record Unoptimized<S, E>() implements AccessStrategy<S, E> {}

    /** Each event holds the whole state; the newest one is also written as an unfold. */
    record LatestKnownEvent<S, E>() implements AccessStrategy<S, E> {}

    /**
     * Unfolds hold the state.
     *
     * @param isOrigin whether the state can be built from this event without the ones before it
     * @param toSnapshots returns the unfolds of a state
     */
    record MultiSnapshot<S, E>(Predicate<E> isOrigin, Function<S, List<E>> toSnapshots)
            implements AccessStrategy<S, E> {}

    /** Only the state is stored, as an unfold; decided events are not written. Conflicts are detected by etag. */
    record RollingState<S, E>(Function<S, E> toSnapshot) implements AccessStrategy<S, E> {}

    /**
     * Anything else: the caller decides what is written. Conflicts are detected by etag.
     *
     * @param isOrigin whether the state can be built from this event without the ones before it
     * @param transmute returns what to write, from the decided events and the state after them
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

    /** Returns whether reading the tip may be enough to build the state. */
    default boolean readsTip() {
        return !(this instanceof Unoptimized);
    }

    /** Returns whether a sync compares the etag; otherwise it compares the version. */
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

    /** Returns what to write. {@code events} is not empty, {@code state} is the state after them. */
    default Transmuted<E> transmute(List<E> events, S state) {
        return switch (this) {
            case Unoptimized<S, E> all -> new Transmuted<>(events, List.of());
            case LatestKnownEvent<S, E> latest -> new Transmuted<>(events, List.of(events.getLast()));
            case MultiSnapshot<S, E> snapshots -> new Transmuted<>(events, snapshots.toSnapshots.apply(state));
            case RollingState<S, E> rolling -> new Transmuted<>(List.of(), List.of(rolling.toSnapshot.apply(state)));
            case Custom<S, E> custom -> custom.transmute.apply(events, state);
        };
    }

    /**
     * What is written for a decision.
     *
     * @param events to append
     * @param unfolds replace those of the stream
     */
    record Transmuted<E>(List<E> events, List<E> unfolds) {}
}
