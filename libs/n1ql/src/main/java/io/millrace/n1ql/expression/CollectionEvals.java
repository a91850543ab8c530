package io.millrace.n1ql.expression;

import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.Comprehension.Kind;
import io.millrace.n1ql.syntax.Expr.Quantified.Quantifier;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** ANY, EVERY, and the comprehensions ARRAY, FIRST and OBJECT. */
final class CollectionEvals {

    private CollectionEvals() {}

    /** A variable and the source of its values. */
    private record Variable(@Nullable Integer keySlot, int slot, boolean within, Eval source) {}

    private static List<Variable> variables(List<Binding> bindings, ExprCompiler compiler) {
        return bindings.stream()
                .map(binding -> new Variable(
                        binding.keySlot() < 0 ? null : binding.keySlot(),
                        binding.slot(),
                        binding.within(),
                        compiler.compile(binding.source())))
                .toList();
    }

    /** The elements of a collection; {@code keys} is null for an array. */
    private record Elements(@Nullable List<Value> keys, ArrayValue values) {}

    /** Returns the elements, or null with {@code why} set if the source is not a collection. */
    private static @Nullable Elements elements(Variable variable, Frame frame, Value[] why) {
        Value source = variable.source().eval(frame);
        if (variable.within() && (source.isArray() || source.isObject())) {
            List<Value> keys = new ArrayList<>();
            List<Value> values = new ArrayList<>();
            descendants(source, keys, values);
            return new Elements(variable.keySlot() == null ? null : keys, ArrayValue.of(values));
        }
        if (source instanceof ArrayValue array) {
            return new Elements(variable.keySlot() == null ? null : positions(array.size()), array);
        }
        if (source instanceof ObjectValue object && variable.keySlot() != null) {
            List<Value> keys = new ArrayList<>();
            List<Value> values = new ArrayList<>();
            for (String name : object.sortedNames()) {
                keys.add(Value.of(name));
                values.add(object.get(name));
            }
            return new Elements(keys, ArrayValue.of(values));
        }
        why[0] = source.isMissing() ? Value.MISSING : Value.NULL;
        return null;
    }

    private static List<Value> positions(int size) {
        List<Value> positions = new ArrayList<>(size);
        for (long i = 0; i < size; i++) {
            positions.add(Value.of(i));
        }
        return positions;
    }

    private static void descendants(Value value, List<Value> keys, List<Value> values) {
        if (value instanceof ArrayValue array) {
            for (int i = 0; i < array.size(); i++) {
                keys.add(Value.of((long) i));
                values.add(array.get(i));
                descendants(array.get(i), keys, values);
            }
        } else if (value instanceof ObjectValue object) {
            for (String name : object.sortedNames()) {
                Value field = object.get(name);
                keys.add(Value.of(name));
                values.add(field);
                descendants(field, keys, values);
            }
        }
    }

    /** Iterates over the collections of all variables of one FOR in parallel, until the shortest ends. */
    private static Elements @Nullable [] sideBySide(List<Variable> variables, Frame frame, Value[] why) {
        Elements[] all = new Elements[variables.size()];
        Value[] reason = new Value[1];
        Value result = null;
        for (int i = 0; i < all.length; i++) {
            Elements elements = elements(variables.get(i), frame, reason);
            if (elements == null) {
                result = result != null && result.isMissing() ? result : reason[0];
            } else {
                all[i] = elements;
            }
        }
        if (result != null) {
            why[0] = result;
            return null;
        }
        return all;
    }

    /** Returns whether all collections have an element at a position. */
    private static boolean have(Elements[] all, int at) {
        for (Elements elements : all) {
            if (!elements.values().has(at)) {
                return false;
            }
        }
        return true;
    }

    private static void assign(List<Variable> variables, Elements[] all, int at, Frame frame) {
        for (int i = 0; i < all.length; i++) {
            Variable variable = variables.get(i);
            frame.set(variable.slot(), all[i].values().get(at));
            List<Value> keys = all[i].keys();
            if (keys != null && variable.keySlot() != null) {
                frame.set(variable.keySlot(), keys.get(at));
            }
        }
        frame.execution().step();
    }

    static Eval quantified(Expr.Quantified quantified, ExprCompiler compiler) {
        List<Variable> variables = variables(quantified.bindings(), compiler);
        Eval satisfies = compiler.compile(quantified.satisfies());
        boolean any = quantified.quantifier() == Quantifier.ANY;
        boolean emptyIs = quantified.quantifier() == Quantifier.EVERY;
        return frame -> {
            Value[] why = new Value[1];
            Elements[] all = sideBySide(variables, frame, why);
            if (all == null) {
                return why[0];
            }
            int at = 0;
            for (; have(all, at); at++) {
                assign(variables, all, at, frame);
                if (satisfies.eval(frame).truth() == any) {
                    return Value.of(any);
                }
            }
            return Value.of(!any && (at > 0 || emptyIs));
        };
    }

    static Eval comprehension(Expr.Comprehension comprehension, ExprCompiler compiler) {
        List<List<Variable>> levels = comprehension.levels().stream()
                .map(level -> variables(level, compiler))
                .toList();
        Eval name = compiler.optional(comprehension.name());
        Eval value = compiler.compile(comprehension.value());
        Eval when = compiler.optional(comprehension.when());
        Kind kind = comprehension.kind();
        return frame -> {
            Collector collector = new Collector(kind, name, value, when);
            Value failed = run(levels, 0, frame, collector);
            return failed == null ? collector.result() : failed;
        };
    }

    /** Runs a level for every step of the outer one; returns why the outermost source is not a collection, or null. */
    private static @Nullable Value run(List<List<Variable>> levels, int level, Frame frame, Collector collector) {
        if (level == levels.size()) {
            collector.collect(frame);
            return null;
        }
        Value[] why = new Value[1];
        Elements[] all = sideBySide(levels.get(level), frame, why);
        if (all == null) {
            return level == 0 ? why[0] : null;
        }
        for (int i = 0; !collector.full() && have(all, i); i++) {
            assign(levels.get(level), all, i, frame);
            run(levels, level + 1, frame, collector);
        }
        return null;
    }

    private static final class Collector {

        private final Kind kind;
        private final @Nullable Eval name;
        private final Eval value;
        private final @Nullable Eval when;
        private final List<Value> items = new ArrayList<>();
        private final Map<String, Value> fields = new LinkedHashMap<>();

        Collector(Kind kind, @Nullable Eval name, Eval value, @Nullable Eval when) {
            this.kind = kind;
            this.name = name;
            this.value = value;
            this.when = when;
        }

        boolean full() {
            return kind == Kind.FIRST && !items.isEmpty();
        }

        void collect(Frame frame) {
            if (full() || when != null && !when.eval(frame).truth()) {
                return;
            }
            Value found = value.eval(frame);
            if (found.isMissing() && kind != Kind.FIRST) {
                return;
            }
            if (name == null) {
                items.add(found);
            } else if (name.eval(frame) instanceof StringValue text) {
                fields.put(text.text(), found);
            }
        }

        Value result() {
            return switch (kind) {
                case ARRAY -> Bounds.result(ArrayValue.of(items), "ARRAY");
                case OBJECT -> Bounds.result(ObjectValue.of(fields), "OBJECT");
                case FIRST -> items.isEmpty() ? Value.MISSING : items.getFirst();
            };
        }
    }
}
