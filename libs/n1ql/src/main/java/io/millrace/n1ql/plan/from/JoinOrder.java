package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.plan.index.IndexChoice;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.operator.Estimates;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Frame;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Inner joins in the order that is expected to cost least in this run. The store counts the rows of each term by its own
 * conditions; how many of them a row of another term matches is estimated, so an order must be better by half before it
 * replaces that of the text. Orders are planned when a run first wants them.
 */
final class JoinOrder implements Operator {

    /** How a term can be joined to a row of another one. */
    enum Link {
        /** Only as every pair. */
        NONE,
        /** By a hash table: values must be equal. */
        EQUAL,
        /** By an index. */
        INDEX,
        /** By the key of its document. */
        KEY
    }

    /** If the first term is this cheap and the others are looked up, the order is not searched. */
    private static final double CHEAP = 32;

    /** An early end must be expected this many times over, because how many rows have a match is only a guess. */
    private static final double DOUBT = 4;

    private static final int MOST_ORDERS = 16;

    private final Operator written;
    private final List<Operator> alone;
    private final Link[][] links;
    private final IndexChoice.@Nullable Rows wanted;
    private final Function<int[], Operator> planner;
    private final Object planning;
    private final Map<List<Integer>, Operator> planned = new ConcurrentHashMap<>();

    /**
     * @param written the joins in the order of the text
     * @param alone a scan of each term by its own conditions
     * @param links how a term, the first index, is joined to another
     * @param wanted how many rows are wanted if the first term of the text may have their order, else null
     * @param planner plans an order
     * @param planning what one thread at a time may use to plan
     */
    JoinOrder(
            Operator written,
            List<Operator> alone,
            Link[][] links,
            IndexChoice.@Nullable Rows wanted,
            Function<int[], Operator> planner,
            Object planning) {
        this.planning = planning;
        this.written = written;
        this.alone = alone;
        this.links = links;
        this.wanted = wanted;
        this.planner = planner;
    }

    @Override
    public Cursor<Frame> open(Frame row) {
        return chosen(row).open(row);
    }

    @Override
    public Explanation explain(Frame row) {
        try {
            return chosen(row).explain(row);
        } catch (QueryException e) {
            // a parameter has no value, or the user may not read the documents
            return written.explain(row);
        }
    }

    private Operator chosen(Frame row) {
        return (Operator) row.execution().memo(this, known -> known == null ? choose(row) : known);
    }

    private Operator choose(Frame row) {
        double first = alone.getFirst().reads(row);
        if (first <= CHEAP && isLookedUp()) {
            return written;
        }
        int terms = alone.size();
        double[] reads = new double[terms];
        double[] rows = new double[terms];
        for (int i = 0; i < terms; i++) {
            reads[i] = i == 0 ? first : alone.get(i).reads(row);
            rows[i] = alone.get(i).rowCount(row);
        }
        Costs costs = new Costs(reads, rows, links);
        int[] text = IntStream.range(0, terms).toArray();
        int[] best = costs.best();
        // also if the order of the text is not possible, and its cost infinite
        double cost = costs.of(text) * read(costs.rows(text), row);
        return costs.of(best) * 2 < cost ? planned(best) : written;
    }

    /** Returns which part of the joins in the order of the text is read, out of so many rows. */
    private double read(double rows, Frame row) {
        return wanted == null || !alone.getFirst().ordered(row)
                ? 1
                : Math.min(1, DOUBT * wanted.at(row) / Math.max(1, rows));
    }

    /** Returns whether the text joins each term by key or index. */
    private boolean isLookedUp() {
        return IntStream.range(1, alone.size())
                .allMatch(term -> IntStream.range(0, term).anyMatch(other -> isLookUp(links[term][other])));
    }

    private static boolean isLookUp(Link link) {
        return link == Link.INDEX || link == Link.KEY;
    }

    private Operator planned(int[] order) {
        List<Integer> name = Arrays.stream(order).boxed().toList();
        Operator known = planned.get(name);
        if (known == null) {
            // what plans a statement is made for one thread
            synchronized (planning) {
                known = planner.apply(order);
            }
            if (planned.size() < MOST_ORDERS) {
                planned.put(name, known);
            }
        }
        return known;
    }

    /**
     * The costs of the orders of one run.
     *
     * @param reads what reading all of a term costs
     * @param rows how many rows of a term fulfil its own conditions
     */
    record Costs(double[] reads, double[] rows, Link[][] links) {

        /** Terms that have been joined, as bits, in the best order that is known. */
        private record Joined(int terms, int[] order, double rows, double cost) {

            boolean has(int term) {
                return (terms & 1 << term) != 0;
            }
        }

        /** Returns the best order: the best one of each set of terms is found from those of its subsets. */
        int[] best() {
            Joined[] sets = new Joined[1 << rows.length];
            for (int term = 0; term < rows.length; term++) {
                sets[1 << term] = first(term);
            }
            for (int set = 1; set < sets.length; set++) {
                Joined joined = sets[set];
                for (int term = 0; term < rows.length; term++) {
                    if (!joined.has(term)) {
                        Joined more = with(joined, term);
                        Joined known = sets[more.terms()];
                        sets[more.terms()] = known == null || more.cost() < known.cost() ? more : known;
                    }
                }
            }
            return sets[sets.length - 1].order();
        }

        double of(int[] order) {
            return joined(order).cost();
        }

        double rows(int[] order) {
            return joined(order).rows();
        }

        private Joined joined(int[] order) {
            Joined joined = first(order[0]);
            for (int i = 1; i < order.length; i++) {
                joined = with(joined, order[i]);
            }
            return joined;
        }

        private Joined first(int term) {
            return new Joined(1 << term, new int[] {term}, rows[term], reads[term]);
        }

        private Joined with(Joined left, int term) {
            Link link = Link.NONE;
            for (int other : left.order()) {
                Link one = links[term][other];
                link = one.compareTo(link) > 0 ? one : link;
            }
            double matches = switch (link) {
                case NONE -> rows[term];
                case EQUAL, INDEX -> Estimates.matching(rows[term]);
                case KEY -> 1;
            };
            double all = reads[term]
                    + (link == Link.NONE ? left.rows() * rows[term] : left.rows() + rows[term]) * Estimates.ROW;
            double lookedUp = left.rows() * (LOOKUP + matches * Operator.DOCUMENT);
            double cost = isLookUp(link) ? Math.min(all, lookedUp) : all;
            int[] order = Arrays.copyOf(left.order(), left.order().length + 1);
            order[left.order().length] = term;
            return new Joined(left.terms() | 1 << term, order, left.rows() * matches, left.cost() + cost);
        }
    }
}
