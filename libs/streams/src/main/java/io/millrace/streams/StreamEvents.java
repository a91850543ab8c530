package io.millrace.streams;

import io.millrace.documents.TransactionId;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Reads and appends encoded events without building states: for tools, copies and other programs. Thread-safe. */
public final class StreamEvents {

    private final StreamContext context;
    private final Trips trips;

    public StreamEvents(StreamContext context) {
        this.context = context;
        this.trips = new Trips(context);
    }

    /** Appends events if the stream has this version; its unfolds are dropped. */
    public CompletableFuture<AppendResult> append(StreamName stream, long version, List<EncodedEvent> events) {
        return append(stream, Expected.version(version), events, List.of(), TransactionId.random());
    }

    /** Appends events and replaces the unfolds; the transaction id makes it safe to repeat. */
    public CompletableFuture<AppendResult> append(
            StreamName stream,
            Expected expected,
            List<EncodedEvent> events,
            List<EncodedEvent> unfolds,
            TransactionId transaction) {
        try {
            return trips.sync(stream, expected, events, unfolds, transaction).thenApply(StreamEvents::result);
        } catch (StreamsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static AppendResult result(SyncResult result) {
        return switch (result) {
            case SyncResult.Written written -> new AppendResult.Appended(new Token(written.version(), written.etag()));
            case SyncResult.Conflict conflict -> {
                Token token = new Token(conflict.version(), conflict.etag());
                yield conflict.known()
                        ? new AppendResult.Conflict(token, conflict.events())
                        : new AppendResult.ConflictUnknown(token);
            }
        };
    }

    /** Appends events whatever version the stream has, and returns its version afterwards. */
    public CompletableFuture<Long> appendAtEnd(StreamName stream, List<EncodedEvent> events) {
        return append(stream, Expected.any(), events, List.of(), TransactionId.random())
                .thenApply(result -> result instanceof AppendResult.Appended(Token token) ? token.version() : 0L);
    }

    /** Returns the token of the stream; with {@code known}, an unchanged stream is not sent again. */
    public CompletableFuture<Token> position(StreamName stream, Token known) {
        return trips.tip(stream, known.etag()).thenApply(result -> switch (result) {
            case TipResult.NotModified same -> known;
            case TipResult.NotFound absent -> Token.EMPTY;
            case TipResult.Found(Tip tip) -> new Token(tip.version(), tip.etag());
        });
    }

    /** Returns the index that the next event will have. */
    public CompletableFuture<Long> nextIndex(StreamName stream) {
        return position(stream, Token.EMPTY).thenApply(Token::version);
    }

    /** Returns up to {@code max} events from an index on. Fails with {@code ORIGIN_NOT_FOUND} when some were pruned. */
    public CompletableFuture<List<TimelineEvent>> get(StreamName stream, long from, int max) {
        return forward(context.store(), stream, from, from + max, event -> true, new ArrayList<>());
    }

    /** Returns events from an index on up to the first that is not wanted; reads no more pages than that needs. */
    public CompletableFuture<List<TimelineEvent>> getWhile(
            StreamName stream, long from, Predicate<TimelineEvent> wanted) {
        return forward(context.store(), stream, from, PageRequest.END, wanted, new ArrayList<>());
    }

    private CompletableFuture<List<TimelineEvent>> forward(
            StreamStore store,
            StreamName stream,
            long from,
            long to,
            Predicate<TimelineEvent> wanted,
            List<TimelineEvent> taken) {
        PageRequest request = new PageRequest(PageRequest.Direction.FORWARD, from, to, context.batchesPerPage());
        return trips.read(store, stream, request).thenCompose(page -> {
            StreamStore archive = context.archive();
            if (page.base() > from && !context.ignoreMissingEvents()) {
                return archive != null && archive != store
                        ? forward(archive, stream, from, to, wanted, taken)
                        : CompletableFuture.failedFuture(StreamsException.originNotFound(stream));
            }
            boolean all = take(page.events(), wanted, taken);
            return all && page.end() < Math.min(page.version(), to)
                    ? forward(store, stream, page.end(), to, wanted, taken)
                    : CompletableFuture.completedFuture(List.copyOf(taken));
        });
    }

    /** Takes events up to the first that is not wanted; returns whether all were wanted. */
    private static boolean take(
            List<TimelineEvent> events, Predicate<TimelineEvent> wanted, List<TimelineEvent> taken) {
        for (TimelineEvent event : events) {
            if (!wanted.test(event)) {
                return false;
            }
            taken.add(event);
        }
        return true;
    }

    /** Returns up to {@code max} events from an index backward, newest first. */
    public CompletableFuture<List<TimelineEvent>> getBackwards(StreamName stream, long from, int max) {
        return backward(stream, Math.max(0, from - max + 1), after(from), event -> true, new ArrayList<>());
    }

    /** Returns events from an index backward, newest first, up to the first that is not wanted. */
    public CompletableFuture<List<TimelineEvent>> getBackwardsWhile(
            StreamName stream, long from, Predicate<TimelineEvent> wanted) {
        return backward(stream, 0, after(from), wanted, new ArrayList<>());
    }

    private static long after(long index) {
        return Math.min(index, PageRequest.END - 1) + 1;
    }

    private CompletableFuture<List<TimelineEvent>> backward(
            StreamName stream, long from, long to, Predicate<TimelineEvent> wanted, List<TimelineEvent> taken) {
        PageRequest request = new PageRequest(PageRequest.Direction.BACKWARD, from, to, context.batchesPerPage());
        return trips.read(context.store(), stream, request).thenCompose(page -> {
            boolean all = take(page.events().reversed(), wanted, taken);
            return all && page.start() > Math.max(page.base(), from)
                    ? backward(stream, from, page.start(), wanted, taken)
                    : CompletableFuture.completedFuture(List.copyOf(taken));
        });
    }

    /** Removes events up to an index; see {@link StreamStore#prune}. */
    public CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex) {
        return trips.prune(stream, untilIndex);
    }

    /** How an append ended. */
    public sealed interface AppendResult {

        /** The events have been appended; the stream now has this version. */
        record Appended(Token token) implements AppendResult {}

        /** The stream has another version; {@code events} are those from the expected version on. */
        record Conflict(Token token, List<TimelineEvent> events) implements AppendResult {}

        /** The stream has another version; its events have to be read. */
        record ConflictUnknown(Token token) implements AppendResult {}
    }
}
