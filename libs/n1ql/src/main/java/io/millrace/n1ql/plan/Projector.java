package io.millrace.n1ql.plan;

import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Query.Projection;
import io.millrace.n1ql.value.ArrayValue;
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
        List<List<String>> exclusions = exclusions(projection);
        return exclusions.isEmpty() ? result : frame -> without(result.eval(frame), exclusions);
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

    private static List<List<String>> exclusions(Projection projection) {
        List<List<String>> paths = new ArrayList<>();
        for (Expr expr : projection.exclude()) {
            if (expr instanceof Expr.Literal literal && literal.value() instanceof ArrayValue path) {
                paths.add(path.items().stream()
                        .map(name -> ((StringValue) name).text())
                        .toList());
            }
        }
        return paths;
    }

    private static Value without(Value value, List<List<String>> paths) {
        Value left = value;
        for (List<String> path : paths) {
            left = without(left, path, 0);
        }
        return left;
    }

    private static Value without(Value value, List<String> path, int at) {
        if (value instanceof ArrayValue array) {
            List<Value> items = new ArrayList<>();
            array.forEach(item -> items.add(without(item, path, at)));
            return ArrayValue.of(items);
        }
        if (!(value instanceof ObjectValue object)) {
            return value;
        }
        String name = path.get(at);
        Value field = object.get(name);
        if (field.isMissing()) {
            return value;
        }
        return object.with(name, at == path.size() - 1 ? Value.MISSING : without(field, path, at + 1));
    }
}
