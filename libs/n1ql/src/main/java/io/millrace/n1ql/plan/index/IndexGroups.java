package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.plan.index.IndexSpans.Spans;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Groups, or distinct results, that are the values of the first keys of an index: the entries of a group lie side by side.
 * So the first entry of each group is read and the others are skipped; the store counts them.
 *
 * @param keys for each key of the groups, or for each distinct expression, its position in the index
 * @param aggregates of each group; empty for DISTINCT
 */
record IndexGroups(List<Integer> keys, List<Aggregate> aggregates) {

    /** An aggregate that the entries of a group tell without being read. MIN and MAX are those of the key behind the group's. */
    enum Aggregate {
        COUNT,
        MIN,
        MAX
    }

    /** Skipping to the next group costs as much as reading so many entries. */
    private static final long SKIP_COST = 64;

    /** So many groups may be small before that is believed of all. */
    private static final int FREE_SKIPS = 4;

    /** More groups are not held. */
    private static final int MOST_GROUPS = 10_000;

    private static final byte[] BEHIND_ALL = {(byte) 0xff, (byte) 0xff};

    /** Returns how an index gives the groups of a query, or null if it does not. */
    static @Nullable IndexGroups of(CompiledIndex index, Query.Select select, UnaryOperator<Expr> shaped) {
        List<Expr> wanted = new ArrayList<>();
        List<Aggregate> aggregates = new ArrayList<>();
        Query.Grouping grouping = select.grouping();
        if (grouping != null) {
            grouping.keys().forEach(key -> wanted.add(key.expr()));
        } else if (select.distinct() && select.windowCalls().isEmpty()) {
            for (Query.Term term : select.projection().terms()) {
                if (!(term instanceof Query.ExprTerm plain)) {
                    return null;
                }
                wanted.add(plain.expr());
            }
        }
        List<Integer> keys = wanted.stream()
                .map(expr -> index.keys().indexOf(shaped.apply(expr)))
                .toList();
        int count = new HashSet<>(keys).size();
        boolean leading = keys.stream().allMatch(key -> key >= 0 && key < count);
        if (keys.isEmpty() || !leading || index.hasEach()) {
            return null;
        }
        for (Query.Computed computed : select.aggregates()) {
            Aggregate aggregate = aggregate(computed.call(), index, count, shaped);
            if (aggregate == null) {
                return null;
            }
            aggregates.add(aggregate);
        }
        return new IndexGroups(keys, aggregates);
    }

    private static @Nullable Aggregate aggregate(
            Expr.Call call, CompiledIndex index, int next, UnaryOperator<Expr> shaped) {
        if (call.filter() != null) {
            return null;
        }
        boolean ofNext = !call.star()
                && next < index.keys().size()
                && shaped.apply(call.args().getFirst()).equals(index.keys().get(next));
        return switch (call.name()) {
            case "count" -> call.star() ? Aggregate.COUNT : null;
            case "min" -> ofNext ? Aggregate.MIN : null;
            case "max" -> ofNext ? Aggregate.MAX : null;
            default -> null;
        };
    }

    private int leading() {
        return new HashSet<>(keys).size();
    }

    /** Reads the groups; empty if reading all entries is expected to cost less. */
    Optional<List<ScanChoice.Group>> read(
            Keyspace keyspace, IndexPath path, Spans spans, Frame row, KeyspaceSlots slots) {
        Execution execution = row.execution();
        Keyspace.SecondaryIndex index = path.index().secondary();
        long entries = execution.await(keyspace.count(index, spans.ranges(), true));
        if (entries < 2 * SKIP_COST) {
            return Optional.empty();
        }
        long skipped = 0;
        Map<List<Value>, Found> found = new LinkedHashMap<>();
        for (EntryRange range : spans.ranges()) {
            EntryRange left = range;
            for (byte[] first = first(keyspace, index, left, execution);
                    first != null;
                    first = first(keyspace, index, left, execution)) {
                byte[] prefix = prefix(path.index(), first);
                EntryRange group = clipped(new EntryRange(prefix, KeyEncoding.concat(prefix, BEHIND_ALL)), range);
                CompiledIndex.Entry entry = path.index().read(first);
                long size = execution.await(keyspace.count(index, List.of(group), true));
                skipped += size;
                List<Value> key = entry.keys().subList(0, leading());
                Found one = found.computeIfAbsent(key, none -> new Found(entry, new ArrayList<>()));
                if (found.size() > Math.min(MOST_GROUPS, FREE_SKIPS + skipped / SKIP_COST)) {
                    return Optional.empty();
                }
                one.parts().add(ask(keyspace, path.index(), group, prefix, size));
                left = new EntryRange(group.to(), range.to());
            }
        }
        return Optional.of(
                found.values().stream().map(one -> group(one, path, row, slots)).toList());
    }

