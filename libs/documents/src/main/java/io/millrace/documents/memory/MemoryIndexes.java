package io.millrace.documents.memory;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentIndexes;
import io.millrace.documents.DocumentIndexes.ByteRange;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The indexes of a {@link MemoryDocumentStore}. */
final class MemoryIndexes implements DocumentIndexes {

    /** @param collection never used again, also not by a later one of the same name; a flush does not change it */
    private record Name(String bucket, int collection, String id) {}

    /** Entries of all shards, those of each document, and up to which seqno each shard is indexed. */
    private static final class Entries {
        final NavigableSet<byte[]> ordered = new TreeSet<>(Arrays::compareUnsigned);
        final Map<DocumentKey, List<byte[]>> byDocument = new HashMap<>();
        final Map<Integer, Long> positions = new HashMap<>();
        int clearings;
    }

    private final MemoryCatalog catalog;
    private final InstantSource clock;
    private final Map<Name, Entries> indexes = new HashMap<>();

    MemoryIndexes(MemoryCatalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    private synchronized <T> CompletableFuture<T> answer(Supplier<T> work) {
        return MemoryDocumentStore.answer(work);
    }

    @Override
    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    public CompletableFuture<Void> open(Keyspace keyspace, String id) {
        return answer(() -> {
            indexes.putIfAbsent(name(keyspace, id), new Entries());
            return null;
        });
    }

    @Override
    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    public CompletableFuture<Void> completeIds(Keyspace keyspace) {
        return MemoryDocumentStore.answer(() -> catalog.bucket(keyspace)).thenAccept(complete -> {});
    }

    @Override
    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    public CompletableFuture<Void> drop(Keyspace keyspace, String id) {
        return answer(() -> {
            indexes.remove(name(keyspace, id));
            return null;
        });
    }

    @Override
    @SuppressWarnings("NullAway") // the null that a CompletableFuture<Void> holds
    public CompletableFuture<Void> update(Index index) {
        return answer(() -> {
            current(index);
            return null;
        });
    }

    @Override
    public CompletableFuture<Double> progress(Keyspace keyspace, String id) {
        return answer(() -> {
            Entries entries = require(keyspace, id);
            List<MemoryShard> shards = catalog.bucket(keyspace).shards();
            double all = 0;
            for (int i = 0; i < shards.size(); i++) {
                double total = Math.max(1, shards.get(i).backlog(0));
                all += 1 - shards.get(i).backlog(entries.positions.getOrDefault(i, 0L)) / total;
            }
            return all / shards.size();
        });
    }

    @Override
    public CompletableFuture<List<byte[]>> scan(Index index, ByteRange range, boolean descending, int max) {
        return answer(() -> {
            NavigableSet<byte[]> entries = current(index).ordered;
            return (descending ? entries.descendingSet() : entries)
                    .stream().filter(range::contains).limit(max).toList();
        });
    }

    @Override
    public CompletableFuture<Long> count(Index index, List<ByteRange> ranges, boolean current) {
        return answer(() -> {
            NavigableSet<byte[]> entries = current(index).ordered;
            return entries.stream()
                    .filter(entry -> ranges.stream().anyMatch(range -> range.contains(entry)))
                    .count();
        });
    }

    private Name name(Keyspace keyspace, String id) {
        MemoryCatalog.Bucket bucket = catalog.bucket(keyspace);
        return new Name(keyspace.bucket(), bucket.lasting(bucket.descriptor().collection(keyspace)), id);
    }

    private Entries require(Keyspace keyspace, String id) {
        Entries entries = indexes.get(name(keyspace, id));
        if (entries == null) {
            throw DocumentsException.indexNotFound(keyspace);
        }
        return entries;
    }

    /** Returns the entries of an index, up to date. */
    private Entries current(Index index) {
        Entries entries = require(index.keyspace(), index.id());
        List<MemoryShard> shards = catalog.bucket(index.keyspace()).shards();
        int clearings = shards.stream().mapToInt(MemoryShard::clearings).sum();
        if (clearings != entries.clearings) {
            entries.clearings = clearings;
            entries.ordered.clear();
            entries.byDocument.clear();
        }
        for (int i = 0; i < shards.size(); i++) {
            shards.get(i).expireDue(clock.instant(), Integer.MAX_VALUE);
            for (Mutation mutation : shards.get(i).after(entries.positions.getOrDefault(i, 0L), Integer.MAX_VALUE)) {
                entries.positions.put(i, mutation.seqno());
                apply(mutation.document(), index, entries);
            }
        }
        return entries;
    }

    private static void apply(Document document, Index index, Entries entries) {
        if (document.key().keyspace().equals(index.keyspace())) {
            List<byte[]> now = document.live() ? index.entries().apply(document) : List.of();
            List<byte[]> before = entries.byDocument.put(document.key(), now);
            if (before != null) {
                before.forEach(entries.ordered::remove);
            }
            entries.ordered.addAll(now);
        }
    }
}
