package io.millrace.documents.memory;

import io.millrace.documents.BucketChanges;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.store.MergedFeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The changes of a bucket of several shards in memory: merged at each read. */
final class MemoryMergedChanges implements BucketChanges {

    private final MemoryDocumentStore store;
    private final BucketInfo bucket;
    private final NavigableMap<Long, DocumentKey> log = new TreeMap<>();
    private final Map<DocumentKey, Long> places = new HashMap<>();
    private final long[] cursors;
    private long newest;

    MemoryMergedChanges(MemoryDocumentStore store, BucketInfo bucket) {
        this.store = store;
        this.bucket = bucket;
        this.cursors = new long[bucket.shards()];
        this.newest = BucketInfo.firstSeqno(bucket.incarnation());
    }

    long incarnation() {
        return bucket.incarnation();
    }

    private synchronized <T> CompletableFuture<T> merged(Supplier<T> read) {
        return MemoryDocumentStore.answer(() -> {
            for (int shard = 0; shard < cursors.length; shard++) {
                var request = new ChangePage.Request(cursors[shard], false, Limits.MAX_PAGE_MUTATIONS, false);
                ChangePage page;
                do {
                    page = store.shard(bucket.name(), shard).page(request);
                    page.mutations()
                            .forEach(mutation -> append(mutation.document().key()));
                    cursors[shard] = page.position();
                    request = new ChangePage.Request(cursors[shard], false, Limits.MAX_PAGE_MUTATIONS, false);
                } while (page.more());
            }
            return read.get();
        });
    }

    private void append(DocumentKey key) {
        Long former = places.put(key, ++newest);
        if (former != null) {
            log.remove(former);
        }
        log.put(newest, key);
    }

    @Override
    public CompletableFuture<ChangePage> page(ChangePage.Request request) {
        return merged(() -> {
            NavigableMap<Long, DocumentKey> rows = request.newestFirst()
                    ? log.headMap(request.from(), false).descendingMap()
                    : log.tailMap(request.from(), false);
            List<Mutation> page = rows.entrySet().stream()
                    .limit(request.max())
                    .flatMap(row -> store.getWithTombstone(row.getValue()).join().stream()
                            .map(document -> new Mutation(row.getKey(), document)))
                    .toList();
            long position = page.isEmpty() ? request.from() : page.getLast().seqno();
            return new ChangePage(page, position, rows.size() > request.max());
        });
    }

    @Override
    public CompletableFuture<Long> high() {
        return merged(() -> newest);
    }

    @Override
    public CompletableFuture<Long> backlog(long since) {
        return merged(() -> (long) log.tailMap(since, false).size());
    }

    @Override
    public CompletableFuture<OptionalLong> place(Document document) {
        return merged(() -> {
            Long place = places.get(document.key());
            return place == null ? OptionalLong.empty() : OptionalLong.of(place);
        });
    }

    @Override
    public ChangeFeed feed(long since) {
        return new MergedFeed(
                this,
                () -> merged(() -> IntStream.range(0, cursors.length)
                        .mapToObj(shard -> store.changes(bucket.name(), shard, cursors[shard]))
                        .toList()),
                since);
    }
}
