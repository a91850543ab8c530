package io.millrace.n1ql;

import io.millrace.n1ql.function.spec.Args;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.statement.AdvisorFunction;
import io.millrace.n1ql.plan.statement.Definitions;
import io.millrace.n1ql.plan.statement.RecursiveFunction;
import io.millrace.n1ql.runtime.EngineFunctions;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.system.Node;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * ADVISOR, EVALUATE and RECURSIVE_CTE, which run statements that only read, EXTRACTDDL and FORMALIZE, and those that tell the
 * process and the user.
 */
final class StatementFunctions implements EngineFunctions {

    private final QueryEngine engine;

    StatementFunctions(QueryEngine engine) {
        this.engine = engine;
    }

    @Override
    public Value call(String name, Value[] args, Execution execution) {
        return switch (name) {
            case "advisor" ->
                AdvisorFunction.of(args[0], text -> run("ADVISOR", "ADVISE " + text, Map.of(), execution));
            case "evaluate" -> evaluate(args, execution);
            case "recursive_cte" ->
                RecursiveFunction.of(
                        args, (text, parameters) -> run("RECURSIVE_CTE", text, parameters, execution), execution);
            case "formalize" -> formalize(args, execution);
            case "extractddl" -> Definitions.of(args, execution);
            case "node_name" -> Value.of(Node.name());
            case "node_uuid" -> nodeId(args[0]);
            case "current_users" -> users(execution.rights().user());
            default -> throw new IllegalArgumentException(name);
        };
    }

    private Value evaluate(Value[] args, Execution execution) {
        Map<String, Value> parameters = args.length == 1 ? Map.of() : parameters(args[1]);
        if (!(args[0] instanceof StringValue text) || args.length == 2 && !isContainer(args[1])) {
            return Args.unknown(args);
        }
        return run("EVALUATE", text.text(), parameters, execution);
    }

    private ArrayValue run(String function, String text, Map<String, Value> parameters, Execution execution) {
        if (execution.depth() >= FunctionCalls.DEEPEST) {
            throw failed(function, "calls are nested deeper than " + FunctionCalls.DEEPEST);
        }
        CompiledStatement statement = engine.prepare(text);
        if (statement.changes() || statement.prepares() != null || statement.plan() instanceof ExecutePlan) {
            throw failed(
                    function, "the statement must be a query; this one changes something or runs another one: " + text);
        }
        execution.check();
        Execution inner = execution.inside(parameters, execution.queryContext());
        try {
            ArrayValue rows = rows(function, statement, inner);
            inner.warnings().forEach(execution::warn);
            return rows;
        } finally {
            inner.release();
        }
    }

    /** Returns the identifier of this process, for its name or an empty one; NULL for other processes, which are not known. */
    private static Value nodeId(Value name) {
        if (!(name instanceof StringValue text)) {
            return Args.unknown(name);
        }
        return text.text().isEmpty() || text.text().equals(Node.name()) ? Value.of(Node.id()) : Value.NULL;
    }

    private static Value users(StatementRights.User user) {
        return user.name().isEmpty() ? Value.EMPTY_ARRAY : ArrayValue.of(Value.of(user.domain() + ":" + user.name()));
    }

    private Value formalize(Value[] args, Execution execution) {
        String context = args.length == 2 ? Args.text(args[1]) : "";
        if (!(args[0] instanceof StringValue text) || context == null) {
            return Args.unknown(args);
        }
        return Value.of(
                engine.prepare(text.text()).formalized(args.length == 2 ? scope(context) : execution.queryContext()));
    }

    private static QueryContext scope(String path) {
        String[] parts = path.replaceFirst("^default:", "").replace("`", "").split("\\.", -1);
        if (parts.length != 2) {
            throw QueryException.evaluation("the query context of FORMALIZE is bucket.scope, not " + path);
        }
        return new QueryContext(parts[0], parts[1]);
    }

    private static ArrayValue rows(String function, CompiledStatement statement, Execution inner) {
        List<Value> rows = new ArrayList<>();
        long bytes = 0;
        try (Cursor<Value> cursor = statement.plan(inner).run(inner)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                inner.step();
                Value kept = ValueBytes.alone(row);
                long size = ValueBytes.size(kept);
                bytes += size;
                inner.hold(size);
                if (rows.size() >= FunctionSpec.MAX_ELEMENTS || bytes > StatementLimits.MAX_RESULT_LENGTH) {
                    throw QueryException.outOfRange(function + "()");
                }
                rows.add(kept);
            }
        }
        return ArrayValue.of(rows);
    }

    private static boolean isContainer(Value value) {
        return value instanceof ObjectValue || value instanceof ArrayValue;
    }

    private static Map<String, Value> parameters(Value given) {
        Map<String, Value> parameters = new HashMap<>();
        if (given instanceof ObjectValue named) {
            parameters.putAll(named.fields());
        } else if (given instanceof ArrayValue positional) {
            for (int i = 0; i < positional.size(); i++) {
                parameters.put(Integer.toString(i + 1), positional.get(i));
            }
        }
        return parameters;
    }

    private static QueryException failed(String function, String why) {
        return QueryException.of(
                ErrorCode.FUNCTION_FAILED, "Error executing function '%s': %s".formatted(function, why));
    }
}
