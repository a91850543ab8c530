package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.FreeRefs;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Derives from {@code ANY} and {@code value IN array} which elements of an array fulfil them, for an index with an entry
 * for each element. The fields of FLATTEN_KEYS are encoded one after the other in the entry, so the first ones can be
 * limited alone.
 */
final class ElementLimits {

    private static final Expr ELEMENT = new Expr.Ref(-3, 0, "");
    private static final String FLATTEN_KEYS = "flatten_keys";

    private final ExprCompiler compiler;
    private final DocumentShape shape;
    private final Predicate<Expr> known;
    private final Expr source;
    private final boolean within;
    /** What is indexed of an element. */
    private final Expr element;
    /** Whether the index can be limited by its elements. */
    private final boolean usable;

    ElementLimits(ExprCompiler compiler, DocumentShape shape, Expr indexed, Predicate<Expr> known) {
        this.compiler = compiler;
        this.shape = shape;
        this.known = known;
        if (indexed instanceof Expr.Comprehension made) {
            boolean plain = made.kind() == Expr.Comprehension.Kind.ARRAY
                    && made.when() == null
                    && made.levels().size() == 1
                    && made.levels().getFirst().size() == 1
                    && made.levels().getFirst().getFirst().key() == null;
            Binding binding = made.levels().getFirst().getFirst();
            this.usable = plain;
            this.source = binding.source();
            this.within = binding.within();
            this.element = new ElementShape(0, binding.slot(), shape).map(made.value());
        } else {
            this.usable = true;
            this.source = indexed;
            this.within = false;
            this.element = ELEMENT;
        }
    }

    /** Replaces the variable of an ANY by the indexed element. */
    private static final class ElementShape extends DocumentShape {

        private final int block;
        private final int variable;
        private final DocumentShape document;

        ElementShape(int block, int variable, DocumentShape document) {
            super(block, -1, -1);
            this.block = block;
            this.variable = variable;
            this.document = document;
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Ref ref) {
                boolean named = ref.block() < -1; // the document or the element already
                return ref.block() == block && ref.slot() == variable ? ELEMENT : named ? expr : document.map(expr);
            }
            return children(expr);
        }
    }

    @Nullable
    KeyLimit of(Expr condition) {
        if (!usable) {
            return null;
        }
        if (condition instanceof Expr.Operation operation
                && operation.op() == (within ? Op.WITHIN : Op.IN)
                && shape.map(operation.arg(1)).equals(source)
                && known.test(operation.arg(0))) {
            Expr equal = new Expr.Operation(Op.EQ, List.of(ELEMENT, operation.arg(0)), operation.place());
            return limit(equal, new ElementShape(-3, 0, shape), known);
        }
        if (!(condition instanceof Expr.Quantified any)
                || any.quantifier() == Expr.Quantified.Quantifier.EVERY
                || any.bindings().size() != 1) {
            return null;
        }
        Binding binding = any.bindings().getFirst();
        if (binding.within() != within
                || binding.key() != null
                || !shape.map(binding.source()).equals(source)) {
            return null;
        }
        int block = compiler.blocks().block();
        Predicate<Expr> constant =
                expr -> known.test(expr) && !FreeRefs.of(expr).slotsOf(block).contains(binding.slot());
        return limit(any.satisfies(), new ElementShape(block, binding.slot(), shape), constant);
    }

    private @Nullable KeyLimit limit(Expr condition, DocumentShape over, Predicate<Expr> constant) {
        if (!(element instanceof Expr.Call call)
                || !call.name().toLowerCase(Locale.ROOT).equals(FLATTEN_KEYS)) {
            return new KeyLimits(compiler, over, element, constant).of(condition);
        }
        return FlattenedLimit.of(call.args().stream()
                .map(key -> new KeyLimits(compiler, over, key, constant).of(condition))
                .toList());
    }
}
