package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.plan.index.IndexSpans.Spans;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Frame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the indexes that can serve a scan would read in this run. The store counts the entries of each; how many of them
 * another condition leaves is estimated from the counts of the indexes for that condition.
 */
final class ScanCosts {

    /** An estimate must be better than a count by this factor. */
    private static final double DOUBT = 1.5;

    /** How many times the documents that it needs a scan reads that ends early, because they come in pages. */
    private static final double PAGES = 2;

    /** How many of the rows a filter leaves if no index knows. */
    private static final double UNKNOWN_FILTER = 0.9;

    /**
     * What a way reads.
     *
     * @param entries of indexes, or keys
     * @param documents read from the store
     * @param more ranges of indexes that are asked for behind the first one
     */
    record Cost(double entries, double documents, double more) {

        double total() {
            return entries + Operator.DOCUMENT * documents + Operator.LOOKUP * more;
        }

        Cost and(Cost other) {
            return new Cost(entries + other.entries, documents + other.documents, more + 1 + other.more);
        }
    }

    /**
     * An index with the ranges of this run, and how many entries these have.
     *
     * @param cost what it probably reads
     */
    record Counted(IndexPath path, Spans spans, long count, Cost cost) {

        /** Returns whether each document is a row, except where a condition holds for another element of it only. */
        boolean hasOnlyRows() {
            return decides() || !path.undecided() && spans.exactForElements();
        }

        private boolean decides() {
            return path.decides(spans);
        }

        /** If not each document is a row, how many are read is a guess, so one range more does not matter. */
        private double ofOneRow() {
            double least = hasOnlyRows() ? Operator.LOOKUP : 0;
            return (cost.total() + least) / Math.max(1, cost.documents());
        }

        private boolean isEnough(long wanted) {
            return hasOnlyRows() && cost.documents() >= wanted;
        }
    }

    private static final Comparator<Counted> BETTER = Comparator.<Counted>comparingDouble(
                    one -> one.cost().total())
            .thenComparing(one -> !one.path().ordered())
            .thenComparing(one -> -one.path().spans().singleKeys())
            .thenComparing(one -> -one.path().spans().keys())
            .thenComparing(one -> !one.path().covers())
            .thenComparing(one -> -one.path().index().where().size());

    private final long total;
    private final First first;
    private final boolean anyOrder;
    private final List<Counted> counted = new ArrayList<>();
    private final List<Counted> alike = new ArrayList<>();

    /**
     * How many rows end a scan.
     *
     * @param enough that are enough, or 0 for all
     * @param perhaps that are enough if later operators keep each of them, or 0 for all
     */
    record First(long enough, long perhaps) {

        static final First ALL = new First(0, 0);

        static First of(IndexChoice.@Nullable Rows rows, Frame row) {
            long most = rows == null ? 0 : rows.at(row);
            return new First(rows != null && rows.enough() ? most : 0, most);
        }
    }

    /**
     * @param total how many documents there are
     * @param anyOrder whether no order is wanted
     */
    private ScanCosts(long total, First first, boolean anyOrder) {
        this.total = Math.max(1, total);
        this.first = first;
        this.anyOrder = anyOrder;
    }

    /**
     * Asks the store for all counts at once.
     *
     * @param alike indexes whose documents are the same for each row of another scan
     */
    static ScanCosts ask(
            Keyspace keyspace, List<IndexPath> paths, List<IndexPath> alike, First first, boolean anyOrder, Frame row) {
        CompletableFuture<Long> all = keyspace.count();
        List<Supplier<Counted>> counts = new ArrayList<>();
        Stream.concat(paths.stream(), alike.stream()).forEach(path -> counts.add(count(keyspace, path, row)));
        ScanCosts costs = new ScanCosts(row.execution().await(all), first, anyOrder);
        counts.subList(0, paths.size()).forEach(count -> costs.counted.add(count.get()));
        counts.subList(paths.size(), counts.size()).forEach(count -> costs.alike.add(count.get()));
        costs.counted.replaceAll(one -> new Counted(one.path(), one.spans(), one.count(), costs.cost(one, false)));
        return costs;
    }

    private static Supplier<Counted> count(Keyspace keyspace, IndexPath path, Frame row) {
        Spans spans = path.spans().at(row);
        CompletableFuture<Long> counted = spans.ranges().isEmpty()
                ? CompletableFuture.completedFuture(0L)
                : keyspace.count(path.index().secondary(), spans.ranges(), false);
        return () -> {
            long count = row.execution().await(counted);
            return new Counted(path, spans, count, new Cost(count, count, 0));
        };
    }

    long total() {
        return total;
    }

    Counted best() {
        return Collections.min(counted, BETTER);
    }

    /**
     * Returns alternatives in the order in which the wanted rows probably cost least. Those of whose documents each is a row come
     * first, and among them those whose rows cost least. One that has all rows comes before them if it costs no more than
     * they do: the store is asked for each range, and for entries that a filter may reject in pages.
     *
     * @param wanted how many rows are enough, or 0 for all
     */
    static List<Counted> cheapestFirst(List<Counted> alternatives, long wanted) {
        if (wanted == 0) {
            return alternatives;
        }
        List<Counted> order = new ArrayList<>(alternatives);
        order.sort(Comparator.<Counted, Boolean>comparing(one -> !one.hasOnlyRows())
                .thenComparingDouble(Counted::ofOneRow)
                .thenComparing(one -> !one.decides()));
        order.stream()
                .filter(one -> one.isEnough(wanted))
                .min(Comparator.comparingDouble(one -> one.cost().total()))
                .filter(one -> one.cost().total() <= ofRows(order, wanted))
                .ifPresent(one -> {
                    order.remove(one);
                    order.addFirst(one);
                });
        return order;
    }

