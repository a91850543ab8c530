package io.millrace.subdocservice.rest.live;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.httpdoor.HeldBytes;
import io.millrace.problemdetails.Problem;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ApiException;
import io.millrace.subdocservice.rest.live.LiveEvents.Kind;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's live query. It walks over the changes of the bucket from the beginning, or from where the client was, and asks
 * for the next ones when the client has taken what there was: a slow client needs no memory. Blocks; one thread at a time.
 *
 * <p>A query that continues first finds out silently what matched at its position: the documents that have not changed since.
 * Of those that have changed since it is not known; until it has caught up, it says of each that does not match that it
 * leaves. See the RATIONALE of this module.
 */
final class LiveQuery implements AutoCloseable {

    private final Keyspace keyspace;
    private final BucketChanges changes;
    private final LiveFilter filter;
    private final LiveTurns turns;
    private final HeldBytes held;
    private final Supplier<CompletableFuture<Boolean>> there;
    private final Duration heartbeat;
    private final Set<String> matching = new HashSet<>();

    /** Where the client was when the query began; up to there, documents are only remembered. */
    private final long since;

    private boolean silent;

    /** Up to where changes have been taken from the feed. */
    private long read;

    private LivePosition position;
    private boolean caughtUp;
    private long looked = System.nanoTime();
    private @Nullable CompletableFuture<List<Mutation>> pending;
    private ChangeFeed feed;
    private boolean closed;
    private boolean ended;
    private int sent;

    /**
     * @param turns those of all queries
     * @param begin where the client is
     * @param there tells whether the collection is the one with which the query began
     * @param heartbeat how often the client gets something at least
     */
    LiveQuery(
            Keyspace keyspace,
            BucketChanges changes,
            LiveFilter filter,
            LiveTurns turns,
            LivePosition begin,
            HeldBytes held,
            Supplier<CompletableFuture<Boolean>> there,
            Duration heartbeat) {
        this.keyspace = keyspace;
        this.changes = changes;
        this.filter = filter;
        this.turns = turns;
        this.position = begin;
        this.since = begin.seqno();
        this.silent = since > 0;
        this.feed = changes.feed(0);
        this.held = held;
        this.there = there;
        this.heartbeat = heartbeat;
    }

    /** Returns the next piece of the response, at the latest when a heartbeat is due; null at the end. */
    byte @Nullable [] next() {
        if (ended) {
            return null;
        }
        boolean following = caughtUp;
        byte[] piece;
        try {
            piece = step();
        } catch (ApiException e) {
            piece = end(e.error().problem(String.valueOf(e.getMessage())));
        } catch (DocumentsException e) {
            if (e.unavailable()) {
                throw e;
            }
            piece = end(ApiError.of(e.code()).problem(String.valueOf(e.getMessage())));
        }
        held.replace(sent, piece == null ? 0 : piece.length);
        sent = piece == null ? 0 : piece.length;
        if (following && !ended && piece != LiveEvents.HEARTBEAT) {
            turns.next().join(); // what waits is held already
        }
        return piece;
    }

    private byte[] end(Problem problem) {
        ended = true;
        LiveEvents events = new LiveEvents();
        events.end(problem);
        return events.bytes();
    }

    private byte @Nullable [] step() {
        long deadline = System.nanoTime() + heartbeat.toNanos();
        requireCollection();
        while (System.nanoTime() < deadline) {
            if (!caughtUp && answer(changes.backlog(read)) == 0) {
                if (!silent) {
                    return caughtUp();
                }
                speak();
            }
            List<Mutation> mutations = take(caughtUp ? heartbeat : LiveLimits.LOOK);
            if (isClosed()) {
                ended = true;
                return null;
            }
            if (silent) {
                learn(mutations);
            } else {
                byte[] piece = events(mutations);
                if (piece.length > 0) {
                    return piece;
                }
            }
        }
        return LiveEvents.HEARTBEAT;
    }

