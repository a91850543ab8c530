package io.millrace.streams;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** How states are built from events. */
record Folding<S, E>(Supplier<S> initial, BiFunction<S, List<E>, S> fold) {

    static <S, E> Folding<S, E> evolving(Supplier<S> initial, BiFunction<S, E, S> evolve) {
        return new Folding<>(initial, (state, events) -> {
            S next = state;
            for (E event : events) {
                next = evolve.apply(next, event);
            }
            return next;
        });
    }

    S of(List<E> events) {
        return fold.apply(initial.get(), events);
    }
}
