package io.millrace.streams.follow;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PageRequest.Direction;
import io.millrace.streams.store.TimelineEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One reader's walk over the events of the streams of a keyspace, without end. The events of a stream come in order and without
 * gaps but for pruned ones, those of different streams in the order of the streams' latest changes. A reader that begins again
 * at a {@link Position} misses nothing; it may get events again of streams that have changed since, which their index shows.
 *
 * <p>The bucket must have one shard. Not thread-safe: ask for the next step when the last one has been answered.
 */
public final class EventFeed implements AutoCloseable {

    private static final int STREAMS_PER_PAGE = 64;
    private static final int BATCHES_PER_READ = 10;

    /** What a feed hands out. */
    public sealed interface Step {

        /** Where to begin again after this step. */
        Position position();

        /** Events of one stream, at least one; more of the same stream may follow. */
        record Events(StreamName stream, List<TimelineEvent> events, Position position) implements Step {}

        /** The reader has had every event that there was a moment ago. */
        record CaughtUp(Position position) implements Step {}
    }

    /** A stream that has changed, at the seqno of its change. */
    private record Changed(StreamName stream, long seqno) {}

    /** Up to which index events of a stream were handed out, and the seqno of the last one. */
    private record HandedOut(long end, long seqno) {}

    private final DocumentStore documents;
    private final StreamStore streams;
    private final Keyspace keyspace;
    private final Predicate<StreamName> wanted;

    /** The streams of which events after the base were handed out. */
    private final Map<StreamName, HandedOut> handedOut = new HashMap<>();

    private final Deque<Changed> changed = new ArrayDeque<>();
    private long base;
    private long scanned;
    private long pageEnd;
    private boolean pageIsLast;
    private boolean toldCaughtUp;
    private volatile boolean closed;
    private volatile @Nullable ChangeFeed waiting;

    /**
     * Opens a feed; it reads when it is asked for the first step.
     *
     * @param streams the store of the streams of {@code keyspace} in {@code documents}
     * @param wanted which streams; the same answer at any time
     * @param since {@link Position#START} for all events that there are
     */
    public EventFeed(
            DocumentStore documents,
            StreamStore streams,
            Keyspace keyspace,
            Predicate<StreamName> wanted,
            Position since) {
        this.documents = documents;
        this.streams = streams;
        this.keyspace = keyspace;
        this.wanted = wanted;
        this.base = since.base();
        this.scanned = since.scanned();
        this.pageEnd = scanned;
    }

    /**
     * Returns the next step as soon as there is one; null after {@link #close}. Fails with {@link
     * io.millrace.documents.DocumentsException}; the call may then be repeated, except after {@code HISTORY_LOST}.
     */
    public CompletableFuture<@Nullable Step> next() {
        if (closed) {
            return CompletableFuture.completedFuture(null);
        }
        Changed first = changed.peek();
        if (first != null) {
            return read(first).thenCompose(step -> step == null ? next() : CompletableFuture.completedFuture(step));
        }
        scanned = pageEnd;
        if (!pageIsLast) {
            return page();
        }
        // nothing was behind the page when it was read: each event up to its end belongs to a stream that has been read
        // since
        base = scanned;
        handedOut.values().removeIf(last -> last.seqno() <= base);
        if (!toldCaughtUp) {
            toldCaughtUp = true;
            return CompletableFuture.completedFuture(new Step.CaughtUp(position()));
        }
        // not on the thread that notifies: a store in memory does so before it has finished its write
        return await().thenComposeAsync(change -> closed ? CompletableFuture.completedFuture(null) : page());
    }

    private Position position() {
        return new Position(base, scanned);
    }

    private CompletableFuture<@Nullable Step> page() {
        var request = new ChangePage.Request(scanned, false, STREAMS_PER_PAGE, false);
        return documents.page(keyspace.bucket(), 0, request).thenCompose(page -> {
            page.mutations().stream()
                    .map(this::changed)
                    .filter(found -> found != null)
                    .forEach(changed::add);
            pageEnd = page.position();
            pageIsLast = !page.more();
            toldCaughtUp = toldCaughtUp && changed.isEmpty();
            return next();
        });
    }

    private @Nullable Changed changed(Mutation mutation) {
        var key = mutation.document().key();
        if (!mutation.document().live()
                || !key.keyspace().equals(keyspace)
                || key.id().indexOf('-') < 1) {
            return null;
        }
        StreamName stream = StreamName.parse(key.id());
        return wanted.test(stream) ? new Changed(stream, mutation.seqno()) : null;
    }

    /** Reads on in the first stream that has changed, and goes on to the next one at its end. */
    private CompletableFuture<@Nullable Step> read(Changed first) {
        return firstIndex(first.stream())
                .thenCompose(from -> forward(first.stream(), from))
                .thenApply(page -> {
                    handedOut.put(first.stream(), new HandedOut(page.end(), lastSeqno(page, first)));
                    if (page.end() >= page.version()) {
                        changed.remove();
                        scanned = first.seqno();
                    }
                    return page.events().isEmpty() ? null : new Step.Events(first.stream(), page.events(), position());
                });
    }

    /** Events may have been appended since the change was read. */
    private static long lastSeqno(Page page, Changed first) {
        return page.events().isEmpty() ? first.seqno() : page.events().getLast().seqno();
    }

    private CompletableFuture<Long> firstIndex(StreamName stream) {
        HandedOut known = handedOut.get(stream);
        return known != null || base == 0
                ? CompletableFuture.completedFuture(known == null ? 0 : known.end())
                : firstAfterBase(stream, PageRequest.END);
    }

    /** Walks back over batches to the first event after the base. */
    private CompletableFuture<Long> firstAfterBase(StreamName stream, long to) {
        var request = new PageRequest(Direction.BACKWARD, 0, to, BATCHES_PER_READ);
        return streams.read(stream, request).thenCompose(page -> {
            List<TimelineEvent> events = page.events();
            int last = events.size();
            while (last > 0 && events.get(last - 1).seqno() > base) {
                last--;
            }
            return last == 0 && page.start() > page.base()
                    ? firstAfterBase(stream, page.start())
                    : CompletableFuture.completedFuture(page.start() + last);
        });
    }

    private CompletableFuture<Page> forward(StreamName stream, long from) {
        return streams.read(stream, new PageRequest(Direction.FORWARD, from, PageRequest.END, BATCHES_PER_READ));
    }

    private CompletableFuture<?> await() {
        ChangeFeed feed = documents.changes(keyspace.bucket(), 0, scanned);
        waiting = feed;
        if (closed) {
            feed.close();
        }
        return feed.next(1).whenComplete((change, failure) -> feed.close());
    }

    @Override
    public void close() {
        closed = true;
        ChangeFeed feed = waiting;
        if (feed != null) {
            feed.close();
        }
    }
}