    /** Fails when the collection is gone; its documents leave no deletions. */
    private void requireCollection() {
        long now = System.nanoTime();
        if (now - looked < heartbeat.toNanos()) {
            return;
        }
        looked = now;
        if (!answer(there.get())) {
            throw ApiException.of(
                    ApiError.HISTORY_LOST,
                    "The collection %s was dropped or emptied: none of its former documents is left."
                            .formatted(keyspace));
        }
    }

    /** Remembers which documents match that have not changed since the client's position: they matched then. */
    private void learn(List<Mutation> mutations) {
        for (Mutation mutation : mutations) {
            if (mutation.seqno() <= since && isOurs(mutation) && filter.match(mutation.document()) != null) {
                remember(mutation.document().key().id());
            }
        }
        if (read >= since) {
            speak();
        }
    }

    /** Ends the silent part. What it has read beyond the client's position is read again. */
    private synchronized void speak() {
        silent = false;
        pending = null;
        feed.close();
        feed = changes.feed(since);
        read = since;
        if (closed) {
            feed.close();
        }
    }

    private byte[] caughtUp() {
        caughtUp = true;
        LiveEvents events = new LiveEvents();
        events.caughtUp(position);
        return events.bytes();
    }

    private byte[] events(List<Mutation> mutations) {
        LiveEvents events = new LiveEvents();
        for (Mutation mutation : mutations) {
            position = position.at(mutation.seqno());
            if (isOurs(mutation)) {
                add(events, mutation);
            }
        }
        position = position.at(read);
        return events.bytes();
    }

    private void add(LiveEvents events, Mutation mutation) {
        String id = mutation.document().key().id();
        byte[] data = filter.match(mutation.document());
        if (data == null) {
            boolean known = forget(id);
            if (known || (!caughtUp && since > 0 && mutation.seqno() > position.begin())) {
                events.leave(position, mutation.document());
            }
        } else if (remember(id)) {
            events.document(mutation.seqno() <= position.begin() ? Kind.MATCH : Kind.ENTER, position, data);
        } else {
            events.document(Kind.CHANGE, position, data);
        }
    }

    private boolean isOurs(Mutation mutation) {
        return mutation.document().key().keyspace().equals(keyspace);
    }

    private boolean remember(String id) {
        if (!matching.add(id)) {
            return false;
        }
        if (matching.size() > LiveLimits.MAX_MATCHES) {
            throw ApiException.of(
                    ApiError.TOO_MANY_MATCHES,
                    "More than %,d documents match the filter.".formatted(LiveLimits.MAX_MATCHES));
        }
        held.hold(LiveLimits.ID_BYTES + id.length());
        return true;
    }

    private boolean forget(String id) {
        if (!matching.remove(id)) {
            return false;
        }
        held.replace(LiveLimits.ID_BYTES + id.length(), 0);
        return true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Ends a waiting {@link #next}. */
    @Override
    public synchronized void close() {
        closed = true;
        feed.close();
    }

    /** Returns the next changes; none if there are none in time. */
    private List<Mutation> take(Duration limit) {
        CompletableFuture<List<Mutation>> page = pending;
        if (page == null) {
            page = feed.next(LiveLimits.PAGE);
            pending = page;
        }
        try {
            List<Mutation> mutations = page.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            pending = null;
            read = feed.position();
            return mutations;
        } catch (TimeoutException e) {
            return List.of();
        } catch (ExecutionException e) {
            pending = null;
            throw unwrapped(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            return List.of();
        }
    }

    private static <T> T answer(CompletableFuture<T> call) {
        try {
            return call.get(LiveLimits.STORE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        } catch (TimeoutException e) {
            throw DocumentsException.of(Code.UNAVAILABLE, "Redis did not answer.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw DocumentsException.of(Code.UNAVAILABLE, "The service is stopping.");
        }
    }

    private static RuntimeException unwrapped(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
}
