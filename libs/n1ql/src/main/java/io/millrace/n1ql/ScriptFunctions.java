package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.value.Value;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs user-defined functions that are written in JavaScript. Thread-safe; the engine has no JavaScript of its own. */
public interface ScriptFunctions {

    /** Runs none. */
    ScriptFunctions NONE = new ScriptFunctions() {
        @Override
        public void check(FunctionDefinition function) {
            throw QueryException.of(
                    ErrorCode.SEMANTICS,
                    "Functions in JavaScript cannot be created here; write an expression: CREATE FUNCTION name(a, b) { a + b }");
        }

        @Override
        public CompletableFuture<Value> call(FunctionDefinition function, List<Value> args) {
            throw QueryException.of(
                    ErrorCode.FUNCTION_FAILED,
                    "functions in JavaScript run in statements over HTTP only, not in those of handlers");
        }
    };

    /** Compiles a function; throws a {@link QueryException} that says what is wrong, and where in its code. */
    void check(FunctionDefinition function);

    /**
     * Calls a function on another thread.
     *
     * @return the value, which is MISSING for undefined, or a {@link QueryException} that says why it failed
     */
    CompletableFuture<Value> call(FunctionDefinition function, List<Value> args);
}
