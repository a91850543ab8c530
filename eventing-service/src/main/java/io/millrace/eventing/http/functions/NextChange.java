package io.millrace.eventing.http.functions;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Mutation;
import io.millrace.eventing.runtime.EventStreams;
import io.millrace.eventing.runtime.Events;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.streams.store.StreamName;
import io.millrace.workerprotocol.Event;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The next change or event that a function would handle, as soon as its source has one. */
final class NextChange implements AutoCloseable {

    private static final int PAGE = 100;

    private final FunctionSpec spec;
    private final List<ChangeFeed> feeds = new ArrayList<>();
    private final CompletableFuture<Event> found = new CompletableFuture<>();
    private final @Nullable EventStreams streams;

    private NextChange(FunctionSpec spec, DocumentStore documents) {
        this.spec = spec;
        this.streams = spec.source().ofEvents() ? EventStreams.of(spec, documents) : null;
    }

    /** Begins to wait for a change that is newer than all that there are now. Blocks until it does. */
    static NextChange of(FunctionSpec spec, DocumentStore documents) throws Exception {
        DocumentStore store = spec.source().ofEvents() ? EventStreams.documents(documents) : documents;
        BucketInfo source = DryRunDocuments.source(spec, store);
        NextChange next = new NextChange(spec, documents);
        for (int shard = 0; shard < source.shards(); shard++) {
            long since = get(store.highSeqno(source.name(), shard));
            next.feeds.add(store.changes(source.name(), shard, since, vbucket -> true));
        }
        next.feeds.forEach(next::follow);
        return next;
    }

    private void follow(ChangeFeed feed) {
        feed.next(PAGE).whenComplete((mutations, failure) -> {
            if (failure != null) {
                found.completeExceptionally(failure);
                return;
            }
            firstOf(mutations.stream().map(Mutation::document).toList()).whenComplete((event, unread) -> {
                if (unread != null) {
                    found.completeExceptionally(unread);
                } else if (event.isPresent()) {
                    found.complete(event.get());
                } else if (!found.isDone()) {
                    follow(feed);
                }
            });
        });
    }

    private CompletableFuture<Optional<Event>> firstOf(List<Document> changed) {
        EventStreams read = streams;
        if (read == null) {
            return CompletableFuture.completedFuture(changed.stream()
                    .filter(document -> DryRunDocuments.handled(spec, document))
                    .findFirst()
                    .map(Events::of));
        }
        return first(
                changed.stream()
                        .filter(document -> EventStreams.inSource(document, spec))
                        .iterator(),
                stream -> appended(read, stream));
    }

    /** Completes with the first event that there is of a few changes: one need not append any, such as one of unfolds only. */
    static <T> CompletableFuture<Optional<Event>> first(
            Iterator<T> changes, Function<T, CompletableFuture<Optional<Event>>> event) {
        return changes.hasNext()
                ? event.apply(changes.next())
                        .thenCompose(found ->
                                found.isPresent() ? CompletableFuture.completedFuture(found) : first(changes, event))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    /** Completes with the first event of a change of a stream, or with nothing if it appended none. */
    private static CompletableFuture<Optional<Event>> appended(EventStreams streams, Document changed) {
        StreamName stream = StreamName.parse(changed.key().id());
        return streams.newest(stream, 1)
                .thenApply(events -> events.stream()
                        .filter(event -> event.seqno() >= changed.seqno())
                        .findFirst()
                        .map(event -> streams.event(stream, event)));
    }

    /** Completes with it; is cancelled by {@link #close}. */
    CompletableFuture<Event> found() {
        return found;
    }

    /** Ends the waiting. May be repeated. */
    @Override
    public void close() {
        found.cancel(false);
        feeds.forEach(ChangeFeed::close);
    }
}
