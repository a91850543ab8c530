package io.millrace.documents;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One reader's walk over the changes of one shard, oldest first, without end. Each document comes at its latest change;
 * states that were overwritten before they were read are left out. Not thread-safe: ask for the next page when the last
 * one has been answered.
 */
public interface ChangeFeed extends AutoCloseable {

    /**
     * Returns the next mutations, 1 to {@code max} of them, as soon as there are any: after a notification of the
     * shard, or at the latest after {@link Limits#SLOW_POLL}, or ten times that where nothing was new for long. An empty list
     * means that the feed was closed or, from a feed of some vbuckets only, that it has passed changes of others or states that
     * it had returned before; see {@link #position}. Fails with {@link DocumentsException}; the position is then unchanged and
     * the call may be repeated, except after {@code HISTORY_LOST}: then open a new feed from 0.
     */
    CompletableFuture<List<Mutation>> next(int max);

    /** Returns the seqno up to which this feed has returned all requested changes. */
    long position();

    /**
     * Returns whether everything that this feed has returned, and everything that it passed by because something newer had
     * replaced it, is as it was: false when Redis was restarted or replaced without some of it. The feed itself then fails with
     * {@code HISTORY_LOST}.
     */
    default CompletableFuture<Boolean> intact() {
        return CompletableFuture.completedFuture(true);
    }

    /** Ends a waiting {@link #next} with an empty list. Never blocks. */
    @Override
    void close();
}
