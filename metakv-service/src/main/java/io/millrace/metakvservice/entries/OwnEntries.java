package io.millrace.metakvservice.entries;

import io.millrace.documents.TransactionId;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntries;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.WatchState;
import io.millrace.metakvservice.entries.Entries.Author;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The entries as this process itself uses them, without HTTP. Histories hide the values that it sets. */
@Component
public final class OwnEntries implements MetakvEntries {

    private static final String NAME = "metakv-service";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Entries entries;
    private final Mirror mirror;

    OwnEntries(Entries entries, Mirror mirror) {
        this.entries = entries;
        this.mirror = mirror;
    }

    private static Author author() {
        return new Author(NAME, true, TransactionId.random());
    }

    @Override
    public Mono<MetakvEntry> get(String path) {
        return entries.get(path);
    }

    @Override
    public Mono<String> set(String path, byte[] value) {
        return Mono.defer(() -> entries.set(path, value, author()))
                .ofType(WriteOutcome.Written.class)
                .map(WriteOutcome.Written::rev);
    }

    @Override
    public Mono<WriteOutcome> set(String path, byte[] value, String rev) {
        return Mono.defer(() -> entries.setAtRev(path, value, rev, author()));
    }

    @Override
    public Mono<WriteOutcome> add(String path, byte[] value) {
        return Mono.defer(() -> entries.add(path, value, author()));
    }

    @Override
    public Mono<Void> delete(String path) {
        return Mono.defer(() -> entries.delete(path, author())).then();
    }

    @Override
    public Flux<MetakvEvent> watch(String directory) {
        return Flux.defer(() -> {
            var state = new WatchState();
            return mirror.reached(0)
                    .thenMany(mirror.watch(directory, null))
                    .concatMapIterable(event -> accept(state, event))
                    .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE)
                            .maxBackoff(LONGEST_PAUSE)
                            .transientErrors(true));
        });
    }

    private static List<MetakvEvent> accept(WatchState state, WatchEvent event) {
        return switch (event) {
            case WatchEvent.Reset() -> {
                state.reset();
                yield List.of();
            }
            case WatchEvent.Entry(String path, MetakvEntry entry, Cursor next) ->
                entry == null ? state.deleted(path) : state.changed(entry);
            case WatchEvent.Ready(Cursor next) -> state.ready();
        };
    }
}
