package io.millrace.n1ql.plan.from;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.function.text.Like;
import io.millrace.n1ql.plan.operator.DocumentReader.KeyspaceSlots;
import io.millrace.n1ql.plan.operator.KeyspaceRef;
import io.millrace.n1ql.plan.operator.Operator;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Derives the keys to read from conditions on META().id. The conditions are checked again on the documents. */
final class KeyConditions {

    /** In characters; a key has at most 250 bytes. */
    private static final int LONGEST_KEY = 250;

    private final ExprCompiler compiler;
    private final int metaSlot;
    private final Set<Integer> unknown;

    KeyConditions(ExprCompiler compiler, int metaSlot, Set<Integer> unknown) {
        this.compiler = compiler;
        this.metaSlot = metaSlot;
        this.unknown = unknown;
    }

    private boolean isId(Expr expr) {
        return expr instanceof Expr.Field field
                && field.name().equals("id")
                && field.base() instanceof Expr.Ref ref
                && ref.block() == compiler.blocks().block()
                && ref.slot() == metaSlot;
    }

    /** Returns whether an expression can be computed before the documents are read. */
    private boolean isKnown(Expr expr) {
        Set<Integer> read = FreeRefs.of(expr).slotsOf(compiler.blocks().block());
        return read.stream().noneMatch(slot -> slot == metaSlot || unknown.contains(slot));
    }

    /** Returns the key or array of keys that the conditions require, or null if they require none. */
    @Nullable
    Expr keys(List<Expr> conditions) {
        for (Expr condition : conditions) {
            if (!(condition instanceof Expr.Operation operation)) {
                continue;
            }
            Expr first = operation.arg(0);
            if (operation.op() == Op.EQ) {
                Expr second = operation.arg(1);
                if (isId(first) && isKnown(second)) {
                    return new Expr.ArrayLiteral(List.of(second));
                }
                if (isId(second) && isKnown(first)) {
                    return new Expr.ArrayLiteral(List.of(first));
                }
            }
            if (operation.op() == Op.IN && isId(first) && isKnown(operation.arg(1))) {
                return operation.arg(1);
            }
        }
        return null;
    }

    /** Returns a look-up in the order of the keys, or null if no condition gives keys. */
    @Nullable
    Operator lookup(KeyspaceRef ref, KeyspaceSlots slots, List<Expr> conditions) {
        Expr keys = keys(conditions);
        if (keys == null) {
            return null;
        }
        Eval found = compiler.compile(keys);
        Eval sorted = frame -> {
            if (!(found.eval(frame) instanceof ArrayValue array)) {
                return Value.EMPTY_ARRAY;
            }
            List<Value> texts = new ArrayList<>();
            array.forEach(key -> {
                if (key.isString()) {
                    texts.add(key);
                }
            });
            Collections.sort(texts);
            return ArrayValue.of(texts);
        };
        return new Sources.KeyScan(ref, slots, sorted, true, false, ExprText.of(keys));
    }

    /**
     * A range of keys that includes all documents that fulfil the conditions.
     *
     * @param wholly whether it includes no others, if its ends are texts
     */
    record Narrowed(KeyRanges range, boolean wholly) {}

    Narrowed range(List<Expr> conditions) {
        KeyRanges range = KeyRanges.ALL;
        boolean wholly = true;
        for (Expr condition : conditions) {
            KeyRanges before = range;
            boolean open = range.from() == null && range.to() == null;
            boolean between = condition instanceof Expr.Operation operation && operation.op() == Op.BETWEEN;
            if (condition instanceof Expr.Operation operation) {
                range = narrow(range, operation);
            }
            wholly &= range != before && (open || !between) && isExact(condition);
        }
        return new Narrowed(range, wholly);
    }

    /** A pattern with more than a prefix is only narrowed by it. */
    private boolean isExact(Expr condition) {
        return !(condition instanceof Expr.Operation operation)
                || operation.op() != Op.LIKE
                || compiler.constant(operation.arg(1)) instanceof StringValue text
                        && Like.onlyPrefix(text.text()) != null;
    }

    private KeyRanges narrow(KeyRanges range, Expr.Operation operation) {
        Expr first = operation.arg(0);
        Expr second = operation.args().size() > 1 ? operation.arg(1) : null;
        if (second == null) {
            return range;
        }
        boolean straight = isId(first) && isKnown(second);
        boolean turned = isId(second) && isKnown(first);
        return switch (operation.op()) {
            case GT, GE -> {
                boolean included = operation.op() == Op.GE;
                yield straight ? from(range, second, included) : turned ? to(range, first, included) : range;
            }
            case LT, LE -> {
                boolean included = operation.op() == Op.LE;
                yield straight ? to(range, second, included) : turned ? from(range, first, included) : range;
            }
            case BETWEEN ->
                straight && isKnown(operation.arg(2)) ? to(from(range, second, true), operation.arg(2), true) : range;
            case LIKE -> isId(first) && operation.args().size() == 2 ? like(range, second) : range;
            default -> range;
        };
    }

    private KeyRanges like(KeyRanges range, Expr pattern) {
        if (!(compiler.constant(pattern) instanceof StringValue text)) {
            return range;
        }
        String prefix = Like.prefix(text.text());
        if (prefix.isEmpty() || range.from() != null || range.to() != null) {
            return range;
        }
        // no key with the prefix is greater than the prefix followed by the last character as often as a key is long
        String end = prefix + new String(Character.toChars(Character.MAX_CODE_POINT)).repeat(LONGEST_KEY);
        return new KeyRanges(frame -> Value.of(prefix), true, frame -> Value.of(end), true);
    }

    /** The first of several lower bounds is used; all conditions are checked again anyway. */
    private KeyRanges from(KeyRanges range, Expr end, boolean included) {
        return range.from() != null
                ? range
                : new KeyRanges(compiler.compile(end), included, range.to(), range.toIncluded());
    }

    private KeyRanges to(KeyRanges range, Expr end, boolean included) {
        return range.to() != null
                ? range
                : new KeyRanges(range.from(), range.fromIncluded(), compiler.compile(end), included);
    }
}
