package io.millrace.n1ql.transaction;

import io.millrace.n1ql.keyspace.Fetched;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.value.StringValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A keyspace as a transaction sees it. What it lists is what the store lists, without the keys and entries that changed
 * documents had and with those that they have.
 */
final class TransactionKeyspace implements Keyspace {

    private final Keyspace below;
    private final Transaction transaction;

    TransactionKeyspace(Keyspace below, Transaction transaction) {
        this.below = below;
        this.transaction = transaction;
    }

    @Override
    public KeyspaceName name() {
        return below.name();
    }

    // ---- documents

    @Override
    public CompletableFuture<Fetched> fetch(List<String> keys) {
        Map<String, Pending> changed = transaction.pending(name());
        List<String> others =
                keys.stream().filter(key -> !changed.containsKey(key)).toList();
        return others.isEmpty()
                ? CompletableFuture.completedFuture(merged(keys, changed, Fetched.NONE))
                : below.fetch(others).thenApply(read -> merged(keys, changed, read));
    }

    /** Ends where the store had no room for the next document. */
    private static Fetched merged(List<String> keys, Map<String, Pending> changed, Fetched read) {
        List<@Nullable StoredDocument> documents = new ArrayList<>(keys.size());
        int next = 0;
        for (String key : keys) {
            Pending own = changed.get(key);
            if (own == null && next == read.documents().size()) {
                break;
            }
            documents.add(own == null ? read.documents().get(next++) : own.now());
        }
        return Fetched.counted(documents, read.shortage(), read::close);
    }

    @Override
    public CompletableFuture<Change.Outcome> change(Change change) {
        if (transaction.pending(name()).containsKey(change.key())) {
            return CompletableFuture.completedFuture(transaction.change(name(), change, null));
        }
        return below.fetch(List.of(change.key())).thenApply(read -> {
            try (read) {
                if (read.documents().isEmpty() && read.shortage() != null) {
                    throw read.shortage();
                }
                return transaction.change(name(), change, read.documents().getFirst());
            }
        });
    }

    // ---- keys

    @Override
    public CompletableFuture<Long> count() {
        return count(KeyRange.ALL);
    }

    @Override
    public CompletableFuture<Long> count(KeyRange range) {
        Keys keys = new Keys(range);
        return below.count(range).thenApply(count -> Math.max(0, count + keys.added.size() - keys.removed.size()));
    }

    @Override
    public CompletableFuture<List<String>> keys(KeyRange range, int max) {
        Keys keys = new Keys(range);
        return below.keys(range, max + keys.removed.size())
                .thenApply(found -> merged(found, keys.removed, keys.added, StringValue::compare, max));
    }

    @Override
    public CompletableFuture<List<String>> keysDescending(KeyRange range, int max) {
        Keys keys = new Keys(range);
        Comparator<String> descending = (left, right) -> StringValue.compare(right, left);
        return below.keysDescending(range, max + keys.removed.size())
                .thenApply(found -> merged(found, keys.removed, keys.added, descending, max));
    }

    /** The keys of a range that the transaction has removed and added. */
    private final class Keys {

        private final List<String> removed = new ArrayList<>();
        private final List<String> added = new ArrayList<>();

        Keys(KeyRange range) {
            transaction.pending(name()).forEach((key, document) -> {
                boolean was = document.before() != null;
                boolean is = document.now() != null;
                if (was != is && range.contains(key)) {
                    (is ? added : removed).add(key);
                }
            });
        }
    }

    /**
     * Corrects the first values of a range. The store was asked for as many more as may have to go, so that none is missing
     * before the last that is left.
     */
    private static <T> List<T> merged(
            List<T> found, Collection<T> removed, Collection<T> added, Comparator<T> order, int max) {
        if (removed.isEmpty() && added.isEmpty()) {
            return found;
        }
        NavigableSet<T> gone = new TreeSet<>(order);
        gone.addAll(removed);
        return Stream.concat(found.stream().filter(value -> !gone.contains(value)), added.stream())
                .sorted(order)
                .limit(max)
                .toList();
    }

    // ---- indexes

    @Override
    public List<IndexDefinition> indexes() {
        return below.indexes();
    }

    @Override
    public CompletableFuture<List<byte[]>> scan(SecondaryIndex index, EntryRange range, boolean descending, int max) {
        List<byte[]> removed = entries(index, Pending::before, range::contains);
        List<byte[]> added = entries(index, Pending::now, range::contains);
        Comparator<byte[]> ascending = Arrays::compareUnsigned;
        return below.scan(index, range, descending, max + removed.size())
                .thenApply(found -> merged(found, removed, added, descending ? ascending.reversed() : ascending, max));
    }

    @Override
    public CompletableFuture<Long> count(SecondaryIndex index, List<EntryRange> ranges, boolean current) {
        Predicate<byte[]> inside = entry -> ranges.stream().anyMatch(range -> range.contains(entry));
        int removed = entries(index, Pending::before, inside).size();
        int added = entries(index, Pending::now, inside).size();
        return below.count(index, ranges, current).thenApply(count -> Math.max(0, count + added - removed));
    }

    private List<byte[]> entries(
            SecondaryIndex index, Function<Pending, @Nullable StoredDocument> state, Predicate<byte[]> inside) {
        List<byte[]> entries = new ArrayList<>();
        for (Pending document : transaction.pending(name()).values()) {
            StoredDocument found = state.apply(document);
            if (found != null) {
                index.entries().of(found).stream().filter(inside).forEach(entries::add);
            }
        }
        return entries;
    }

    @Override
    public CompletableFuture<Boolean> createIndex(IndexDefinition index) {
        throw definesNothing();
    }

    @Override
    public CompletableFuture<Void> buildIndex(SecondaryIndex index) {
        throw definesNothing();
    }

    @Override
    public CompletableFuture<Integer> buildProgress(String index) {
        return below.buildProgress(index);
    }

    @Override
    public CompletableFuture<Boolean> dropIndex(String index) {
        throw definesNothing();
    }

    private static UnsupportedOperationException definesNothing() {
        return new UnsupportedOperationException("A transaction does not change indexes");
    }
}