    /** Returns what the first rows of alternatives cost that have so many. */
    private static double ofRows(List<Counted> order, long wanted) {
        double cost = -Operator.LOOKUP;
        double missing = wanted;
        for (Counted one : order) {
            if (missing > 0) {
                double taken = Math.min(missing, one.cost().documents());
                cost += Operator.LOOKUP
                        + one.cost().total()
                        - Operator.DOCUMENT * (one.cost().documents() - taken);
                missing -= taken;
            }
        }
        return cost;
    }

    /** Returns the part of all documents that the used conditions of other indexes leave, as far as a test allows. */
    private double selectivity(Counted of, boolean filterOnly) {
        double least = 1;
        Set<?> own = of.path().spans().used();
        Set<?> filtered = new HashSet<>(of.path().filtered());
        for (Counted other : counted) {
            Set<?> used = other.path().spans().used();
            if (Collections.disjoint(own, used) && (!filterOnly || filtered.containsAll(used))) {
                least = Math.min(least, (double) other.count() / total);
            }
        }
        return least;
    }

    /** @param least whether a scan that ends early ends as early as the counts allow */
    private Cost cost(Counted one, boolean least) {
        IndexPath path = one.path();
        long wanted = least ? first.perhaps() : first.enough();
        double count = one.count();
        double kept = count;
        if (path.filter(one.spans()) != null) {
            double known = selectivity(one, true);
            kept = count * (known < 1 ? known : UNKNOWN_FILTER);
        }
        boolean streams = anyOrder || path.ordered();
        double entries = count;
        double documents = kept;
        if (wanted > 0 && one.hasOnlyRows()) {
            documents = streams || path.sortable() && one.decides() ? Math.min(kept, wanted) : kept;
            double page = path.filter(one.spans()) == null ? 0 : EntryPager.FILTERED_PAGE;
            entries = streams ? Math.min(count, Math.max(page, count * wanted / Math.max(1, kept))) : count;
        } else if (wanted > 0 && streams) {
            double part = least ? leastPart(one, kept, wanted) : probablePart(one, kept, wanted);
            documents = kept * part;
            entries = count * part;
        }
        double more = count == 0 ? 0 : (one.spans().ranges().size() - 1) * entries / count;
        return new Cost(entries, path.covers() ? 0 : documents, more);
    }

    /** Returns the part of a scan that probably has the wanted rows, or all of it if no index knows. */
    private double probablePart(Counted one, double kept, long wanted) {
        double known = selectivity(one, false);
        return known < 1 ? Math.min(1, DOUBT * PAGES * wanted / Math.max(1, kept * known)) : 1;
    }

    /** Returns the part of a scan that has the wanted rows if all documents of the other conditions are among its own. */
    private double leastPart(Counted one, double kept, long wanted) {
        return Math.min(1, wanted / Math.max(1, Math.min(kept, selectivity(one, false) * total)));
    }

    /** Two indexes whose documents are read only if both have them. */
    record Pair(Counted first, Counted second, Cost cost) {}

    /**
     * Returns the best pair, if it is expected to be better than the best index alone. A pair reads all of its entries, so an
     * index whose scan may end early is replaced only if its least is dearer: whether conditions depend on each other is not
     * known, and at worst it reads a few times as much as the pair.
     */
    @Nullable
    Pair pair() {
        double limit = cost(best(), true).total();
        Pair found = null;
        for (Counted first : counted) {
            for (Counted second : counted) {
                if (first != second && first.count() <= second.count()) {
                    found = better(found, first, second, limit);
                }
            }
        }
        return found;
    }

    /**
     * Returns the best index and one that has the same documents for each row of another scan, if the best alone is expected
     * to be dearer for one row. For the next rows the entries of the other one cost nothing.
     */
    @Nullable
    Pair pairAlike() {
        Counted best = best();
        Pair found = null;
        for (Counted other : alike) {
            if (!best.path().covers()) {
                found = better(found, best, other, best.cost().total());
            }
        }
        return found;
    }

    /**
     * Returns a pair of different conditions if it is better than the one that was found before.
     *
     * @param limit what one index alone costs, which the estimate must undercut clearly
     */
    private @Nullable Pair better(@Nullable Pair found, Counted first, Counted second, double limit) {
        boolean apart = Collections.disjoint(
                first.path().spans().used(), second.path().spans().used());
        if (!apart) {
            return found;
        }
        Cost cost = new Cost(first.count() + second.count(), both(first, second), 1);
        boolean better = cost.total() * DOUBT < limit;
        return better && (found == null || cost.total() < found.cost().total()) ? new Pair(first, second, cost) : found;
    }

    /** Returns how many documents both have: as many as if they were independent, but all that a third one counts for both. */
    private double both(Counted first, Counted second) {
        double both = (double) first.count() * second.count() / total;
        for (Counted other : counted) {
            Set<?> used = other.path().spans().used();
            boolean ofBoth = used.containsAll(first.path().spans().used())
                    && used.containsAll(second.path().spans().used());
            both = ofBoth ? Math.max(both, other.count()) : both;
        }
        return both;
    }
}
