package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of a query whose values an index may have: a slot for each. A scan of such an index puts the value into the
 * slot; after other scans the expression is computed. Paths need no slot: a covered document has them.
 */
public final class Covers {

    /** No expression has a slot. */
    public static final Covers NONE = new Covers(Map.of(), Map.of());

    private final Map<Expr, Integer> slots;
    private final Map<Integer, Set<Integer>> ofTerms;

    private Covers(Map<Expr, Integer> slots, Map<Integer, Set<Integer>> ofTerms) {
        this.slots = slots;
        this.ofTerms = ofTerms;
    }

    /** Finds the expressions of a query; their slots are the next ones after those of the query. */
    public static Covers of(Query.Select select, Indexes indexes) {
        List<Query.KeyspaceTerm> terms = new ArrayList<>();
        terms(select.from(), terms);
        Map<Expr, Integer> slots = new LinkedHashMap<>();
        Map<Integer, Set<Integer>> ofTerms = new LinkedHashMap<>();
        for (Query.KeyspaceTerm term : terms) {
            Set<Expr> wanted = wanted(indexes.of(KeyspaceRef.of(term)));
            if (!wanted.isEmpty()) {
                Finder finder = new Finder(select.block(), term, wanted);
                finder.find(select);
                Set<Integer> own = new HashSet<>();
                for (Expr found : finder.found) {
                    own.add(slots.computeIfAbsent(found, expr -> select.slots() + slots.size()));
                }
                ofTerms.put(term.slot(), own);
            }
        }
        return slots.isEmpty() ? NONE : new Covers(slots, ofTerms);
    }

    private static void terms(Query.@Nullable From from, List<Query.KeyspaceTerm> terms) {
        switch (from) {
            case Query.KeyspaceTerm term -> terms.add(term);
            case Query.Join join -> {
                terms(join.left(), terms);
                terms(join.right(), terms);
            }
            case Query.KeyJoin join -> terms(join.left(), terms);
            case Query.Unnest unnest -> terms(unnest.left(), terms);
            case null, default -> {}
        }
    }

    private static Set<Expr> wanted(List<CompiledIndex> indexes) {
        Set<Expr> wanted = new HashSet<>();
        for (CompiledIndex index : indexes) {
            for (int i = 0; i < index.keys().size(); i++) {
                Expr key = index.keys().get(i);
                if (!index.each(i) && DocumentShape.path(key) == null && !key.equals(DocumentShape.ID)) {
                    wanted.add(key);
                }
            }
            wanted.addAll(index.where());
        }
        return wanted;
    }

    /** Finds the expressions outside of subqueries, which are compiled apart. */
    private static final class Finder extends TreeMapper {

        private final DocumentShape shape;
        private final Set<Expr> wanted;
        private final List<Expr> found = new ArrayList<>();

        Finder(int block, Query.KeyspaceTerm term, Set<Expr> wanted) {
            this.shape = new DocumentShape(block, term.slot(), term.metaSlot());
            this.wanted = wanted;
        }

        void find(Query.Select select) {
            select(select);
        }

        @Override
        public Expr map(Expr expr) {
            if (wanted.contains(shape.map(expr))) {
                found.add(expr);
            }
            return children(expr);
        }

        @Override
        protected Query query(Query query) {
            return query;
        }
    }

    /** Returns the slot of each expression. */
    public Map<Expr, Integer> slots() {
        return slots;
    }

    /** Returns the slots that a scan of a keyspace may fill, by the slot of its document. */
    public Set<Integer> slotsOf(int documentSlot) {
        return ofTerms.getOrDefault(documentSlot, Set.of());
    }

    static List<String> texts(CompiledIndex index) {
        return index.definition().keys().stream().map(IndexDefinition.Key::text).toList();
    }
}
