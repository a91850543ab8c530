package io.millrace.worker.bindings;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.worker.report.Counters;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Documents that handlers of this worker read with {@code cache} a short while ago. A write of the worker itself makes
 * it forget the document; writes of others are seen when the entry is too old. Thread-safe.
 */
final class DocumentCache {

    /** About how many bytes an entry takes in addition to the document. */
    private static final int ENTRY_BYTES = 200;

    private record Entry(Document document, long untilNanos, long bytes) {}

    private final Map<DocumentKey, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final long maxBytes;
    private final long ageNanos;
    private final Time time;
    private final Counters counters;

    DocumentCache(long maxBytes, long ageMillis, Time time, Counters counters) {
        this.maxBytes = maxBytes;
        this.ageNanos = ageMillis * 1_000_000;
        this.time = time;
        this.counters = counters;
    }

    /** Returns a document that is recent enough; counts a miss and returns null otherwise. */
    @Nullable
    Document get(DocumentKey key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.untilNanos - time.nanos() > 0) {
            return entry.document;
        }
        counters.add(Counters.CACHE_MISSES, 1);
        return null;
    }

    /** Returns a number to be handed to {@link #put}, taken before the document is read. */
    long beforeRead() {
        return writes.get();
    }

    /** Keeps a document, unless anything was written since it was read: it may be older than that. */
    void put(Document document, long beforeRead) {
        long size = document.body().length + document.key().id().length() + ENTRY_BYTES;
        if (size > maxBytes || writes.get() != beforeRead) {
            return;
        }
        Entry entry = new Entry(document, time.nanos() + ageNanos, size);
        Entry replaced = entries.put(document.key(), entry);
        bytes.addAndGet(size - (replaced == null ? 0 : replaced.bytes));
        if (writes.get() != beforeRead) {
            forget(document.key());
        }
        if (bytes.get() > maxBytes) {
            counters.add(Counters.CACHE_OVERFLOWS, 1);
            evict();
        }
    }

    /** To be called before a write of this worker is sent. */
    void invalidate(DocumentKey key) {
        writes.incrementAndGet();
        forget(key);
    }

    /** To be called before this worker changes documents whose keys it does not know. */
    void invalidateAll() {
        writes.incrementAndGet();
        entries.keySet().forEach(this::forget);
    }

    private void forget(DocumentKey key) {
        Entry gone = entries.remove(key);
        if (gone != null) {
            bytes.addAndGet(-gone.bytes);
        }
    }

    /** Drops about a third, at random: which entry will be asked for next is not known. */
    private void evict() {
        for (Iterator<Map.Entry<DocumentKey, Entry>> each = entries.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<DocumentKey, Entry> entry = each.next();
            if (ThreadLocalRandom.current().nextInt(3) == 0 && entries.remove(entry.getKey(), entry.getValue())) {
                bytes.addAndGet(-entry.getValue().bytes);
            }
        }
    }

    long bytes() {
        return bytes.get();
    }
}
