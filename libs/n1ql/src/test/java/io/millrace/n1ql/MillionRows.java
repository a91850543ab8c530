package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.keyspace.Keyspace.KeyRange;
import io.millrace.n1ql.keyspace.Keyspace.SecondaryIndex;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A program that runs statements over documents that are made while they are read. */
final class MillionRows implements KeyspaceStore, Keyspace {

    private final int documents;
    private final String text;

    /** @param bytes the size of a text in each document */
    MillionRows(int documents, int bytes) {
        this.documents = documents;
        this.text = "x".repeat(bytes);
    }

    /** @param args the number of documents, the bytes of each, and statements */
    public static void main(String[] args) {
        MillionRows documents = new MillionRows(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        QueryEngine engine = new QueryEngine(documents, InstantSource.system());
        QueryOptions options = QueryOptions.DEFAULT.withNamed(Map.of());
        for (String statement : Arrays.asList(args).subList(2, args.length)) {
            long began = System.nanoTime();
            int count = 0;
            try (Rows rows = engine.execute(statement, options)) {
                while (rows.next() != null) {
                    count++;
                }
            }
            System.out.println("read " + count + " rows in " + (System.nanoTime() - began) / 1_000_000 + " ms");
        }
    }

    @Override
    public Keyspace keyspace(KeyspaceName name) {
        return this;
    }

    @Override
    public List<KeyspaceName> names() {
        return List.of(name());
    }

    @Override
    public KeyspaceName name() {
        return KeyspaceName.of("t");
    }

    @Override
    public CompletableFuture<Fetched> fetch(List<String> keys) {
        List<StoredDocument> documents = new ArrayList<>();
        for (String key : keys) {
            int n = Integer.parseInt(key);
            // some order that is not the one of the keys
            long mixed = n * 2_654_435_761L % this.documents;
            String body = "{\"n\":" + n + ",\"m\":" + mixed + ",\"text\":\"" + text + "\"}";
            documents.add(new StoredDocument(key, body.getBytes(StandardCharsets.UTF_8), true, 1, 0, 0));
        }
        return CompletableFuture.completedFuture(Fetched.of(documents));
    }

    @Override
    public CompletableFuture<List<String>> keys(KeyRange range, int max) {
        int first = range.from() == null ? 0 : Integer.parseInt(range.from()) + 1;
        List<String> keys = new ArrayList<>();
        for (int i = first; i < documents && keys.size() < max; i++) {
            keys.add(String.format("%07d", i));
        }
        return CompletableFuture.completedFuture(keys);
    }

    @Override
    public CompletableFuture<Long> count() {
        return CompletableFuture.completedFuture((long) documents);
    }

    @Override
    public List<IndexDefinition> indexes() {
        return List.of(IndexDefinition.primary(IndexDefinition.PRIMARY_NAME));
    }

    @Override
    public CompletableFuture<Change.Outcome> change(Change change) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> createIndex(IndexDefinition index) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> buildIndex(SecondaryIndex index) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Integer> buildProgress(String index) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<byte[]>> scan(SecondaryIndex index, EntryRange range, boolean descending, int max) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<String>> keysDescending(KeyRange range, int max) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Long> count(KeyRange range) {
        return count();
    }

    @Override
    public CompletableFuture<Long> count(SecondaryIndex index, List<EntryRange> ranges, boolean current) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(String name) {
        throw new UnsupportedOperationException();
    }
}
