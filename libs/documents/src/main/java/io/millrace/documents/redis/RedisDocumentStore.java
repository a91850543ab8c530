package io.millrace.documents.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
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
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.feed.SharedFeeds;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.store.Checks;
import io.millrace.documents.store.LargeReads;
import io.millrace.redis.Bytes;
import io.millrace.redis.FunctionLibrary;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import io.millrace.redis.RestartProof;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Documents on Redis 7.0 or newer, Valkey, or a cluster of either. Every write is one call of a Redis function; the
 * RATIONALE of this module tells why things lie as they do.
 *
 * <p>Connects at the first call. One connection serves any number of threads; give it Netty's
 * {@code FlushConsolidationHandler}, which makes three times as many calls of it.
 */
public final class RedisDocumentStore implements DocumentStore, AutoCloseable {

    private final InstantSource clock;
    private final RedisLink link;
    private final CatalogCache directory;
    private final RedisCatalog catalog;
    private final DocumentQueues queues;
    private final Duration slowPoll;
    private final RedisIndexes indexes;
    private final RedisLink aside;
    private final LargeReads large;
    private final SharedFeeds<Row> feeds;
    private final Map<SystemHandle, RedisDocumentStore> opened = new ConcurrentHashMap<>();

    /** Uses the connection that the supplier opens; the supplier is asked again after it failed, and must not block. */
    public RedisDocumentStore(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector,
            ChangeNotifier notifier,
            InstantSource clock) {
        this(connector, notifier, clock, ReadRoom.UNLIMITED);
    }

    /** As the other constructor; large documents are read only while there is room for them. */
    public RedisDocumentStore(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector,
            ChangeNotifier notifier,
            InstantSource clock,
            ReadRoom room) {
        this(connector, connector, notifier, clock, Limits.SLOW_POLL, room);
    }

    /**
     * As the other constructors, with a second connection to the same Redis.
     *
     * @param aside opens the connection on which documents above {@link Limits#MAX_BYTES_AMONG_OTHERS} are read; must not block
     */
    public RedisDocumentStore(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector,
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> aside,
            ChangeNotifier notifier,
            InstantSource clock,
            ReadRoom room) {
        this(connector, aside, notifier, clock, Limits.SLOW_POLL, room);
    }

    RedisDocumentStore(
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> connector,
            Supplier<CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>>> aside,
            ChangeNotifier notifier,
            InstantSource clock,
            Duration slowPoll,
            ReadRoom room) {
        this.aside = new RedisLink(aside);
        this.large = new LargeReads(room);
        this.clock = clock;
        this.slowPoll = slowPoll;
        this.feeds = new SharedFeeds<>(notifier, Limits.SHARED_FEED_BYTES);
        this.link = new RedisLink(connector, DocumentFunction.LIBRARY);
        this.directory = new CatalogCache(link, notifier, slowPoll);
        this.catalog = new RedisCatalog(link, directory);
        this.queues = new DocumentQueues(link, directory, clock, this.aside, large);
        this.indexes = new RedisIndexes(link, directory, clock);
    }

    private RedisDocumentStore(RedisDocumentStore store, SystemHandle handle) {
        this.aside = store.aside;
        this.large = store.large;
        this.clock = store.clock;
        this.slowPoll = store.slowPoll;
        this.feeds = store.feeds;
        this.link = store.link;
        this.directory = store.directory.with(handle);
        this.catalog = new RedisCatalog(link, directory);
        this.queues = new DocumentQueues(link, directory, clock, aside, large);
        this.indexes = new RedisIndexes(link, directory, clock);
    }

    /** As {@link DocumentStore#with}: one store for each handle, which ends with this one. */
    @Override
    public RedisDocumentStore with(SystemHandle handle) {
        return opened.computeIfAbsent(handle, missing -> new RedisDocumentStore(this, missing));
    }

    @Override
    public Catalog catalog() {
        return catalog;
    }

    RedisLink link() {
        return link;
    }

    CatalogCache directory() {
        return directory;
    }

