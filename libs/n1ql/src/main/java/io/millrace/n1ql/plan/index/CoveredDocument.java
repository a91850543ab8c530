package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.TreeMapper;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A document that has only the paths of an index, for queries that need no more. */
final class CoveredDocument {

    /** A key of the index and its path in the document. */
    private record Path(int key, List<String> names) {}

    private final List<Path> paths;
    private final List<String> texts;

    private CoveredDocument(List<Path> paths, List<String> texts) {
        this.paths = paths;
        this.texts = texts;
    }

    /** Returns the covered document if the index has all paths that a query needs, else null. */
    static @Nullable CoveredDocument of(Query.Select select, CompiledIndex index, Query.KeyspaceTerm term) {
        if (index.hasEach()) {
            return null;
        }
        List<Path> all = new ArrayList<>();
        for (int i = 0; i < index.keys().size(); i++) {
            List<String> names = DocumentShape.path(index.keys().get(i));
            if (names != null) {
                all.add(new Path(i, names));
            }
        }
        List<Path> paths = all.stream()
                .filter(path -> all.stream().noneMatch(other -> isAbove(other.names(), path.names())))
                .toList();
        Uses uses = new Uses(select.block(), term, index, paths);
        List<String> texts = index.definition().keys().stream()
                .map(IndexDefinition.Key::text)
                .toList();
        return uses.covered(select) ? new CoveredDocument(paths, texts) : null;
    }

    private static boolean isAbove(List<String> shorter, List<String> longer) {
        return shorter.size() < longer.size()
                && longer.subList(0, shorter.size()).equals(shorter);
    }

    List<String> texts() {
        return texts;
    }

    /** Finds uses of the document that are not an indexed path, and uses of META() other than its id. */
    private static final class Uses extends TreeMapper {

        private final int block;
        private final Query.KeyspaceTerm term;
        private final DocumentShape shape;
        private final List<Expr> known = new ArrayList<>(List.of(DocumentShape.ID));
        private boolean more;

        Uses(int block, Query.KeyspaceTerm term, CompiledIndex index, List<Path> paths) {
            this.block = block;
            this.term = term;
            this.shape = new DocumentShape(block, term.slot(), term.metaSlot());
            paths.forEach(path -> known.add(index.keys().get(path.key())));
        }

        boolean covered(Query.Select select) {
            select(select);
            return !more;
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Field && known.contains(shape.map(expr))) {
                return expr;
            }
            if (expr instanceof Expr.Ref ref
                    && ref.block() == block
                    && (ref.slot() == term.slot() || ref.slot() == term.metaSlot())) {
                more = true;
            }
            return children(expr);
        }
    }

    // ---- at run time

    void fill(Frame row, CompiledIndex.Entry entry, KeyspaceSlots slots) {
        if (slots.needsValue()) {
            row.set(slots.value(), document(entry.keys()));
        }
        if (slots.needsMeta()) {
            row.set(slots.meta(), ObjectValue.of("id", Value.of(entry.id())));
        }
    }

    private Value document(List<Value> keys) {
        Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(paths.size());
        for (Path path : paths) {
            Value value = keys.get(path.key());
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
