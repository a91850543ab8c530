package io.millrace.n1ql;

import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.FunctionDefinition.Language;
import io.millrace.n1ql.keyspace.FunctionStore;
import io.millrace.n1ql.plan.operator.Cursor;
import io.millrace.n1ql.plan.statement.StatementPlan;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.UserFunctions;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Value;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls user-defined functions. Code goes to what runs it; the expression of a function is a query of one row whose parameters are the arguments. Plans
 * are kept by definition, so that a function that was replaced is planned again. Thread-safe.
 */
final class FunctionCalls implements UserFunctions {

    /** The most plans of functions that are kept. */
    private static final int MOST_PLANS = 256;

    /** The most calls inside of each other; a function that calls itself without end reaches it. */
    static final int DEEPEST = 32;

    /** Errors of the whole run, or of a call further inside. */
    private static final Set<Integer> PASSED_ON = Stream.of(
                    ErrorCode.TIMEOUT,
                    ErrorCode.CANCELLED,
                    ErrorCode.MEMORY,
                    ErrorCode.NO_CREDENTIALS,
                    ErrorCode.FUNCTION_NOT_FOUND,
                    ErrorCode.FUNCTION_ARGUMENTS,
                    ErrorCode.FUNCTION_FAILED)
            .map(ErrorCode::code)
            .collect(Collectors.toUnmodifiableSet());

    private final BiFunction<Statement, ParsedStatement, IndexedPlans> planner;
    private final ScriptFunctions scripts;
    private final Map<FunctionDefinition, IndexedPlans> plans = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FunctionDefinition, IndexedPlans> eldest) {
            return size() > MOST_PLANS;
        }
    };

    FunctionCalls(ScriptFunctions scripts, BiFunction<Statement, ParsedStatement, IndexedPlans> planner) {
        this.scripts = scripts;
        this.planner = planner;
    }

    /** Refuses an expression that cannot be called, before anything runs. */
    void check(Statement.CreateFunction create) {
        if (create.language() == Language.INLINE) {
            compile(new FunctionDefinition(
                    FunctionDefinition.Name.global("checked"),
                    create.language(),
                    create.parameters(),
                    create.variadic(),
                    create.body()));
        }
    }

    /** Code is compiled only for those who may create the function. */
    @Override
    public void check(FunctionDefinition function) {
        if (function.language() == Language.JAVASCRIPT) {
            scripts.check(function);
        }
    }

    /** Returns whether a function exists that a statement may mean, whatever its query context is. */
    static boolean exists(List<String> path, FunctionStore store) {
        return store.all().stream()
                .anyMatch(function -> function.name().function().equals(path.getLast()));
    }

    @Override
    public Value call(List<String> path, Value[] args, Execution execution) {
        FunctionDefinition function = found(path, execution);
        if (execution.depth() >= DEEPEST) {
            throw failed(function, "calls are nested deeper than " + DEEPEST);
        }
        execution.step();
        if (function.language() == Language.JAVASCRIPT) {
            return script(function, args, execution);
        }
        Execution inner =
                execution.inside(arguments(function, args), function.name().context());
        StatementPlan plan = planned(function).now(inner);
        try (Cursor<Value> rows = plan.run(inner)) {
            Value value = rows.next();
            inner.warnings().forEach(execution::warn);
            return value == null ? Value.MISSING : value;
        } catch (QueryException e) {
            throw PASSED_ON.contains(e.code()) ? e : failed(function, String.valueOf(e.getMessage()));
        } finally {
            inner.release();
        }
    }

    /** The run waits for another thread, so it can be cancelled and ends in time. */
    private Value script(FunctionDefinition function, Value[] args, Execution execution) {
        if (!function.variadic()) {
            requireCount(function, args);
        }
        try {
            return execution.await(scripts.call(function, Arrays.asList(args)));
        } catch (QueryException e) {
            throw e.errorCode() == ErrorCode.FUNCTION_FAILED ? failed(function, e.getMessage()) : e;
        }
    }

    private static QueryException failed(FunctionDefinition function, String why) {
        return QueryException.of(
                ErrorCode.FUNCTION_FAILED, "Error executing function '%s': %s".formatted(function.name(), why));
    }

    private static FunctionDefinition found(List<String> path, Execution execution) {
        FunctionStore store = execution.store().functions();
        FunctionDefinition.Name name = FunctionDefinition.Name.of(path, execution.queryContext());
        FunctionDefinition found = name == null ? null : execution.function(name, store::find);
        if (found == null && path.size() == 1) {
            found = execution.function(FunctionDefinition.Name.global(path.getFirst()), store::find);
        }
        if (found == null) {
            throw QueryException.of(
                    ErrorCode.FUNCTION_NOT_FOUND, "Function not found '" + String.join(".", path) + "'");
        }
        return found;
    }

    private static Map<String, Value> arguments(FunctionDefinition function, Value[] args) {
        List<String> names = function.parameters();
        if (function.variadic()) {
            return Map.of(names.getFirst(), ArrayValue.of(Arrays.asList(args)));
        }
        requireCount(function, args);
        Map<String, Value> arguments = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            arguments.put(names.get(i), args[i]);
        }
        return arguments;
    }

    private static void requireCount(FunctionDefinition function, Value[] args) {
        int expected = function.parameters().size();
        if (expected != args.length) {
            throw QueryException.of(
                    ErrorCode.FUNCTION_ARGUMENTS,
                    "Incorrect number of arguments supplied to function '%s': expected %d, got %d"
                            .formatted(function.name(), expected, args.length));
        }
    }

    private IndexedPlans planned(FunctionDefinition function) {
        synchronized (plans) {
            IndexedPlans known = plans.get(function);
            if (known != null) {
                return known;
            }
        }
        IndexedPlans made = compile(function);
        synchronized (plans) {
            plans.put(function, made);
        }
        return made;
    }

    private IndexedPlans compile(FunctionDefinition function) {
        ParsedStatement parsed = StatementParser.parse("SELECT RAW (" + function.expression() + ")");
        Statement query = StatementResolver.resolve((Statement.Select) parsed.statement(), function.parameters());
        return planner.apply(query, parsed);
    }
}
