package io.millrace.eventing.http.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.Event;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class NextChangeTest {

    private static Event event(String id) {
        return new Event(
                Event.Kind.APPENDED,
                new Event.Key("_default", "_default", id, 0),
                new Event.Version(1, 0, 0),
                Event.Content.none());
    }

    @Test
    void changeWithoutAnEvent_doesNotHideTheEventAfterIt() {
        Optional<Event> first = NextChange.first(
                        List.of("unfolded", "appended", "later").iterator(),
                        name -> CompletableFuture.completedFuture(
                                name.equals("unfolded") ? Optional.empty() : Optional.of(event(name))))
                .join();

        assertThat(first).map(Event::id).contains("appended");
    }

    @Test
    void changesWithoutEvents_haveNone() {
        assertThat(NextChange.first(
                                List.of("unfolded").iterator(),
                                name -> CompletableFuture.completedFuture(Optional.empty()))
                        .join())
                .isEmpty();
    }
}