    /** What the feeds of this store share. */
    SharedFeeds<Row> feeds() {
        return feeds;
    }

    /** The catalog as a move sees it. */
    RedisCatalog moves() {
        return catalog;
    }

    @Override
    public DocumentIndexes indexes() {
        return indexes;
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return find(
                key,
                DocumentCodec.FIELDS,
                document -> !document.live() || document.due(clock.instant()) ? null : document);
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return find(key, DocumentCodec.FIELDS, this::orTombstone);
    }

    @Override
    public CompletableFuture<Optional<Document>> getMetadata(DocumentKey key) {
        return find(key, DocumentCodec.SMALL_FIELDS, this::orTombstone);
    }

    private Document orTombstone(Document document) {
        return document.due(clock.instant()) ? document.expired() : document;
    }

    private CompletableFuture<Optional<Document>> find(
            DocumentKey key, byte[][] fieldsWanted, Function<Document, @Nullable Document> asOfNow) {
        try {
            return queues.read(key, Checks.id(key.id()), fieldsWanted).handle((fields, failure) -> {
                if (failure != null) {
                    throw DocumentsException.of(failure);
                }
                return Optional.ofNullable(DocumentCodec.decode(key, fields)).map(asOfNow);
            });
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        try {
            byte[] id = Checks.id(write.key().id());
            Checks.sizes(write);
            return queues.write(write, id);
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<AtomicResult> writeAtomically(List<Write> writes) {
        try {
            Checks.atomic(writes);
            return queues.submit(
                    writes.getFirst().key(),
                    (redis, place) -> DocumentCalls.writeAtomically(redis, place, writes, clock.instant()));
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        Document.Lock lock = new Document.Lock(Document.Lock.newCas(), until);
        return onDocument(key, (redis, place, id) -> DocumentCalls.lock(redis, place, id, lock, clock.instant()))
                .thenCompose(refusal ->
                        refusal.map(CompletableFuture::completedFuture).orElseGet(() -> readLocked(key, lock.cas())));
    }

    /** Reads a document that no other caller can change now. One that there is no room for is unlocked again. */
    private CompletableFuture<LockResult> readLocked(DocumentKey key, long cas) {
        return get(key).<LockResult>thenApply(found ->
                        found.isPresent() ? new LockResult.Granted(found.get(), cas) : new LockResult.NotFound())
                .exceptionallyCompose(failure -> RedisFailure.unwrap(failure) instanceof DocumentsException refused
                                && refused.code() == DocumentsException.Code.OVERLOADED
                        ? unlock(key, cas).handle((ended, unended) -> {
                            throw refused;
                        })
                        : CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return onDocument(key, (redis, place, id) -> DocumentCalls.unlock(redis, place, id, lockCas, clock.instant()));
    }

    /**
     * Adds Redis functions to those of documents, for a module whose records are documents with additional fields and keys.
     *
     * @param functions the operations; their Lua files are in the package of this enum
     * @param shared the file of what the operations share; it can use what {@code shared.lua} of documents declares
     */
    public <F extends Enum<F>> ExtensionFunctions<F> extend(Class<F> functions, String shared) {
        FunctionLibrary<F> library = FunctionLibrary.of(
                DocumentFunction.LIBRARY_PREFIX,
                functions,
                DocumentFunction.shared(),
                FunctionLibrary.read(functions, shared));
        link.add(library);
        return new ExtensionFunctions<>(library, queues, clock);
    }

    private interface DocumentOperation<T> {
        CompletionStage<T> send(RedisClusterAsyncCommands<byte[], byte[]> redis, RedisBucket.Place place, byte[] id);
    }

    private <T> CompletableFuture<T> onDocument(DocumentKey key, DocumentOperation<T> operation) {
        try {
            byte[] id = Checks.id(key.id());
            return queues.submit(key, (redis, place) -> operation.send(redis, place, id));
        } catch (DocumentsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private long nowSeconds() {
        return clock.instant().getEpochSecond();
    }

    @Override
    public ChangeFeed changes(String bucket, int shard, long since, IntPredicate vbuckets) {
        return new RedisChangeFeed(new RedisShard(link, directory, bucket, shard), feeds, slowPoll, since, vbuckets);
    }

    @Override
    public CompletableFuture<ChangePage> page(String bucket, int shard, ChangePage.Request request) {
        return new RedisShard(link, directory, bucket, shard).page(request);
    }

    @Override
    public BucketChanges inOrder(BucketInfo bucket) {
        return bucket.shards() == 1 ? DocumentStore.super.inOrder(bucket) : new RedisMergedChanges(this, bucket.name());
    }

    @Override
    public CompletableFuture<Long> highSeqno(String bucket, int shard) {
        return new RedisShard(link, directory, bucket, shard).highSeqno();
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return onDocument(key, (redis, place, id) -> DocumentCalls.time(redis, place, clock.instant()));
    }

    @Override
    public CompletableFuture<Branch> branch(String bucket, int shard) {
        return new RedisShard(link, directory, bucket, shard).branch();
    }

    @Override
    public CompletableFuture<Boolean> restartsLoseNothing() {
        return link.cluster()
                ? CompletableFuture.completedFuture(false) // each node would have to be asked
                : answer(link.call(RestartProof::ask));
    }

    @Override
    public CompletableFuture<Long> backlog(String bucket, int shard, long since) {
        return new RedisShard(link, directory, bucket, shard).backlog(since);
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return onCollection(keyspace, this::count);
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        return onCollection(
                keyspace, (bucket, collection) -> new IdScan(bucket, collection, range).ascending(link.redis(), max));
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        return onCollection(
                keyspace, (bucket, collection) -> new IdScan(bucket, collection, range).descending(link.redis(), max));
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        return onCollection(
                keyspace, (bucket, collection) -> new IdScan(bucket, collection, range).count(link.redis()));
    }

    private interface CollectionOperation<T> {
        CompletionStage<T> send(RedisBucket bucket, RedisBucket.Collection collection);
    }

    private <T> CompletableFuture<T> onCollection(Keyspace keyspace, CollectionOperation<T> operation) {
        return answer(directory.bucket(keyspace.bucket()).thenCompose(bucket -> {
            RedisBucket.Collection collection = bucket.collection(keyspace);
            return collection != null
                    ? operation.send(bucket, collection)
                    : directory.refresh().thenCompose(fresh -> {
                        RedisBucket again = fresh.require(keyspace.bucket());
                        return operation.send(again, again.require(keyspace));
                    });
        }));
    }

    private CompletionStage<Long> count(RedisBucket bucket, RedisBucket.Collection collection) {
        List<CompletableFuture<Long>> counts = new ArrayList<>();
        for (int shard = 0; shard < bucket.descriptor.shards(); shard++) {
            counts.add(link.redis()
                    .hget(bucket.shard(shard).meta(), collection.counter())
                    .thenApply(count -> count == null ? 0 : Bytes.number(count, 0))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(counts.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        counts.stream().mapToLong(CompletableFuture::join).sum());
    }

    @Override
    public CompletableFuture<Integer> expireDue(String bucket, int max) {
        return answer(due(bucket, max)
                .exceptionallyCompose(failure -> RedisFailure.unwrap(failure) instanceof DocumentQueues.StaleShard
                        ? directory
                                .refresh()
                                .thenCompose(fresh -> ShardGate.open(link, directory, fresh.require(bucket)))
                                .thenCompose(open -> due(bucket, max))
                        : CompletableFuture.failedFuture(failure)));
    }

    private CompletableFuture<Integer> due(String bucket, int max) {
        return directory.bucket(bucket).thenCompose(found -> new DueDocuments(link, found, nowSeconds()).expire(max));
    }

    static <T> CompletableFuture<T> answer(CompletionStage<T> stage) {
        return stage.<T>handle((value, failure) -> {
                    if (failure != null) {
                        throw DocumentsException.of(failure);
                    }
                    return value;
                })
                .toCompletableFuture();
    }

    /** Ends the subscription; the connection stays open, because the caller owns it. */
    @Override
    public void close() {
        directory.close();
    }
}
