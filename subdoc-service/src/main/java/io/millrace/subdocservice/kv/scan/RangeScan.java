package io.millrace.subdocservice.kv.scan;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A scan of one vbucket: the ids that it found when it began, and how many of them the client has. Thread-safe. */
public final class RangeScan {

    private static final int DOCUMENTS_AT_ONCE = 16;

    private final UUID id = UUID.randomUUID();
    private final DocumentStore store;
    private final InstantSource clock;
    private final String user;
    private final Keyspace keyspace;
    private final List<String> ids;
    private final boolean keysOnly;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile int next;
    private volatile long usedAt;

    RangeScan(
            DocumentStore store,
            InstantSource clock,
            String user,
            Keyspace keyspace,
            List<String> ids,
            boolean keysOnly) {
        this.store = store;
        this.clock = clock;
        this.user = user;
        this.keyspace = keyspace;
        this.ids = ids;
        this.keysOnly = keysOnly;
        this.usedAt = clock.millis();
    }

    public UUID id() {
        return id;
    }

    String user() {
        return user;
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    public boolean keysOnly() {
        return keysOnly;
    }

    long usedAt() {
        return usedAt;
    }

    /** Reserves the scan for one request; false while another one continues it. */
    public boolean reserve() {
        usedAt = clock.millis();
        return busy.compareAndSet(false, true);
    }

    /** Ends what {@link #reserve} began. */
    public void release() {
        busy.set(false);
    }

    /** Returns whether the client has got everything. */
    public boolean complete() {
        return next == ids.size();
    }

    /** Returns the next ids, at most so many; call it on a reserved scan. */
    public List<String> keys(int max) {
        int from = next;
        int to = Math.min(ids.size(), from + max);
        next = to;
        return ids.subList(from, to);
    }

    /**
     * Returns the next documents, those that were deleted since the scan began left out; call it on a reserved scan. If it
     * fails, the client has got none of them, and the next call returns them.
     *
     * @param maxBytes after how many bytes of bodies to stop; the last one may exceed them
     * @param until the time in milliseconds after which no more are read
     */
    public CompletableFuture<List<Document>> documents(int max, long maxBytes, long until) {
        int from = next;
        return documents(new ArrayList<>(), 0, max, maxBytes, until).whenComplete((found, failure) -> {
            if (failure != null) {
                next = from;
            }
        });
    }

    /** The first one alone tells how large documents are, so that not too many large ones are read at once. */
    private CompletableFuture<List<Document>> documents(
            List<Document> found, long bytes, int max, long maxBytes, long until) {
        boolean late = !found.isEmpty() && clock.millis() > until;
        if (complete() || found.size() >= max || !found.isEmpty() && bytes >= maxBytes || late) {
            return CompletableFuture.completedFuture(found);
        }
        long usual = found.isEmpty() ? maxBytes : Math.max(1, bytes / found.size());
        int count = (int) Math.clamp((maxBytes - bytes) / usual, 1, Math.min(DOCUMENTS_AT_ONCE, max - found.size()));
        List<CompletableFuture<Optional<Document>>> reads = keys(count).stream()
                .map(name -> store.get(new DocumentKey(keyspace, name)))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            long more = 0;
            for (CompletableFuture<Optional<Document>> read : reads) {
                Document document = read.join().orElse(null);
                if (document != null) {
                    found.add(document);
                    more += document.body().length;
                }
            }
            return documents(found, bytes + more, max, maxBytes, until);
        });
    }
}
