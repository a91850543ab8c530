package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.Keyspace.SecondaryIndex;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.StringValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keyspaces in memory: for tests, and as the readable specification of a store. */
public final class MemoryKeyspaces implements KeyspaceStore {

    private final Map<KeyspaceName, MemoryKeyspace> keyspaces = new ConcurrentHashMap<>();
    private final FunctionStore functions = new MemoryFunctions();
    private final SequenceStore sequences = new MemorySequences();
    private final Set<KeyspaceName> scopes = ConcurrentHashMap.newKeySet();

    /** Returns a keyspace, which is created if it does not exist. */
    public MemoryKeyspace create(KeyspaceName name) {
        return keyspaces.computeIfAbsent(name, MemoryKeyspace::new);
    }

    /** Returns the default keyspace of a bucket, which is created if it does not exist. */
    public MemoryKeyspace create(String bucket) {
        return create(KeyspaceName.of(bucket));
    }

    @Override
    public @Nullable Keyspace keyspace(KeyspaceName name) {
        return keyspaces.get(name);
    }

    @Override
    public boolean create(Container container) {
        KeyspaceName name = container.name();
        if (container.kind() != Container.Kind.BUCKET && !keyspaces.containsKey(KeyspaceName.of(name.bucket()))) {
            throw QueryException.of(ErrorCode.BUCKET_NOT_FOUND, "There is no bucket " + name.bucket());
        }
        if (container.kind() == Container.Kind.SCOPE) {
            return scopes.add(name);
        }
        if (container.kind() == Container.Kind.COLLECTION
                && !name.scope().equals(KeyspaceName.DEFAULT)
                && !scopes.contains(name.ofScope())) {
            throw QueryException.of(ErrorCode.SCOPE_NOT_FOUND, "There is no scope " + name.scope());
        }
        return keyspaces.putIfAbsent(name, new MemoryKeyspace(name)) == null;
    }

    @Override
    public boolean drop(Container container) {
        KeyspaceName name = container.name();
        return switch (container.kind()) {
            case BUCKET -> {
                scopes.removeIf(scope -> scope.bucket().equals(name.bucket()));
                yield keyspaces.keySet().removeIf(found -> found.bucket().equals(name.bucket()));
            }
            case SCOPE -> {
                keyspaces.keySet().removeIf(found -> found.ofScope().equals(name));
                yield scopes.remove(name);
            }
            case COLLECTION -> keyspaces.remove(name) != null;
        };
    }

    @Override
    public CompletableFuture<AtomicChange.Outcome> changeAll(List<AtomicChange> changes) {
        NavigableMap<String, MemoryKeyspace> involved = new TreeMap<>();
        Map<MemoryKeyspace, List<Change>> divided = new HashMap<>();
        for (AtomicChange change : changes) {
            MemoryKeyspace keyspace = keyspaces.get(change.keyspace());
            if (keyspace == null) {
                return CompletableFuture.completedFuture(
                        new AtomicChange.Refused("there is no keyspace " + change.keyspace()));
            }
            involved.put(keyspace.name().toString(), keyspace);
            divided.computeIfAbsent(keyspace, missing -> new ArrayList<>()).add(change.change());
        }
        involved.values().forEach(MemoryKeyspace::letOtherWriterChange);
        return CompletableFuture.completedFuture(
                carryOut(divided, involved.values().iterator()));
    }

    /** Locks the keyspaces in an order that is the same for all callers. */
    private static AtomicChange.Outcome carryOut(
            Map<MemoryKeyspace, List<Change>> changes, Iterator<MemoryKeyspace> unlocked) {
        if (unlocked.hasNext()) {
            synchronized (unlocked.next()) {
                return carryOut(changes, unlocked);
            }
        }
        for (Map.Entry<MemoryKeyspace, List<Change>> each : changes.entrySet()) {
            for (Change change : each.getValue()) {
                if (each.getKey().refusal(change) != null) {
                    return new AtomicChange.Conflict(each.getKey().name(), change.key());
                }
            }
        }
        changes.forEach((keyspace, all) -> all.forEach(keyspace::carryOut));
        return new AtomicChange.Done();
    }

    @Override
    public FunctionStore functions() {
        return functions;
    }

    @Override
    public SequenceStore sequences() {
        return sequences;
    }

    @Override
    public List<KeyspaceName> names() {
        return new ArrayList<>(keyspaces.keySet());
    }

    @Override
    public List<KeyspaceName> scopes() {
        return Stream.concat(scopes.stream(), keyspaces.keySet().stream().map(KeyspaceName::ofScope))
                .distinct()
                .toList();
    }

    /** One keyspace in memory. */
    public static final class MemoryKeyspace implements Keyspace {

