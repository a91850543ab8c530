package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.function.Exclusions;
import io.millrace.n1ql.function.spec.Bounds;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes the result of a row. */
public final class Projector {

    private Projector() {}

    /** A field of the result; the fields of a value without a name are merged into the result. */
    private record Part(@Nullable String name, Eval value) {}

    public static Eval of(Projection projection, ExprCompiler compiler) {
        Eval result = projection.raw()
                ? compiler.compile(((Query.ExprTerm) projection.terms().getFirst()).expr())
                : object(projection, compiler);
        Eval bounded = frame -> Bounds.result(result.eval(frame), "SELECT");
        return projection.exclude().isEmpty() ? bounded : without(bounded, projection, compiler);
    }

    private static Eval object(Projection projection, ExprCompiler compiler) {
        List<Part> parts = new ArrayList<>();
        for (Query.Term term : projection.terms()) {
            switch (term) {
                case Query.StarTerm star -> {}
                case Query.PathStarTerm path -> parts.add(new Part(null, compiler.compile(path.expr())));
                case Query.ExprTerm plain -> parts.add(new Part(plain.alias(), compiler.compile(plain.expr())));
            }
        }
        if (parts.size() == 1 && parts.getFirst().name() == null) {
            Eval only = parts.getFirst().value();
            return frame -> only.eval(frame) instanceof ObjectValue object ? object : ObjectValue.EMPTY;
        }
        return frame -> object(parts, frame);
    }

    private static Value object(List<Part> parts, Frame frame) {
        Map<String, Value> fields = LinkedHashMap.newLinkedHashMap(parts.size());
        for (Part part : parts) {
            Value value = part.value().eval(frame);
            String name = part.name();
            if (name == null) {
                if (value instanceof ObjectValue object) {
                    fields.putAll(object.fields());
                }
            } else if (!value.isMissing()) {
                fields.put(name, value);
            }
        }
        return ObjectValue.of(fields);
    }

    // ---- EXCLUDE

    private static Eval without(Eval result, Projection projection, ExprCompiler compiler) {
        List<ArrayValue> paths = new ArrayList<>();
        List<Eval> texts = new ArrayList<>();
        for (Expr expr : projection.exclude()) {
            if (expr instanceof Expr.Literal literal && literal.value() instanceof ArrayValue path) {
                paths.add(path);
            } else {
                texts.add(compiler.compile(expr));
            }
        }
        return frame -> {
            Value left = without(result.eval(frame), paths);
            for (Eval text : texts) {
                left = without(left, Exclusions.of(text.eval(frame), projection.roots()));
            }
            return left;
        };
    }

    private static Value without(Value value, List<ArrayValue> paths) {
        Value left = value;
        for (ArrayValue path : paths) {
            left = without(left, path.items(), 0);
        }
        return left;
    }

    private static Value without(Value value, List<Value> path, int at) {
        boolean last = at == path.size() - 1;
        if (value instanceof ArrayValue array) {
            List<Value> items = new ArrayList<>(array.items());
            if (path.get(at) instanceof NumberValue position) {
                int wanted = (int) position.longValue();
                int found = wanted < 0 ? items.size() + wanted : wanted;
                if (found < 0 || found >= items.size()) {
                    return value;
                }
                if (last) {
                    items.remove(found);
                } else {
                    items.set(found, without(items.get(found), path, at + 1));
                }
            } else {
                items.replaceAll(item -> without(item, path, at));
            }
            return ArrayValue.of(items);
        }
        if (!(value instanceof ObjectValue object) || !(path.get(at) instanceof StringValue name)) {
            return value;
        }
        Value field = object.get(name.text());
        if (field.isMissing()) {
            return value;
        }
        return object.with(name.text(), last ? Value.MISSING : without(field, path, at + 1));
    }
}
