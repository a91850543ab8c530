package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.Keyspace.EntryRange;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.FreeRefs;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the entries of an index to read from conditions: values for the first keys, ranges for the next key. They may
 * depend on parameters and outer rows. Conditions that the ranges do not decide exactly are checked again on the rows.
 */
final class IndexSpans {

    /**
     * The entries to read.
     *
     * @param exact whether they, and no others, fulfil the conditions that were used
     * @param exactForElements whether the elements that have these entries, and no others, do; a condition may hold for another
     *     element of the document
     */
    record Spans(List<EntryRange> ranges, boolean exact, boolean exactForElements) {}

    private final CompiledIndex index;
    private final ExprCompiler compiler;
    private final DocumentShape shape;
    private final Set<Integer> unknown;
    /** The field whose entries are read of a key that has entries for all fields; null for other keys. */
    private final AdaptiveKey.@Nullable Field field;

    private final List<KeyLimit> keys = new ArrayList<>();
    /** The conditions that limit a key. */
    private final Set<Expr> used = new LinkedHashSet<>();

    private IndexSpans(
            CompiledIndex index,
            ExprCompiler compiler,
            DocumentShape shape,
            Set<Integer> unknown,
            AdaptiveKey.@Nullable Field field) {
        this.index = index;
        this.compiler = compiler;
        this.shape = shape;
        this.unknown = unknown;
        this.field = field;
    }

    /**
     * Returns the ways in which conditions limit the first keys: at most one, but for an index of all fields one for each field.
     *
     * @param unknown the slots that have no value before the document is read
     */
    static List<IndexSpans> of(
            CompiledIndex index,
            ExprCompiler compiler,
            DocumentShape shape,
            Set<Integer> unknown,
            List<Expr> conditions) {
        List<IndexSpans> ways = new ArrayList<>();
        ways.add(new IndexSpans(index, compiler, shape, unknown, null));
        for (int i = 0; i < index.keys().size(); i++) {
            AdaptiveKey adaptive = index.each(i) ? AdaptiveKey.of(index.keys().get(i)) : null;
            if (adaptive != null) {
                for (AdaptiveKey.Field field : adaptive.fields(conditions, shape)) {
                    ways.add(new IndexSpans(index, compiler, shape, unknown, field));
                }
            }
        }
        return ways.stream().filter(way -> way.take(conditions)).toList();
    }

    /** Applies conditions; returns false if they do not limit the first key, and the elements of an array. */
    private boolean take(List<Expr> conditions) {
        for (int i = 0; i < index.keys().size(); i++) {
            KeyLimit limit = index.each(i)
                    ? element(conditions, i)
                    : limit(conditions, index.keys().get(i));
            if (limit == null) {
                break;
            }
            keys.add(limit);
        }
        return !keys.isEmpty() && limitsElements();
    }

    /**
     * Returns whether the elements of an array are limited, if the index has them. A document without elements has no entry, so
     * conditions on the keys before do not find it.
     */
    private boolean limitsElements() {
        for (int i = keys.size(); i < index.keys().size(); i++) {
            if (index.each(i)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable KeyLimit limit(List<Expr> conditions, Expr key) {
        KeyLimits limits = new KeyLimits(compiler, shape, key, this::isKnown);
        KeyLimit all = null;
        for (Expr condition : conditions) {
            KeyLimit own = limits.of(condition);
            if (own != null) {
                used.add(condition);
                all = all == null ? own : all.and(own);
            }
        }
        return all;
    }

    /** Only one condition limits the elements, unless they are the values of one field: others may hold for other elements. */
    private @Nullable KeyLimit element(List<Expr> conditions, int key) {
        AdaptiveKey.Field wanted = field;
        if (wanted != null) {
            KeyLimit value = limit(conditions, wanted.path());
            Intervals name = Intervals.equalTo(Value.of(wanted.name()));
            return value == null ? null : FlattenedLimit.of(List.of(row -> name, value));
        }
        ElementLimits limits = new ElementLimits(compiler, shape, index.keys().get(key), this::isKnown);
        for (Expr condition : conditions) {
            KeyLimit own = limits.of(condition);
            if (own != null) {
                used.add(condition);
                return own;
            }
        }
        return null;
    }

    private boolean isKnown(Expr expr) {
        return FreeRefs.of(expr).slotsOf(compiler.blocks().block()).stream().noneMatch(unknown::contains);
    }

    /** Returns how many keys are limited. */
    int keys() {
        return keys.size();
    }

    /** Returns how many of the first keys have at most one value. */
    int singleKeys() {
        return (int) keys.stream().takeWhile(KeyLimit::single).count();
    }

    boolean isSingle(int key) {
        return key < keys.size() && keys.get(key).single();
    }

    Set<Expr> used() {
        return used;
    }

    List<String> texts() {
        return used.stream().map(ExprText::of).toList();
    }

    /** Returns the ranges in ascending order. */
    Spans at(Frame row) {
        EntryRanges ranges = new EntryRanges();
        int narrowed = 0;
        for (KeyLimit limit : keys) {
            Intervals values = limit.at(row);
            if (values.all().isEmpty()) {
                return new Spans(List.of(), true, true);
            }
            boolean descending = index.descending(narrowed++);
            if (!ranges.narrow(values, descending)) {
                break;
            }
        }
        boolean exact = narrowed == keys.size() && ranges.exact();
        return new Spans(ranges.ranges(), exact && !index.hasEach(), exact);
    }
}
