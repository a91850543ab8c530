package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.StringValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One keyspace in memory. */
public final class MemoryKeyspace implements Keyspace {

    private final KeyspaceName name;
    private final NavigableMap<String, StoredDocument> documents = new ConcurrentSkipListMap<>(StringValue::compare);
    private final List<IndexDefinition> indexes = new CopyOnWriteArrayList<>();
    private final AtomicLong versions = new AtomicLong();
    private final AtomicLong fetched = new AtomicLong();
    private final AtomicReference<@Nullable Runnable> beforeNextChange = new AtomicReference<>();

    MemoryKeyspace(KeyspaceName name) {
        this.name = name;
    }

    /** Puts a document in, whatever there was. */
    public void put(String key, byte[] body) {
        documents.put(key, document(key, body, 0));
    }

    public void put(String key, String body) {
        put(key, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns how many documents have been read. */
    public long fetched() {
        return fetched.get();
    }

    /** Does something between the reading of a document and its next change, as another writer could. */
    public void beforeNextChange(Runnable action) {
        beforeNextChange.set(action);
    }

    private StoredDocument document(String key, byte[] body, long expiration) {
        return new StoredDocument(key, body, Json.parse(body) != null, versions.incrementAndGet(), expiration, 0);
    }

    @Override
    public KeyspaceName name() {
        return name;
    }

    @Override
    public CompletableFuture<List<@Nullable StoredDocument>> fetch(List<String> keys) {
        List<@Nullable StoredDocument> found = new ArrayList<>(keys.size());
        for (String key : keys) {
            found.add(documents.get(key));
        }
        fetched.addAndGet(keys.size());
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletableFuture<Change.Outcome> change(Change change) {
        Runnable action = beforeNextChange.getAndSet(null);
        if (action != null) {
            action.run();
        }
        return CompletableFuture.completedFuture(carryOut(change));
    }

    private synchronized Change.Outcome carryOut(Change change) {
        StoredDocument old = documents.get(change.key());
        if (change.kind() == Change.Kind.INSERT && old != null) {
            return new Change.Exists();
        }
        boolean needsOld = change.kind() == Change.Kind.REPLACE || change.kind() == Change.Kind.DELETE;
        if (needsOld && old == null) {
            return new Change.NotFound();
        }
        if (change.cas() != 0 && (old == null || old.cas() != change.cas())) {
            return new Change.CasMismatch();
        }
        byte[] body = change.body();
        if (body == null) {
            documents.remove(change.key());
            return new Change.Done(versions.incrementAndGet());
        }
        Long expiration = change.expiration();
        long kept = old == null ? 0 : old.expiration();
        StoredDocument changed = document(change.key(), body, expiration == null ? kept : expiration);
        documents.put(change.key(), changed);
        return new Change.Done(changed.cas());
    }

    @Override
    public CompletableFuture<Long> count() {
        return CompletableFuture.completedFuture((long) documents.size());
    }

    @Override
    public CompletableFuture<List<String>> keys(KeyRange range, int max) {
        String from = range.from();
        Iterable<String> candidates = from == null
                ? documents.keySet()
                : documents.tailMap(from, range.fromIncluded()).keySet();
        List<String> keys = new ArrayList<>();
        for (String key : candidates) {
            if (keys.size() == max || !range.contains(key)) {
                break;
            }
            keys.add(key);
        }
        return CompletableFuture.completedFuture(keys);
    }

    @Override
    public List<IndexDefinition> indexes() {
        return List.copyOf(indexes);
    }

    @Override
    public synchronized CompletableFuture<Boolean> createIndex(IndexDefinition index) {
        boolean known = indexes.stream().anyMatch(other -> other.name().equals(index.name()));
        if (!known) {
            indexes.add(index);
        }
        return CompletableFuture.completedFuture(!known);
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(String index) {
        return CompletableFuture.completedFuture(
                indexes.removeIf(other -> other.name().equals(index)));
    }
}
