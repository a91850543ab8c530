package io.millrace.metakvservice.entries;

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
import io.millrace.documents.Mutation;
import io.millrace.documents.SystemHandle;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.streams.StreamStores;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.TipResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that can be down, and that can turn into another one under those who use it. */
final class FailingStore implements DocumentStore {

    volatile boolean down;
    private volatile CompletableFuture<@Nullable Void> feedsMayGo = CompletableFuture.completedFuture(null);

    private volatile MemoryDocumentStore behind =
            new MemoryDocumentStore(InstantSource.system()).with(SystemHandle.METAKV);
    private volatile StreamStore streamsBehind = StreamStores.on(behind, SystemBucket.ENTRIES);
    private final List<ChangeFeed> feeds = new CopyOnWriteArrayList<>();

    @Override
    public DocumentStore with(SystemHandle handle) {
        return this;
    }

    /**
     * What a Redis does that restarts from an older file, or whose address leads elsewhere: feeds break and then go on where
     * they stood. Returns the way back.
     */
    Runnable replaceBy(MemoryDocumentStore other) {
        MemoryDocumentStore before = behind;
        StreamStore streamsBefore = streamsBehind;
        MemoryDocumentStore now = other.with(SystemHandle.METAKV);
        use(now, StreamStores.on(now, SystemBucket.ENTRIES));
        return () -> use(before, streamsBefore);
    }

    /** As {@link #replaceBy(MemoryDocumentStore)}, by what another store holds. */
    void replaceBy(FailingStore other) {
        use(other.behind, other.streamsBehind);
    }

    private void use(MemoryDocumentStore documents, StreamStore streams) {
        behind = documents;
        streamsBehind = streams;
        feeds.forEach(ChangeFeed::close);
    }

    /** Lets no feed look at the store any more. */
    void holdFeeds() {
        feedsMayGo = new CompletableFuture<>();
        feeds.forEach(ChangeFeed::close);
    }

    void letFeedsGo() {
        feedsMayGo.complete(null);
    }

    /** Writes as another instance does, whether this one can reach the store or not. */
    void writeBehind(String path, String value) {
        var event = List.of(ConfigEvents.set(value.getBytes(StandardCharsets.UTF_8), false, Instant.now(), null));
        streamsBehind
                .sync(
                        ConfigEvents.stream(path),
                        new SyncRequest(Expected.any(), event, event, 0, 0, TransactionId.random()))
                .join();
    }

    StreamStore streams() {
        return new StreamStore() {
            @Override
            public CompletableFuture<TipResult> tip(StreamName stream, long knownEtag) {
                return answer(() -> streamsBehind.tip(stream, knownEtag));
            }

            @Override
            public CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request) {
                return answer(() -> streamsBehind.sync(stream, request));
            }

            @Override
            public CompletableFuture<Page> read(StreamName stream, PageRequest request) {
                return answer(() -> streamsBehind.read(stream, request));
            }

            @Override
            public CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex) {
                return answer(() -> streamsBehind.prune(stream, untilIndex));
            }
        };
    }

    private <T> CompletableFuture<T> answer(Supplier<CompletableFuture<T>> call) {
        return down
                ? CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is down."))
                : call.get();
    }

    @Override
    public DocumentIndexes indexes() {
        return behind.indexes();
    }

    @Override
    public Catalog catalog() {
        if (down) {
            throw DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is down.");
        }
        return behind.catalog();
    }

    @Override
    public CompletableFuture<Optional<Document>> get(DocumentKey key) {
        return answer(() -> behind.get(key));
    }

    @Override
    public CompletableFuture<Optional<Document>> getWithTombstone(DocumentKey key) {
        return answer(() -> behind.getWithTombstone(key));
    }

    @Override
    public CompletableFuture<WriteResult> write(Write write) {
        return answer(() -> behind.write(write));
    }

    @Override
    public CompletableFuture<LockResult> lock(DocumentKey key, Instant until) {
        return answer(() -> behind.lock(key, until));
    }

    @Override
    public CompletableFuture<UnlockResult> unlock(DocumentKey key, long lockCas) {
        return answer(() -> behind.unlock(key, lockCas));
    }

    @Override
    public ChangeFeed changes(String name, int shard, long since, IntPredicate vbuckets) {
        return new ReopenedFeed(name, shard, since);
    }

    @Override
    public CompletableFuture<Instant> time(DocumentKey key) {
        return answer(() -> behind.time(key));
    }

    @Override
    public CompletableFuture<Long> highSeqno(String name, int shard) {
        return answer(() -> behind.highSeqno(name, shard));
    }

    @Override
    public CompletableFuture<ChangePage> page(String name, int shard, ChangePage.Request request) {
        return answer(() -> behind.page(name, shard, request));
    }

    @Override
    public CompletableFuture<Long> backlog(String name, int shard, long since) {
        return answer(() -> behind.backlog(name, shard, since));
    }

    @Override
    public CompletableFuture<Long> count(Keyspace keyspace) {
        return answer(() -> behind.count(keyspace));
    }

    @Override
    public CompletableFuture<List<String>> ids(Keyspace keyspace, IdRange range, int max) {
        return answer(() -> behind.ids(keyspace, range, max));
    }

    @Override
    public CompletableFuture<List<String>> idsDescending(Keyspace keyspace, IdRange range, int max) {
        return answer(() -> behind.idsDescending(keyspace, range, max));
    }

    @Override
    public CompletableFuture<Long> countIds(Keyspace keyspace, IdRange range) {
        return answer(() -> behind.countIds(keyspace, range));
    }

    @Override
    public CompletableFuture<Integer> expireDue(String name, int max) {
        return answer(() -> behind.expireDue(name, max));
    }

    /** Survives a replacement of the store behind, as a feed survives a restart of Redis. */
    private final class ReopenedFeed implements ChangeFeed {
        private final String name;
        private final int shard;
        private volatile ChangeFeed current;
        private volatile boolean closed;

        ReopenedFeed(String name, int shard, long since) {
            this.name = name;
            this.shard = shard;
            this.current = opened(since);
        }

        private ChangeFeed opened(long since) {
            ChangeFeed fresh = behind.changes(name, shard, since);
            feeds.add(fresh);
            return fresh;
        }

        @Override
        public CompletableFuture<List<Mutation>> next(int max) {
            return feedsMayGo.thenCompose(go -> answer(() -> current.next(max))).thenCompose(page -> {
                if (page.isEmpty() && !closed) {
                    current = opened(current.position());
                    return next(max);
                }
                return CompletableFuture.completedFuture(page);
            });
        }

        @Override
        public long position() {
            return current.position();
        }

        @Override
        public void close() {
            closed = true;
            current.close();
        }
    }
}
