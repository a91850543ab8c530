package io.millrace.couch.feed;

import io.millrace.couch.document.CouchDatabase;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Limits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Wakes feeds that wait for changes of a database. All feeds of a database share one listener, which exists only while a
 * feed waits.
 */
final class ChangeWaiter implements AutoCloseable {

    /** Why a wait ended. */
    enum Woken {
        CHANGED,
        TIME_IS_UP,
        DATABASE_GONE
    }

    private static final class Watch {
        private final ChangeFeed feed;
        private CompletableFuture<Woken> next = new CompletableFuture<>();
        private int waiting;

        Watch(ChangeFeed feed) {
            this.feed = feed;
        }
    }

    private final Map<String, Watch> watches = new HashMap<>();

    /** Waits until a database has a change after a seqno. */
    Woken await(CouchDatabase followed, long after, long millis) {
        String database = followed.name();
        Watch watch;
        CompletableFuture<Woken> next;
        synchronized (this) {
            watch = watches.computeIfAbsent(database, name -> start(followed, after));
            watch.waiting++;
            next = watch.next;
        }
        try {
            if (watch.feed.position() > after) {
                return Woken.CHANGED;
            }
            return next.get(Math.max(0, millis), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Woken.TIME_IS_UP;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Woken.DATABASE_GONE;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } finally {
            leave(database, watch);
        }
    }

    private Watch start(CouchDatabase followed, long after) {
        Watch watch = new Watch(followed.changes().feed(after));
        listen(followed.name(), watch);
        return watch;
    }

    private void listen(String database, Watch watch) {
        watch.feed
                .next(Limits.MAX_PAGE_MUTATIONS)
                .whenComplete((page, failure) -> heard(database, watch, page != null && page.isEmpty(), failure));
    }

    private void heard(String database, Watch watch, boolean closed, @Nullable Throwable failure) {
        CompletableFuture<Woken> rung;
        boolean goesOn = failure == null && !closed;
        synchronized (this) {
            rung = watch.next;
            watch.next = new CompletableFuture<>();
            if (!goesOn) {
                watches.remove(database, watch);
            }
        }
        if (failure == null) {
            rung.complete(Woken.CHANGED);
        } else if (gone(failure)) {
            rung.complete(Woken.DATABASE_GONE);
        } else {
            rung.completeOnTimeout(Woken.TIME_IS_UP, 1, TimeUnit.SECONDS); // waiting feeds then read the database
        }
        if (goesOn) {
            listen(database, watch);
        }
    }

    private static boolean gone(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof DocumentsException e && e.code() == DocumentsException.Code.BUCKET_NOT_FOUND;
    }

    private synchronized void leave(String database, Watch watch) {
        if (--watch.waiting == 0) {
            watches.remove(database, watch);
            watch.feed.close();
        }
    }

    @Override
    public synchronized void close() {
        // closing a feed removes it from the map at once
        List.copyOf(watches.values()).forEach(watch -> watch.feed.close());
    }
}
