package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes expressions over one document, so that those of an index and those of a query can be compared: the document
 * and its META() have the same names whatever their aliases and slots. The names of other slots do not matter.
 */
class DocumentShape extends TreeMapper {

    /** The document. */
    static final Expr DOCUMENT = new Expr.Ref(-2, 0, "document");
    /** Its META(). */
    static final Expr META = new Expr.Ref(-2, 1, "meta");
    /** The document's key. */
    static final Expr ID = new Expr.Field(META, "id", false, Place.NONE);

    private final int block;
    private final int slot;
    private final int metaSlot;

    public DocumentShape(int block, int slot, int metaSlot) {
        this.block = block;
        this.slot = slot;
        this.metaSlot = metaSlot;
    }

    @Override
    public Expr map(Expr expr) {
        if (expr instanceof Expr.Ref ref) {
            boolean own = ref.block() == block;
            return own && ref.slot() == slot
                    ? DOCUMENT
                    : own && ref.slot() == metaSlot ? META : new Expr.Ref(ref.block(), ref.slot(), "");
        }
        return children(expr);
    }

    /** Returns the names of a path into the document, or null for another expression. */
    static @Nullable List<String> path(Expr shaped) {
        List<String> names = new ArrayList<>();
        Expr rest = shaped;
        while (rest instanceof Expr.Field field && !field.ignoreCase()) {
            names.addFirst(field.name());
            rest = field.base();
        }
        return rest.equals(DOCUMENT) && !names.isEmpty() ? names : null;
    }

    /** Removes the alias from an expression, so that it can be compiled for any keyspace. */
    static final class Plain extends TreeMapper {

        private static final Expr META_CALL = new Expr.Call("meta", List.of(), false, false, null, null, Place.NONE);

        private final DocumentShape shape;

        Plain(DocumentShape shape) {
            this.shape = shape;
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Ref) {
                Expr shaped = shape.map(expr);
                return shaped.equals(DOCUMENT) ? new Expr.Self(Place.NONE) : shaped.equals(META) ? META_CALL : expr;
            }
            if (expr instanceof Expr.Field field
                    && field.base() instanceof Expr.Ref
                    && shape.map(field.base()).equals(DOCUMENT)) {
                return new Expr.Name(field.name(), field.ignoreCase(), field.place());
            }
            return children(expr);
        }
    }
}