        private final KeyspaceName name;
        private final NavigableMap<String, StoredDocument> documents =
                new ConcurrentSkipListMap<>(StringValue::compare);
        private final List<IndexDefinition> indexes = new CopyOnWriteArrayList<>();
        private final Map<String, Entries> entries = new HashMap<>();
        private final AtomicLong versions = new AtomicLong();
        private final AtomicLong fetched = new AtomicLong();
        private final AtomicLong scanned = new AtomicLong();
        private final AtomicReference<@Nullable Runnable> beforeNextChange = new AtomicReference<>();

        /** The entries of an index as of a version of the keyspace. */
        private record Entries(long version, NavigableSet<byte[]> ordered) {}

        MemoryKeyspace(KeyspaceName name) {
            this.name = name;
        }

        /** Stores a document, replacing any earlier one. */
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

        /** Returns how many keys and entries of indexes have been read. */
        public long scanned() {
            return scanned.get();
        }

        /** Runs an action between the reading of a document and its next change, to simulate another writer. */
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
        public CompletableFuture<Fetched> fetch(List<String> keys) {
            List<@Nullable StoredDocument> found = new ArrayList<>(keys.size());
            for (String key : keys) {
                found.add(documents.get(key));
            }
            fetched.addAndGet(keys.size());
            return CompletableFuture.completedFuture(Fetched.of(found));
        }

        @Override
        public CompletableFuture<Change.Outcome> change(Change change) {
            letOtherWriterChange();
            return CompletableFuture.completedFuture(carryOut(change));
        }

        private void letOtherWriterChange() {
            Runnable action = beforeNextChange.getAndSet(null);
            if (action != null) {
                action.run();
            }
        }

        /** Returns why a change cannot be carried out now, or null. */
        private synchronized Change.@Nullable Outcome refusal(Change change) {
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
            return null;
        }

        private synchronized Change.Outcome carryOut(Change change) {
            Change.Outcome refusal = refusal(change);
            if (refusal != null) {
                return refusal;
            }
            StoredDocument old = documents.get(change.key());
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
            return CompletableFuture.completedFuture(read(of(range).navigableKeySet().stream(), max));
        }

        @Override
        public CompletableFuture<List<String>> keysDescending(KeyRange range, int max) {
            return CompletableFuture.completedFuture(read(of(range).descendingKeySet().stream(), max));
        }

        @Override
        public CompletableFuture<Long> count(KeyRange range) {
            return CompletableFuture.completedFuture((long) of(range).size());
        }

        private NavigableMap<String, StoredDocument> of(KeyRange range) {
            String from = range.from();
            String to = range.to();
            if (from != null && to != null && StringValue.compare(from, to) > 0) {
                return Collections.emptyNavigableMap();
            }
            NavigableMap<String, StoredDocument> above =
                    from == null ? documents : documents.tailMap(from, range.fromIncluded());
            return to == null ? above : above.headMap(to, range.toIncluded());
        }

        private <T> List<T> read(Stream<T> found, int max) {
            List<T> page = found.limit(max).toList();
            scanned.addAndGet(page.size());
            return page;
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
        @SuppressWarnings("NullAway") // a CompletableFuture<Void> completes with null
        public CompletableFuture<Void> buildIndex(SecondaryIndex index) {
            IndexDefinition.State online = IndexDefinition.State.ONLINE;
            indexes.replaceAll(other -> other.name().equals(index.definition().name()) ? other.in(online) : other);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Integer> buildProgress(String index) {
            return CompletableFuture.completedFuture(100);
        }

        @Override
        public synchronized CompletableFuture<List<byte[]>> scan(
                SecondaryIndex index, EntryRange range, boolean descending, int max) {
            NavigableSet<byte[]> ordered = of(index, range);
            return CompletableFuture.completedFuture(
                    read((descending ? ordered.descendingSet() : ordered).stream(), max));
        }

        private NavigableSet<byte[]> of(SecondaryIndex index, EntryRange range) {
            return Arrays.compareUnsigned(range.from(), range.to()) >= 0
                    ? Collections.emptyNavigableSet()
                    : entries(index).subSet(range.from(), true, range.to(), false);
        }

        @Override
        public synchronized CompletableFuture<Long> count(
                SecondaryIndex index, List<EntryRange> ranges, boolean current) {
            return CompletableFuture.completedFuture(
                    ranges.stream().mapToLong(range -> of(index, range).size()).sum());
        }

        /** Entries are computed again after any change. */
        private NavigableSet<byte[]> entries(SecondaryIndex index) {
            String indexName = index.definition().name();
            long version = versions.get();
            Entries known = entries.get(indexName);
            if (known == null || known.version() != version) {
                NavigableSet<byte[]> made = new TreeSet<>(Arrays::compareUnsigned);
                documents
                        .values()
                        .forEach(document -> made.addAll(index.entries().of(document)));
                known = new Entries(version, made);
                entries.put(indexName, known);
            }
            return known.ordered();
        }

        @Override
        public synchronized CompletableFuture<Boolean> dropIndex(String index) {
            entries.remove(index);
            return CompletableFuture.completedFuture(
                    indexes.removeIf(other -> other.name().equals(index)));
        }
    }
}
