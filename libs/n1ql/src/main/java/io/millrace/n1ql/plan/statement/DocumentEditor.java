package io.millrace.n1ql.plan.statement;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query.Each;
import io.millrace.n1ql.syntax.Statement.SetItem;
import io.millrace.n1ql.syntax.Statement.Target;
import io.millrace.n1ql.syntax.Statement.UnsetItem;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * SET and UNSET: computes a new document from an old one. All expressions see the old one, not earlier changes of the
 * same statement. A path without a parent is not set.
 */
final class DocumentEditor {

    /** One SET, or one UNSET, which has no value. */
    private record Item(
            PathSpec path, @Nullable Eval value, @Nullable Loop loop) {}

    /** The FOR of a change. */
    private record Loop(
            List<List<Variable>> levels, @Nullable Eval when) {}

    private record Variable(
            int keySlot,
            int slot,
            boolean within,
            Eval source,
            @Nullable PathSpec place) {}

    /** A path from the document, from META() or from a variable of FOR. */
    private record PathSpec(int rootSlot, List<Step> steps) {}

    /** A field, whose name may be computed, or an element. */
    private record Step(@Nullable String name, @Nullable Eval computed) {}

    private final Target target;
    private final ExprCompiler compiler;
    private final List<Item> items = new ArrayList<>();

    /** The changed document. */
    record Edited(Value document, @Nullable Long expiration) {}

    DocumentEditor(Target target, List<SetItem> set, List<UnsetItem> unset, ExprCompiler compiler) {
        this.target = target;
        this.compiler = compiler;
        for (SetItem item : set) {
            items.add(new Item(required(item.path()), compiler.compile(item.value()), loop(item.each())));
        }
        for (UnsetItem item : unset) {
            items.add(new Item(required(item.path()), null, loop(item.each())));
        }
    }

    private PathSpec required(Expr expr) {
        PathSpec path = path(expr);
        if (path == null) {
            throw io.millrace.n1ql.QueryException.of(
                    io.millrace.n1ql.ErrorCode.SEMANTICS,
                    "Not a path that can be changed: " + io.millrace.n1ql.syntax.ExprText.of(expr));
        }
        if (path.rootSlot() == target.metaSlot() && !isExpiration(path)) {
            throw io.millrace.n1ql.QueryException.of(
                    io.millrace.n1ql.ErrorCode.SEMANTICS,
                    "Of META(), only META().expiration can be changed: " + io.millrace.n1ql.syntax.ExprText.of(expr));
        }
        return path;
    }

    private static boolean isExpiration(PathSpec path) {
        return path.steps().size() == 1
                && "expiration".equals(path.steps().getFirst().name());
    }

    private @Nullable Loop loop(@Nullable Each each) {
        if (each == null) {
            return null;
        }
        List<List<Variable>> levels = new ArrayList<>();
        for (List<Expr.Binding> level : each.levels()) {
            levels.add(level.stream()
                    .map(binding -> new Variable(
                            binding.keySlot(),
                            binding.slot(),
                            binding.within(),
                            compiler.compile(binding.source()),
                            path(binding.source())))
                    .toList());
        }
        return new Loop(levels, compiler.optional(each.when()));
    }

    private @Nullable PathSpec path(Expr expr) {
        List<Step> steps = new ArrayList<>();
        Expr at = expr;
        while (true) {
            switch (at) {
                case Expr.Field field -> {
                    steps.addFirst(new Step(field.name(), null));
                    at = field.base();
                }
                case Expr.DynamicField field -> {
                    steps.addFirst(new Step(null, compiler.compile(field.name())));
                    at = field.base();
                }
                case Expr.Element element -> {
                    steps.addFirst(new Step(null, compiler.compile(element.index())));
                    at = element.base();
                }
                case Expr.Ref ref -> {
                    return ref.block() == compiler.blocks().block() ? new PathSpec(ref.slot(), steps) : null;
                }
                default -> {
                    return null;
                }
            }
        }
    }

    // ---- at run time

    Edited edit(Frame row) {
        return new Run(row).edit();
    }

    private final class Run {

        private final Frame row;
        private final Map<Integer, List<Value>> places = new HashMap<>();
        private Value document;
        private @Nullable Long expiration;

        Run(Frame row) {
            this.row = row;
            this.document = row.get(target.slot());
        }

        Edited edit() {
            for (Item item : items) {
                Loop loop = item.loop();
                if (loop == null) {
                    apply(item);
                } else {
                    repeat(item, loop, 0);
                }
            }
            return new Edited(document, expiration);
        }

