package io.millrace.documents.feed;

import io.millrace.documents.Branch;
import io.millrace.documents.Document;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rows after a position as one feed has read them, for every feed that comes along. A document is read when the first of
 * them asks for it. Thread-safe.
 *
 * @param <R> the rows
 */
public final class FeedPage<R extends FeedSource.Numbered> {

    /** About how many bytes of memory a row takes, without its document. */
    private static final int ROW_BYTES = 200;

    private final SharedFeed<R> feed;
    private final Branch history;
    private final Object reader;
    private final long since;
    private final long number;
    private final CompletableFuture<FeedPage<R>> read = new CompletableFuture<>();

    private List<Entry<R>> entries = List.of();
    private long newest;
    private boolean complete;

    /** How many bytes it counts while it is kept; guarded by the lock of {@link SharedFeeds}. */
    long bytes;

    /** A row of a page, and its document once a feed has asked for it. */
    public static final class Entry<R extends FeedSource.Numbered> {

        private final R row;

        /** Guarded by the page. */
        private @Nullable Batch batch;

        private int place;

        private Entry(R row) {
            this.row = row;
        }

        /** Returns the row. */
        public R row() {
            return row;
        }

        /** Returns the document, when the batch has been read; null when it is gone with its collection. */
        private @Nullable Document document() {
            return Objects.requireNonNull(batch).documents.join().get(place);
        }
    }

    /** Documents that are read together. */
    private static final class Batch {
        private final CompletableFuture<List<@Nullable Document>> documents = new CompletableFuture<>();
    }

    /**
     * A page that is being read.
     *
     * @param reader the one that reads it
     * @param number greater than that of every page and reader that was there before
     * @param history to which the reader belongs
     */
    FeedPage(SharedFeed<R> feed, Object reader, Branch history, long since, long number) {
        this.feed = feed;
        this.reader = reader;
        this.history = history;
        this.since = since;
        this.number = number;
    }

    /** Completes with this page when it has been read. */
    CompletableFuture<FeedPage<R>> read() {
        return read;
    }

    /** Sets what was read, before {@link #read} completes. */
    void fill(List<R> rows, long newestSeqno, boolean isComplete) {
        entries = rows.stream().map(row -> new Entry<>(row)).toList();
        newest = newestSeqno;
        complete = isComplete;
    }

    long rowBytes() {
        return (long) entries.size() * ROW_BYTES;
    }

    SharedFeed<R> feed() {
        return feed;
    }

    long since() {
        return since;
    }

    /** Returns the seqno of the last row; that before the first one as long as there are none. */
    public long end() {
        return entries.isEmpty() ? since : entries.getLast().row.seqno();
    }

    /** Returns whether this page was read for a {@link SharedFeed.Member}. */
    public boolean isReadBy(Object other) {
        return reader == other;
    }

    /** Returns whether a feed of a history may use this page as if it had read it, having begun when there was {@code opened}. */
    boolean serves(Branch other, long opened) {
        return number > opened && history.equals(other);
    }

    /** Returns whether this page has been read and has rows. */
    boolean isFilled() {
        return !entries.isEmpty();
    }

    /** Returns whether this page has the row after a position, or will have. */
    boolean covers(long position) {
        return isFilled() ? position >= since && position < end() : position == since;
    }

    /** Returns the newest seqno of a moment after the rows were read; {@link FeedSource#STALE} when the shard was not open. */
    public long newest() {
        return newest;
    }

    /** Returns whether there were no further rows. */
    public boolean complete() {
        return complete;
    }

    /** Returns the rows after a position. */
    public List<Entry<R>> after(long position) {
        int first = 0;
        int behind = entries.size();
        while (first < behind) {
            int middle = (first + behind) >>> 1;
            if (entries.get(middle).row.seqno() > position) {
                behind = middle;
            } else {
                first = middle + 1;
            }
        }
        return entries.subList(first, entries.size());
    }

    /** Returns the documents of some rows, null for each that is gone with its collection. */
    public CompletableFuture<List<@Nullable Document>> documents(List<Entry<R>> wanted, FeedSource<R> source) {
        Batch own = new Batch();
        List<R> missing = new ArrayList<>();
        Set<Batch> batches = new LinkedHashSet<>();
        synchronized (this) {
            for (Entry<R> entry : wanted) {
                if (entry.batch == null) {
                    entry.batch = own;
                    entry.place = missing.size();
                    missing.add(entry.row);
                }
                batches.add(entry.batch);
            }
        }
        if (!missing.isEmpty()) {
            read(own, missing, source);
        }
        return CompletableFuture.allOf(
                        batches.stream().map(batch -> batch.documents).toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<@Nullable Document> documents = new ArrayList<>(wanted.size());
                    wanted.forEach(entry -> documents.add(entry.document()));
                    return documents;
                });
    }

    private void read(Batch batch, List<R> rows, FeedSource<R> source) {
        source.documents(rows).whenComplete((documents, failure) -> {
            if (failure == null) {
                feed.grown(this, bytesOf(documents));
                batch.documents.complete(documents);
            } else {
                feed.forget(this); // the next feed, or the same, asks Redis again
                batch.documents.completeExceptionally(failure);
            }
        });
    }

    private static long bytesOf(List<@Nullable Document> documents) {
        long bytes = 0;
        for (Document document : documents) {
            bytes += document == null ? 0 : document.body().length;
        }
        return bytes;
    }
}
