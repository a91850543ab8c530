package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.function.text.Like;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.plan.index.EntryRanges.Bound;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the entries of an index to read from conditions: equality for the first keys, a range for the next key. Bounds
 * may depend on parameters and outer rows. The conditions are checked again on the rows.
 */
final class IndexSpans {

    private static final Bound NULL_START = new Bound(new byte[] {KeyEncoding.NULL}, false);
    private static final Bound MISSING_END = new Bound(new byte[] {KeyEncoding.MISSING}, true);

    /** The constraints on one key. */
    private static final class Key {
        private @Nullable Eval equal;
        private @Nullable Eval in;
        private final List<Narrowing> narrowings = new ArrayList<>();

        boolean bound() {
            return equal != null || in != null || !narrowings.isEmpty();
        }
    }

    /** Narrows a range; returns null if it is empty. */
    private interface Narrowing {
        @Nullable
        Range at(Frame row, Range range);
    }

    private record Range(Bound from, Bound to) {

        static final Range ALL = new Range(MISSING_END, Bound.END);

        Range from(Bound other) {
            return other.isBehind(from) ? new Range(other, to) : this;
        }

        Range to(Bound other) {
            return to.isBehind(other) ? new Range(from, other) : this;
        }
    }

    private final CompiledIndex index;
    private final ExprCompiler compiler;
    private final DocumentShape shape;
    private final Set<Integer> unknown;
    private final List<Key> keys = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();

    /** @param unknown the slots that have no value before the document is read */
    IndexSpans(CompiledIndex index, ExprCompiler compiler, DocumentShape shape, Set<Integer> unknown) {
        this.index = index;
        this.compiler = compiler;
        this.shape = shape;
        this.unknown = unknown;
    }

    /** Applies conditions; returns false if they do not constrain the first key enough to use the index. */
    boolean take(List<Expr> conditions) {
        for (int i = 0; i < index.keys().size(); i++) {
            Key key = new Key();
            for (Expr condition : conditions) {
                if (index.each(i)) {
                    // another condition may be fulfilled by another element
                    if (!key.bound()) {
                        element(condition, index.keys().get(i), key);
                    }
                } else {
                    condition(condition, index.keys().get(i), shape, key);
                }
            }
            if (!key.bound()) {
                break;
            }
            keys.add(key);
            if (key.equal == null && key.in == null) {
                break;
            }
        }
        return !keys.isEmpty();
    }

    /** Returns how many keys have the same value in all entries. */
    int equalKeys() {
        return (int) keys.stream().takeWhile(key -> key.equal != null).count();
    }

    int keys() {
        return keys.size();
    }

    boolean isEqual(int key) {
        return key < keys.size() && keys.get(key).equal != null;
    }

    List<String> texts() {
        return texts;
    }

    // ---- conditions

    private boolean isKnown(Expr expr, DocumentShape over) {
        return FreeRefs.of(expr).slotsOf(compiler.blocks().block()).stream()
                .noneMatch(slot -> unknown.contains(slot) || over instanceof ElementShape own && own.variable == slot);
    }

    private void condition(Expr condition, Expr wanted, DocumentShape over, Key key) {
        if (!(condition instanceof Expr.Operation operation)) {
            return;
        }
        Expr first = operation.arg(0);
        boolean isFirst = over.map(first).equals(wanted);
        Expr second = operation.args().size() > 1 ? operation.arg(1) : null;
        boolean taken;
        if (isFirst) {
            taken = second == null
                    ? tested(operation.op(), key)
                    : isKnown(second, over) && compared(operation, second, key);
        } else {
            taken = second != null
                    && over.map(second).equals(wanted)
                    && isKnown(first, over)
                    && turned(operation.op(), first, key);
        }
        if (taken) {
            texts.add(ExprText.of(condition));
        }
    }