        private void apply(Item item) {
            Eval value = item.value();
            Value changed = value == null ? Value.MISSING : value.eval(row);
            PathSpec path = item.path();
            if (path.rootSlot() == target.metaSlot()) {
                if (changed instanceof NumberValue seconds) {
                    expiration = seconds.longValue();
                }
                return;
            }
            List<Value> place = place(path);
            if (place != null && !(place.isEmpty() && changed.isMissing())) {
                document = set(document, place, 0, changed);
            }
        }

        /** Returns the names and indexes from the root of the document, or null if the path does not exist. */
        private @Nullable List<Value> place(PathSpec path) {
            List<Value> from = path.rootSlot() == target.slot() ? List.of() : places.get(path.rootSlot());
            if (from == null) {
                return null;
            }
            List<Value> place = new ArrayList<>(from);
            for (Step step : path.steps()) {
                Eval computed = step.computed();
                String name = step.name();
                place.add(computed != null ? computed.eval(row) : name == null ? Value.MISSING : Value.of(name));
            }
            return place;
        }

        private Value set(Value value, List<Value> place, int at, Value changed) {
            if (at == place.size()) {
                return changed;
            }
            boolean last = at == place.size() - 1;
            if (value instanceof ObjectValue object && place.get(at) instanceof StringValue name) {
                Value field = object.get(name.text());
                if (last) {
                    return object.with(name.text(), changed);
                }
                return field.isMissing() ? value : object.with(name.text(), set(field, place, at + 1, changed));
            }
            if (value instanceof ArrayValue array && place.get(at) instanceof NumberValue index && index.isWhole()) {
                long position = index.longValue() < 0 ? index.longValue() + array.size() : index.longValue();
                if (position < 0 || position >= array.size() || last && changed.isMissing()) {
                    return value;
                }
                List<Value> elements = new ArrayList<>(array.items());
                elements.set((int) position, set(array.get((int) position), place, at + 1, changed));
                return ArrayValue.of(elements);
            }
            return value;
        }

        // ---- FOR

        private void repeat(Item item, Loop loop, int level) {
            if (level == loop.levels().size()) {
                Eval when = loop.when();
                if (when == null || when.eval(row).truth()) {
                    apply(item);
                }
                return;
            }
            List<Variable> variables = loop.levels().get(level);
            List<List<Element>> elements = new ArrayList<>();
            int length = Integer.MAX_VALUE;
            for (Variable variable : variables) {
                List<Element> found = elements(variable);
                elements.add(found);
                length = Math.min(length, found.size());
            }
            for (int i = 0; i < length; i++) {
                row.execution().step();
                for (int v = 0; v < variables.size(); v++) {
                    assign(variables.get(v), elements.get(v).get(i));
                }
                repeat(item, loop, level + 1);
            }
        }

        private void assign(Variable variable, Element element) {
            row.set(variable.slot(), element.value());
            if (variable.keySlot() >= 0) {
                row.set(variable.keySlot(), element.key());
            }
            List<Value> place = element.place();
            if (place == null) {
                places.remove(variable.slot());
            } else {
                places.put(variable.slot(), place);
            }
        }

        private List<Element> elements(Variable variable) {
            Value source = variable.source().eval(row);
            PathSpec path = variable.place();
            List<Value> place = path == null ? null : place(path);
            List<Element> elements = new ArrayList<>();
            boolean objects = variable.within() || variable.keySlot() >= 0;
            collect(source, place, variable.within(), objects, elements);
            return elements;
        }
    }

    /** The collection of a variable; the place is null if the collection is not in the document. */
    private record Element(Value key, Value value, @Nullable List<Value> place) {}

    private static void collect(
            Value source, @Nullable List<Value> place, boolean within, boolean objects, List<Element> into) {
        if (source instanceof ArrayValue array) {
            for (int i = 0; i < array.size(); i++) {
                add(Value.of((long) i), array.get(i), place, within, into);
            }
        } else if (objects && source instanceof ObjectValue object) {
            for (String name : object.sortedNames()) {
                add(Value.of(name), object.get(name), place, within, into);
            }
        }
    }

    private static void add(Value key, Value value, @Nullable List<Value> place, boolean within, List<Element> into) {
        List<Value> inner = null;
        if (place != null) {
            inner = new ArrayList<>(place);
            inner.add(key);
        }
        into.add(new Element(key, value, inner));
        if (within) {
            collect(value, inner, true, true, into);
        }
    }
}