    /** A group, and for each range of its entries what its aggregates are computed from. */
    private record Found(CompiledIndex.Entry first, List<List<CompletableFuture<Value>>> parts) {}

    private static byte @Nullable [] first(
            Keyspace keyspace, Keyspace.SecondaryIndex index, EntryRange range, Execution execution) {
        execution.check();
        if (Arrays.compareUnsigned(range.from(), range.to()) >= 0) {
            return null;
        }
        List<byte[]> page = execution.await(keyspace.scan(index, range, false, 1));
        return page.isEmpty() ? null : page.getFirst();
    }

    /** Returns the bytes of the keys that make a group. */
    private byte[] prefix(CompiledIndex index, byte[] entry) {
        KeyEncoding.Reader reader = new KeyEncoding.Reader(entry);
        for (int i = 0; i < leading(); i++) {
            reader.value(index.descending(i));
        }
        return Arrays.copyOf(entry, reader.position());
    }

    private static EntryRange clipped(EntryRange group, EntryRange range) {
        byte[] from = Arrays.compareUnsigned(group.from(), range.from()) < 0 ? range.from() : group.from();
        byte[] to = Arrays.compareUnsigned(group.to(), range.to()) > 0 ? range.to() : group.to();
        return new EntryRange(from, to);
    }

    private List<CompletableFuture<Value>> ask(
            Keyspace keyspace, CompiledIndex index, EntryRange group, byte[] prefix, long size) {
        List<CompletableFuture<Value>> answers = new ArrayList<>();
        for (Aggregate aggregate : aggregates) {
            answers.add(
                    aggregate == Aggregate.COUNT
                            ? CompletableFuture.completedFuture(Value.of(size))
                            : extreme(keyspace, index, group, prefix, aggregate == Aggregate.MAX));
        }
        return answers;
    }

    /** Returns the least or the greatest value of the key behind those of the group, NULL without any. */
    private CompletableFuture<Value> extreme(
            Keyspace keyspace, CompiledIndex index, EntryRange group, byte[] prefix, boolean greatest) {
        int key = leading();
        boolean descending = index.descending(key);
        byte[] nothing = {KeyEncoding.NULL};
        byte[] border = KeyEncoding.concat(prefix, descending ? KeyEncoding.inverted(nothing) : nothing);
        EntryRange valued = clipped(
                descending
                        ? new EntryRange(prefix, border)
                        : new EntryRange(KeyEncoding.concat(border, BEHIND_ALL), group.to()),
                group);
        if (Arrays.compareUnsigned(valued.from(), valued.to()) >= 0) {
            return CompletableFuture.completedFuture(Value.NULL);
        }
        return keyspace.scan(index.secondary(), valued, greatest != descending, 1)
                .thenApply(page -> page.isEmpty()
                        ? Value.NULL
                        : index.read(page.getFirst()).keys().get(key));
    }

    private ScanChoice.Group group(Found found, IndexPath path, Frame row, KeyspaceSlots slots) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            Value all = null;
            for (List<CompletableFuture<Value>> part : found.parts()) {
                Value one = row.execution().await(part.get(i));
                all = all == null ? one : both(aggregates.get(i), all, one);
            }
            values.add(all == null ? Value.NULL : all);
        }
        List<Value> own =
                keys.stream().map(key -> found.first().keys().get(key)).toList();
        Frame told = row.copy();
        path.cover().fill(told, found.first(), slots);
        return new ScanChoice.Group(own, values, told);
    }

    /** Numbers that are equal beyond the precision of a double have several ranges. */
    private static Value both(Aggregate aggregate, Value one, Value other) {
        if (one.isNull() || other.isNull()) {
            return one.isNull() ? other : one;
        }
        return switch (aggregate) {
            case COUNT -> Value.of(((NumberValue) one).longValue() + ((NumberValue) other).longValue());
            case MIN -> one.compareTo(other) <= 0 ? one : other;
            case MAX -> one.compareTo(other) >= 0 ? one : other;
        };
    }
}
