package io.millrace.metakvservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Catalog;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.IdRange;
import io.millrace.documents.Keyspace;
import io.millrace.documents.LockResult;
import io.millrace.documents.MemoryDocumentStore;
import io.millrace.documents.Mutation;
import io.millrace.documents.TransactionId;
import io.millrace.documents.UnlockResult;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The mirror over a store that fails, forgets and comes back. */
class MirrorFeedTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final FailingStore store = new FailingStore();
    private final SystemBucket bucket = new SystemBucket(store);
    private final Mirror mirror = new Mirror();
    private final MirrorFeed feed = new MirrorFeed(store, bucket, mirror);
    private final Entries entries = new Entries(bucket, mirror, feed);

    @BeforeEach
    void start() {
        feed.start();
    }

    @AfterEach
    void stop() {
        feed.stop();
    }

    @Test
    void list_waitsForTheStoreAtTheStart() {
        feed.stop();
        store.down = true;
        var late = new Mirror();
        var lateFeed = new MirrorFeed(store, bucket, late);
        var lateEntries = new Entries(bucket, late, lateFeed);

        lateFeed.start();
        assertThat(late.live()).isFalse();
        assertThatThrownBy(() -> lateEntries.list("/").block(LONG)).isInstanceOf(DocumentsException.class);
        store.down = false;

        await().until(late::live);
        assertThat(lateEntries.list("/").block(LONG)).isEmpty();
        lateFeed.stop();
    }

    @Test
    void watch_goesOnAfterAnOutage() {
        var seen = watch("/");
        set("/x", "1");

        store.down = true;
        assertThatThrownBy(() -> set("/x", "2")).isInstanceOf(DocumentsException.class);
        store.down = false;
        set("/x", "3");

        await().untilAsserted(() -> assertThat(seen).containsExactly("reset", "ready", "/x=1", "/x=3"));
    }

    @Test
    void list_isRightAfterTheStoreLostItsLatestWrites() {
        set("/x", "1");
        set("/y", "lost");
        set("/y", "lost too");

        store.replaceBy(new MemoryDocumentStore(InstantSource.system()));
        bucket.create().block(LONG);
        store.write(Write.upsert(new DocumentKey(SystemBucket.ENTRIES, "/x"), "1".getBytes(UTF_8)))
                .join();

        assertThat(list()).containsExactly("/x=1");
    }

    @Test
    void watch_isToldAllAnewAfterTheStoreLostItsLatestWrites() {
        set("/x", "1");
        set("/y", "lost");
        var seen = watch("/");
        await().until(() -> seen.contains("ready"));
        seen.clear();

        store.replaceBy(new MemoryDocumentStore(InstantSource.system()));
        set("/z", "new");

        await().untilAsserted(() -> assertThat(seen).containsExactly("reset", "/z=new", "ready"));
    }

    @Test
    void list_isNotHeldUpByACountedChangeThatIsNeverTold() {
        set("/x", "1");
        store.claimedSeqno = mirror.position() + 1;

        assertThat(list()).containsExactly("/x=1");
    }

    @Test
    void mirror_beginsAnewWhenTheBucketIsDropped() {
        set("/x", "1");
        store.catalog().dropBucket(SystemBucket.NAME).join();

        set("/y", "2");

        assertThat(list()).containsExactly("/y=2");
    }

    @Test
    void stop_endsTheWatches() {
        var ended = new CopyOnWriteArrayList<String>();
        Disposable watch = entries.watch("/", null)
                .flatMapMany(notices -> notices)
                .doOnComplete(() -> ended.add("ended"))
                .subscribe();
        await().until(() -> entries.watchers() == 1);

        feed.stop();

        await().untilAsserted(() -> assertThat(ended).containsExactly("ended"));
        assertThat(entries.watchers()).isZero();
        watch.dispose();
    }

    private void set(String path, String value) {
        assertThat(entries.set(path, value.getBytes(UTF_8), TransactionId.random())
                        .block(LONG))
                .isInstanceOf(WriteOutcome.Written.class);
    }

    private List<String> list() {
        List<MetakvEntry> found = entries.list("/").block(LONG);
        return found == null
                ? List.of()
                : found.stream().map(e -> e.path() + "=" + e.text()).toList();
    }

    private List<String> watch(String directory) {
        var seen = new CopyOnWriteArrayList<String>();
        entries.watch(directory, null)
                .flatMapMany(notices -> notices)
                .map(notice -> switch (notice) {
                    case Notice.Reset() -> "reset";
                    case Notice.Ready ready -> "ready";
                    case Notice.Entry entry ->
                        entry.path()
                                + (entry.entry() == null
                                        ? " gone"
                                        : "=" + entry.entry().text());
                })
                .subscribe(seen::add);
        await().until(() -> seen.contains("ready"));
        return seen;
    }

    /** A store that can be down, and that can turn into another one under those who use it. */
    private static final class FailingStore implements DocumentStore {

        volatile boolean down;

        /** When not 0, what highSeqno says. */
        volatile long claimedSeqno;

        private volatile DocumentStore behind = new MemoryDocumentStore(InstantSource.system());
        private final List<ChangeFeed> feeds = new CopyOnWriteArrayList<>();

        /** What a Redis does that restarts from an older file: feeds break and then go on where they stood. */
        void replaceBy(DocumentStore other) {
            behind = other;
            feeds.forEach(ChangeFeed::close);
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
        public ChangeFeed changes(String name, int shard, long since) {
            return new ReopenedFeed(name, shard, since);
        }

        @Override
        public CompletableFuture<Long> highSeqno(String name, int shard) {
            return claimedSeqno != 0
                    ? CompletableFuture.completedFuture(claimedSeqno)
                    : answer(() -> behind.highSeqno(name, shard));
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
                return answer(() -> current.next(max)).thenCompose(page -> {
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
}
