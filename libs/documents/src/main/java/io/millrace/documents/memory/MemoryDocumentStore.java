package io.millrace.documents.memory;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.Catalog;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStore.LockResult;
import io.millrace.documents.DocumentStore.UnlockResult;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.store.Checks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Documents in memory: the readable specification of {@link DocumentStore}, and what unit tests use in place of Redis.
 * Everything is lost with the object.
 */
public final class MemoryDocumentStore implements DocumentStore {

    private final InstantSource clock;
    private final MemoryCatalog catalog;
    private final MemoryIndexes indexes;
    private final Map<SystemHandle, MemoryDocumentStore> opened = new ConcurrentHashMap<>();
    private final Map<String, MemoryMergedChanges> merged = new ConcurrentHashMap<>();

    public MemoryDocumentStore(InstantSource clock) {
        this(clock, new MemoryCatalog());
    }

    private MemoryDocumentStore(InstantSource clock, MemoryCatalog catalog) {
        this.clock = clock;
        this.catalog = catalog;
        this.indexes = new MemoryIndexes(catalog, clock);
    }

    @Override
    public MemoryDocumentStore with(SystemHandle handle) {
        return opened.computeIfAbsent(handle, missing -> new MemoryDocumentStore(clock, catalog.with(missing)));
    }

    @Override
    public Catalog catalog() {
        return catalog;
    }

    @Override
    public DocumentIndexes indexes() {
        return indexes;
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return answer(() -> find(key).filter(Document::live));
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return answer(() -> find(key));
    }

    private Optional<Document> find(DocumentKey key) {
        Checks.id(key.id());
        return catalog.shard(key).find(key, clock.instant());
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        return answer(() -> {
            Checks.id(write.key().id());
            Checks.sizes(write);
            return catalog.shard(write.key()).write(write, clock.instant());
        });
    }

    @Override
    public CompletableFuture<AtomicResult> writeAtomically(List<Write> writes) {
        return answer(() -> {
            Checks.atomic(writes);
            MemoryShard shard = catalog.shard(writes.getFirst().key());
            for (Write write : writes) {
                if (catalog.shard(write.key()) != shard) {
                    return new AtomicResult.Apart(write.key());
                }
            }
            return shard.writeAtomically(writes, clock.instant());
        });
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        return answer(() -> {
            Checks.id(key.id());
            return catalog.shard(key).lock(key, until, clock.instant());
        });
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return answer(() -> {
            Checks.id(key.id());
            return catalog.shard(key).unlock(key, lockCas, clock.instant());
        });
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets) {
        return new MemoryChangeFeed(() -> catalog.shard(bucket, shard), since, vbuckets);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return answer(() -> catalog.shard(bucket, shard).page(request));
    }

    @Override
    public BucketChanges inOrder(BucketInfo bucket) {
        return bucket.shards() == 1
                ? DocumentStore.super.inOrder(bucket)
                : merged.compute(
                        bucket.name(),
                        (name, known) -> known != null && known.incarnation() == bucket.incarnation()
                                ? known
                                : new MemoryMergedChanges(this, bucket));
    }

    MemoryShard shard(String bucket, int number) {
        return catalog.shard(bucket, number);
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return answer(() -> catalog.shard(bucket, shard).highSeqno());
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return answer(() -> Instant.EPOCH.plusNanos(catalog.shard(key).clock(clock.instant())));
    }

    /** Nothing that is in memory is ever lost in part. */
    @Override
    public CompletableFuture<Branch> branch(String bucket, int shard) {
        return answer(() -> catalog.shard(bucket, shard)).thenApply(found -> Branch.NONE);
    }

    @Override
    public CompletableFuture<Long> backlog(String bucket, int shard, long since) {
        return answer(() -> catalog.shard(bucket, shard).backlog(since));
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return answer(() -> catalog.bucket(keyspace).shards().stream()
                .mapToLong(shard -> shard.count(keyspace))
                .sum());
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        return answer(() ->
                within(keyspace, range).sorted(IdRange::compare).limit(max).toList());
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        return answer(() -> within(keyspace, range)
                .sorted((left, right) -> IdRange.compare(right, left))
                .limit(max)
                .toList());
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        return answer(() -> within(keyspace, range).count());
    }

    private Stream<String> within(Keyspace keyspace, IdRange range) {
        return catalog.bucket(keyspace).shards().stream()
                .flatMap(shard -> shard.ids(keyspace).stream())
                .filter(range::contains);
    }

    @Override
    public CompletableFuture<Integer> expireDue(String bucket, int max) {
        return answer(() -> {
            int expired = 0;
            for (MemoryShard shard : catalog.bucket(bucket).shards()) {
                expired += shard.expireDue(clock.instant(), max - expired);
            }
            return expired;
        });
    }

    static <T> CompletableFuture<T> answer(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
