package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.TreeMapper;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an entry of an index tells of a document: the paths among its keys, the values that its condition fixes, and the
 * values of the other keys in the slots of {@link Covers}.
 */
final class CoveredDocument {

    /** A path of the document: a key of the index, or a constant. */
    private record Path(List<String> names, int key, Value constant) {

        Value of(CompiledIndex.Entry entry) {
            return key < 0 ? constant : entry.keys().get(key);
        }
    }

    /** A slot of {@link Covers} for a key, or for a condition of the index, which is true. */
    private record Computed(int slot, int key) {}

    private static final int TRUE = -1;

    private final @Nullable CompiledIndex index;
    private final int block;
    private final int valueSlot;
    private final int metaSlot;
    private final DocumentShape shape;
    private final List<Path> paths;
    private final List<Computed> computed = new ArrayList<>();
    private final Map<Expr, Integer> provided = new LinkedHashMap<>();

    CoveredDocument(CompiledIndex index, int block, Query.KeyspaceTerm term, Covers covers) {
        this.index = index;
        this.block = block;
        this.valueSlot = term.slot();
        this.metaSlot = term.metaSlot();
        this.shape = new DocumentShape(block, valueSlot, metaSlot);
        List<Path> all = new ArrayList<>();
        for (int i = 0; i < index.keys().size(); i++) {
            List<String> names =
                    index.each(i) ? null : DocumentShape.path(index.keys().get(i));
            if (names != null) {
                all.add(new Path(names, i, Value.MISSING));
            }
        }
        index.where().forEach(condition -> constant(condition, all));
        this.paths = all.stream()
                .filter(path -> all.stream().noneMatch(other -> isAbove(other.names(), path.names())))
                .toList();
        covers.slots().forEach((expr, slot) -> provide(index, expr, slot));
    }

    /** The key of a document alone. */
    private CoveredDocument(int block, Query.KeyspaceTerm term) {
        this.index = null;
        this.block = block;
        this.valueSlot = term.slot();
        this.metaSlot = term.metaSlot();
        this.shape = new DocumentShape(block, valueSlot, metaSlot);
        this.paths = List.of();
    }

    /** Returns whether a query needs no more of a document than its key. */
    static boolean isKeyEnough(Query.Select select, int block, Query.KeyspaceTerm term) {
        return new CoveredDocument(block, term).covers(select);
    }

    private static boolean isAbove(List<String> shorter, List<String> longer) {
        return shorter.size() < longer.size()
                && longer.subList(0, shorter.size()).equals(shorter);
    }

    /** A path that must equal a text or a boolean has that value; 1 might be 1.0 in the document. */
    private static void constant(Expr condition, List<Path> all) {
        if (!(condition instanceof Expr.Operation operation) || operation.op() != Op.EQ) {
            return;
        }
        boolean turned = operation.arg(0) instanceof Expr.Literal;
        Expr other = operation.arg(turned ? 0 : 1);
        List<String> names = DocumentShape.path(operation.arg(turned ? 1 : 0));
        if (names != null
                && other instanceof Expr.Literal literal
                && (literal.value().isString() || literal.value() == Value.TRUE)
                && all.stream().noneMatch(path -> path.names().equals(names))) {
            all.add(new Path(names, -1, literal.value()));
        }
    }

    private void provide(CompiledIndex index, Expr expr, int slot) {
        Expr shaped = shape.map(expr);
        int key = index.keys().indexOf(shaped);
        if (key >= 0 && !index.each(key)) {
            provided.put(expr, slot);
            computed.add(new Computed(slot, key));
        } else if (isBoolean(shaped) && index.where().contains(shaped)) {
            provided.put(expr, slot);
            computed.add(new Computed(slot, TRUE));
        }
    }

    /** Conditions of another form may be fulfilled by a value that is not TRUE. */
    private static boolean isBoolean(Expr condition) {
        return condition instanceof Expr.Operation operation && operation.op().compareTo(Op.NEGATE) < 0;
    }

    /** Returns whether a query needs no more of the document. An index of elements has no entry for some documents. */
    boolean covers(Query.Select select) {
        return (index == null || !index.hasEach()) && new Uses().covered(select);
    }

    /** Returns whether an expression needs no more of the document, and none of the given slots. */
    boolean covers(Expr expr, Set<Integer> unknown) {
        return FreeRefs.of(expr).slotsOf(block).stream()
                        .noneMatch(slot -> slot != valueSlot && slot != metaSlot && unknown.contains(slot))
                && new Uses().covered(expr);
    }

    /** Finds uses of the document that are not provided, and uses of META() other than its id. */
    private final class Uses extends TreeMapper {

        private boolean more;
        private int subqueries;

        boolean covered(Query.Select select) {
            select(select);
            return !more;
        }

        boolean covered(Expr expr) {
            map(expr);
            return !more;
        }

        private boolean isKnown(Expr.Field field) {
            Expr shaped = shape.map(field);
            List<String> names = DocumentShape.path(shaped);
            return shaped.equals(DocumentShape.ID)
                    || names != null
                            && paths.stream().anyMatch(path -> path.names().equals(names));
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Field field && isKnown(field)) {
                return expr;
            }
            if (subqueries == 0 && provided.containsKey(expr)) {
                return expr;
            }
            if (expr instanceof Expr.Ref ref
                    && ref.block() == block
                    && (ref.slot() == valueSlot || ref.slot() == metaSlot)) {
                more = true;
            }
            return children(expr);
        }

        @Override
        protected Query query(Query query) {
            subqueries++;
            Query mapped = super.query(query);
            subqueries--;
            return mapped;
        }
    }

    // ---- at run time

    void fill(Frame row, CompiledIndex.Entry entry, KeyspaceSlots slots) {
        row.set(slots.value(), document(entry));
        if (slots.needsMeta()) {
            row.set(slots.meta(), ObjectValue.of("id", Value.of(entry.id())));
        }
        for (Computed one : computed) {
            row.set(one.slot(), one.key() == TRUE ? Value.TRUE : entry.keys().get(one.key()));
        }
    }

    private Value document(CompiledIndex.Entry entry) {
        Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(paths.size());
        for (Path path : paths) {
            Value value = path.of(entry);
            if (!value.isMissing()) {
                put(fields, path.names(), value);
            }
        }
        return ObjectValue.of(fields);
    }

    private static void put(Map<String, Value> fields, List<String> names, Value value) {
        String name = names.getFirst();
        if (names.size() == 1) {
            fields.put(name, value);
            return;
        }
        Map<String, Value> inner = fields.get(name) instanceof ObjectValue there
                ? new LinkedHashMap<>(there.fields())
                : new LinkedHashMap<>();
        put(inner, names.subList(1, names.size()), value);
        fields.put(name, ObjectValue.of(inner));
    }
}
