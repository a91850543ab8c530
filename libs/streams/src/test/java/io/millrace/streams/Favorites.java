package io.millrace.streams;

import io.millrace.streams.Favorites.Event.Added;
import io.millrace.streams.Favorites.Event.Compacted;
import io.millrace.streams.Favorites.Event.Removed;
import io.millrace.streams.codec.Codec;
import io.millrace.streams.store.StreamId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client's favorite items: a whole aggregate in one file. */
final class Favorites {

    record Item(int id, String name, Instant added) {}

    sealed interface Event {
        record Added(Item item) implements Event {}

        record Removed(int id) implements Event {}

        record Compacted(List<Item> items) implements Event {}
    }

    record State(List<Item> items) {
        static final State NONE = new State(List.of());

        boolean contains(int id) {
            return items.stream().anyMatch(item -> item.id == id);
        }

        State evolve(Event event) {
            List<Item> next = new ArrayList<>(items);
            switch (event) {
                case Compacted compacted -> next = compacted.items;
                case Added added -> next.addFirst(added.item);
                case Removed removed -> next.removeIf(item -> item.id == removed.id);
            }
            return new State(List.copyOf(next));
        }
    }

    sealed interface Command {
        record Add(Item item) implements Command {}

        record Remove(int id) implements Command {}
    }

    static List<Event> interpret(State state, Command command) {
        return switch (command) {
            case Command.Add(Item item) -> state.contains(item.id) ? List.of() : List.of(new Added(item));
            case Command.Remove(int id) -> state.contains(id) ? List.of(new Removed(id)) : List.of();
        };
    }

    private final Category<State, Event> category;

    Favorites(StreamContext context, CachingStrategy caching) {
        category = Category.<State, Event>of("Favorites", context, Codec.json(Event.class))
                .fold(() -> State.NONE, State::evolve)
                .access(AccessStrategy.snapshot(Compacted.class::isInstance, state -> new Compacted(state.items)))
                .caching(caching);
    }

    CompletableFuture<Void> execute(String client, Command command) {
        return category.decider(StreamId.of(client)).transact(state -> interpret(state, command));
    }

    CompletableFuture<List<Item>> list(String client) {
        return category.decider(StreamId.of(client)).query(State::items);
    }
}
