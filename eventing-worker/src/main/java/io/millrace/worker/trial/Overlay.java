package io.millrace.worker.trial;

import io.millrace.documents.Catalog;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Expiry;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A document store whose writes stay in memory, in front of one that is only read. A document is copied when it is written for
 * the first time; until it is changed it keeps its CAS. Indexes are those of the store below: statements that use one do not
 * find what the trial wrote.
 */
final class Overlay implements DocumentStore {

    /** A document that was copied, with the CAS below and that of the copy; 0 when there was none. */
    private record Copied(long below, long copy) {}

    private static final Copied NOTHING = new Copied(0, 0);

    private final DocumentStore below;
    private final InstantSource clock;
    private volatile MemoryDocumentStore above;
    private final Effects effects;
    private final Map<DocumentKey, Copied> copied = new ConcurrentHashMap<>();

    /** The last write of each document, answered or not: writes of a document are carried out in their order. */
    private final Map<DocumentKey, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    Overlay(DocumentStore below, InstantSource clock, Effects effects) {
        this.below = below;
        this.clock = clock;
        this.above = new MemoryDocumentStore(clock);
        this.effects = effects;
    }

    /** Forgets every write. To be called when all writes are answered. */
    void reset() {
        copied.clear();
        last.clear();
        above = new MemoryDocumentStore(clock);
    }

    /** Changes a document as a client would, without an effect of the code, and returns its state afterwards. */
    CompletableFuture<Optional<Document>> change(Write write) {
        return inOrder(write, null).thenCompose(done -> getWithTombstone(write.key()));
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        return inOrder(write, effects.place());
    }

    private CompletableFuture<WriteResult> inOrder(Write write, @Nullable ObjectNode place) {
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        CompletableFuture<?> former = last.put(write.key(), answer);
        CompletableFuture<?> start =
                former == null ? CompletableFuture.completedFuture(null) : former.handle((done, failure) -> null);
        start.thenCompose(ready -> copy(write.key()))
                .thenCompose(copy -> carryOut(write, copy, place))
                .whenComplete((result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                    }
                });
        return answer;
    }

    private CompletableFuture<Copied> copy(DocumentKey key) {
        Copied known = copied.get(key);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return below.get(key)
                .thenCompose(found -> room(key.keyspace()).thenCompose(made -> {
                    if (found.isEmpty()) {
                        return CompletableFuture.completedFuture(noted(key, NOTHING));
                    }
                    Document document = found.get();
                    Instant expiry = document.expiry();
                    Write write = Write.upsert(key, document.body())
                            .withDatatype(document.datatype())
                            .withFlags(document.flags())
                            .withExpiry(expiry == null ? Expiry.NEVER : Expiry.at(expiry))
                            .withXattrs(document.userXattrs(), document.systemXattrs())
                            .withOrigin(document.origin());
                    return above.write(write)
                            .thenCompose(done -> above.get(key))
                            .thenApply(copy -> noted(
                                    key,
                                    new Copied(
                                            document.cas(),
                                            copy.map(Document::cas).orElse(0L))));
                }));
    }

    private Copied noted(DocumentKey key, Copied copy) {
        copied.put(key, copy);
        return copy;
    }

    /** Makes sure that there is such a keyspace in memory; the store below has said that it exists. */
    private CompletableFuture<?> room(Keyspace keyspace) {
        Catalog catalog = above.catalog();
        return catalog.createBucket(keyspace.bucket(), 1)
                .handle((made, exists) -> catalog.createScope(keyspace.bucket(), keyspace.scope()))
                .thenCompose(made -> made.handle((done, exists) -> catalog.createCollection(keyspace)))
                .thenCompose(made -> made.handle((done, exists) -> true));
    }

    private CompletableFuture<WriteResult> carryOut(Write write, Copied copy, @Nullable ObjectNode place) {
        boolean unchanged = write.expectedCas() != 0 && write.expectedCas() == copy.below();
        Write translated = unchanged ? write.withCas(copy.copy()) : write;
        return above.get(write.key())
                .thenCompose(before -> above.write(translated)
                        .thenCompose(result -> above.get(write.key()).thenApply(after -> {
                            if (place != null && result instanceof WriteResult.Written) {
                                Effects.written(place, write.key(), before, after);
                            }
                            return result;
                        })));
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return copied.containsKey(key) ? above.get(key).thenApply(this::shown) : below.get(key);
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return copied.containsKey(key)
                ? above.getWithTombstone(key).thenApply(this::shown)
                : below.getWithTombstone(key);
    }

    /** Returns a copy that was not changed with the CAS that it has below. */
    private Optional<Document> shown(Optional<Document> found) {
        return found.map(document -> {
            Copied copy = copied.get(document.key());
            return copy == null || copy.copy() != document.cas()
                    ? document
                    : new Document(
                            document.key(),
                            copy.below(),
                            document.state(),
                            document.body(),
                            document.datatype(),
                            document.flags(),
                            document.expiry(),
                            document.userXattrs(),
                            document.systemXattrs(),
                            document.origin());
        });
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return countIds(keyspace, IdRange.ALL);
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        List<DocumentKey> written = written(keyspace, range);
        return below.ids(keyspace, range, max + written.size())
                .thenApply(ids -> merged(ids, written, IdRange::compare, max));
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        List<DocumentKey> written = written(keyspace, range);
        return below.idsDescending(keyspace, range, max + written.size())
                .thenApply(ids -> merged(ids, written, (left, right) -> IdRange.compare(right, left), max));
    }

    private List<String> merged(List<String> ids, List<DocumentKey> written, Comparator<String> order, int max) {
        List<String> all = new ArrayList<>(ids);
        all.removeAll(written.stream().map(DocumentKey::id).toList());
        written.stream().filter(this::lives).map(DocumentKey::id).forEach(all::add);
        return all.stream().sorted(order).limit(max).toList();
    }

    /** The store in memory has answered when it returns. */
    private boolean lives(DocumentKey key) {
        return above.get(key).join().isPresent();
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        List<DocumentKey> written = written(keyspace, range);
        long born = written.stream().filter(this::lives).count();
        long known =
                written.stream().filter(key -> !NOTHING.equals(copied.get(key))).count();
        return below.countIds(keyspace, range).thenApply(count -> count - known + born);
    }

    private List<DocumentKey> written(Keyspace keyspace, IdRange range) {
        return copied.keySet().stream()
                .filter(key -> key.keyspace().equals(keyspace) && range.contains(key.id()))
                .toList();
    }

    @Override
    public Catalog catalog() {
        return new ReadOnlyCatalog(below.catalog());
    }

    @Override
    public DocumentStore with(SystemHandle handle) {
        return new Overlay(below.with(handle), clock, effects);
    }

    @Override
    public DocumentIndexes indexes() {
        return below.indexes();
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        return ReadOnlyCatalog.refused("lock documents");
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return ReadOnlyCatalog.refused("unlock documents");
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets) {
        return below.changes(bucket, shard, since, vbuckets);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return below.page(bucket, shard, request);
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return below.highSeqno(bucket, shard);
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return below.time(key);
    }

    @Override
    public CompletableFuture<Long> backlog(String bucket, int shard, long since) {
        return below.backlog(bucket, shard, since);
    }

    @Override
    public CompletableFuture<Integer> expireDue(String bucket, int max) {
        return CompletableFuture.completedFuture(0);
    }
}
