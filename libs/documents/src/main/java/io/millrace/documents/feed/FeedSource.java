package io.millrace.documents.feed;

import io.millrace.documents.Document;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A shard as its feeds read it. No call blocks.
 *
 * @param <R> its rows
 */
public interface FeedSource<R extends FeedSource.Numbered> {

    /** In place of the newest seqno: the shard is not open, or has another incarnation. */
    long STALE = -1;

    /** A change without its document. */
    interface Numbered {

        /** Returns the position of the change in its shard. */
        long seqno();
    }

    /** Returns the topic of the shard's notifications. */
    String topic();

    /** Returns up to {@code max} rows after a seqno, oldest first; fewer only at the end. */
    CompletableFuture<List<R>> rows(long since, int max);

    /** Returns the documents that rows name, null for each that is gone with its collection. */
    CompletableFuture<List<@Nullable Document>> documents(List<R> rows);

    /** Returns the newest seqno, or {@link #STALE}. */
    CompletableFuture<Long> newest();

    /**
     * Requests a notification of the next change if the newest seqno is {@code since}. Returns the newest seqno, or
     * {@link #STALE}.
     */
    CompletableFuture<Long> arm(long since);
}