    private boolean tested(Op op, Key key) {
        switch (op) {
            case IS_NOT_MISSING -> key.narrowings.add((row, range) -> range);
            case IS_NOT_NULL, IS_VALUED -> key.narrowings.add((row, range) -> range.from(Bound.FIRST_VALUE));
            case IS_NULL ->
                key.narrowings.add((row, range) -> range.from(NULL_START).to(Bound.FIRST_VALUE));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean turned(Op op, Expr value, Key key) {
        return switch (op) {
            case EQ -> equal(value, key);
            case GT, GE -> to(value, op == Op.GE, key);
            case LT, LE -> from(value, op == Op.LE, key);
            default -> false;
        };
    }

    private boolean compared(Expr.Operation operation, Expr value, Key key) {
        Op op = operation.op();
        return switch (op) {
            case EQ -> equal(value, key);
            case GT, GE -> from(value, op == Op.GE, key);
            case LT, LE -> to(value, op == Op.LE, key);
            case BETWEEN ->
                isKnown(operation.arg(2), shape) && from(value, true, key) && to(operation.arg(2), true, key);
            case IN -> {
                key.in = key.in == null ? compiler.compile(value) : key.in;
                yield true;
            }
            case LIKE -> operation.args().size() == 2 && like(value, key);
            default -> false;
        };
    }

    private boolean equal(Expr value, Key key) {
        key.equal = key.equal == null ? compiler.compile(value) : key.equal;
        return true;
    }

    private boolean from(Expr value, boolean included, Key key) {
        Eval end = compiler.compile(value);
        key.narrowings.add((row, range) -> {
            Value start = end.eval(row);
            return start.isUnknown() ? null : range.from(Bound.from(start, included));
        });
        return true;
    }

    private boolean to(Expr value, boolean included, Key key) {
        Eval end = compiler.compile(value);
        key.narrowings.add((row, range) -> {
            Value stop = end.eval(row);
            return stop.isUnknown() ? null : range.from(Bound.FIRST_VALUE).to(Bound.to(stop, included));
        });
        return true;
    }

    private boolean like(Expr pattern, Key key) {
        Eval text = compiler.compile(pattern);
        key.narrowings.add((row, range) -> {
            if (!(text.eval(row) instanceof StringValue like)) {
                return null;
            }
            byte[] prefix = KeyEncoding.prefix(Like.prefix(like.text()));
            return range.from(new Bound(prefix, false)).to(new Bound(prefix, true));
        });
        return true;
    }

    // ---- elements of arrays

    /** Replaces the variable of an ANY by the indexed element. */
    private static final class ElementShape extends DocumentShape {

        static final Expr ELEMENT = new Expr.Ref(-3, 0, "");

        private final int block;
        private final int variable;

        ElementShape(int block, int variable) {
            super(block, -1, -1);
            this.block = block;
            this.variable = variable;
        }

        @Override
        public Expr map(Expr expr) {
            return expr instanceof Expr.Ref ref && ref.block() == block && ref.slot() == variable
                    ? ELEMENT
                    : super.map(expr);
        }
    }

    /** A condition that an element of an array fulfils: {@code ANY} or {@code value IN}. */
    private void element(Expr condition, Expr indexed, Key key) {
        Expr source = indexed;
        Expr element = ElementShape.ELEMENT;
        if (indexed instanceof Expr.Comprehension made) {
            if (made.kind() != Expr.Comprehension.Kind.ARRAY
                    || made.when() != null
                    || made.levels().size() != 1
                    || made.levels().getFirst().size() != 1) {
                return;
            }
            Expr.Binding binding = made.levels().getFirst().getFirst();
            if (binding.within() || binding.key() != null) {
                return;
            }
            source = binding.source();
            element = new ElementShape(0, binding.slot()).map(made.value());
        }
        if (condition instanceof Expr.Operation operation
                && operation.op() == Op.IN
                && element.equals(ElementShape.ELEMENT)
                && shape.map(operation.arg(1)).equals(source)
                && isKnown(operation.arg(0), shape)) {
            equal(operation.arg(0), key);
            texts.add(ExprText.of(condition));
        }
        if (condition instanceof Expr.Quantified any
                && any.quantifier() != Expr.Quantified.Quantifier.EVERY
                && any.bindings().size() == 1) {
            Expr.Binding binding = any.bindings().getFirst();
            if (!binding.within()
                    && binding.key() == null
                    && shape.map(binding.source()).equals(source)) {
                ElementShape over = new ElementShape(compiler.blocks().block(), binding.slot());
                for (Expr part : Expr.conjuncts(any.satisfies())) {
                    condition(part, element, over, key);
                }
            }
        }
    }

    // ---- at run time

    /** Returns the ranges in ascending order. */
    List<EntryRange> at(Frame row) {
        EntryRanges ranges = new EntryRanges();
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            boolean descending = index.descending(i);
            if (key.equal != null || key.in != null) {
                if (!ranges.equalTo(values(key, row), descending)) {
                    break;
                }
            } else {
                Range range = range(key, row);
                if (range == null) {
                    return List.of();
                }
                ranges.between(range.from(), range.to(), descending);
            }
        }
        return ranges.ranges();
    }

    private static List<Value> values(Key key, Frame row) {
        if (key.equal != null) {
            Value value = key.equal.eval(row);
            return value.isUnknown() ? List.of() : List.of(value);
        }
        return key.in != null && key.in.eval(row) instanceof ArrayValue list
                ? list.items().stream().filter(item -> !item.isUnknown()).toList()
                : List.of();
    }

    private static @Nullable Range range(Key key, Frame row) {
        Range range = Range.ALL;
        for (Narrowing narrowing : key.narrowings) {
            range = narrowing.at(row, range);
            if (range == null) {
                return null;
            }
        }
        return range;
    }
}
