package io.millrace.subdocservice.kv.scan;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.subdocservice.kv.scan.Listing.Range;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The listings of the ranges that are being scanned. They are forgotten some seconds after the last scan has begun. */
final class Listings {

    private static final class Entry {
        final Listing listing;
        long usedAt;

        Entry(Listing listing) {
            this.listing = listing;
        }
    }

    private final DocumentStore store;
    private final Executor later =
            CompletableFuture.delayedExecutor(ScanLimits.LISTING_IDLE.toMillis(), TimeUnit.MILLISECONDS);
    private final Map<Range, Entry> entries = new HashMap<>();
    private int bytes;

    Listings(DocumentStore store) {
        this.store = store;
    }

    /** Returns the ids of a range in one vbucket; null if the whole range has too many. */
    CompletableFuture<@Nullable List<String>> ids(BucketInfo bucket, Keyspace keyspace, IdRange ids, int vbucket) {
        Range range = new Range(keyspace, bucket.collectionNumber(keyspace).orElseThrow(), bucket.incarnation(), ids);
        Entry entry = entry(bucket, range);
        return entry.listing.ids(vbucket).whenComplete((found, failure) -> {
            if (found == null) {
                forget(range, entry);
            }
        });
    }

    private synchronized Entry entry(BucketInfo bucket, Range range) {
        Entry known = entries.get(range);
        if (known != null && known.listing.outdated()) {
            forget(range, known);
            known = null;
        }
        if (known == null) {
            known = new Entry(new Listing(store, bucket, range, this::take));
            entries.put(range, known);
            later.execute(this::forgetUnused);
        }
        known.usedAt = System.nanoTime();
        return known;
    }

    private synchronized boolean take(int more) {
        bytes += more;
        return bytes <= ScanLimits.MAX_LISTING_BYTES;
    }

    private synchronized void forget(Range range, Entry entry) {
        if (entries.remove(range, entry)) {
            bytes -= entry.listing.bytes();
        }
    }

    private synchronized void forgetUnused() {
        long now = System.nanoTime();
        Map.copyOf(entries).forEach((range, entry) -> {
            if (now - entry.usedAt >= ScanLimits.LISTING_IDLE.toNanos()) {
                forget(range, entry);
            }
        });
        if (!entries.isEmpty()) {
            later.execute(this::forgetUnused);
        }
    }

    /** Returns how many bytes the listings have, about. */
    synchronized int bytes() {
        return bytes;
    }
}
