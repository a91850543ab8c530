package io.millrace.n1ql.runtime;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.value.Value;
import java.util.List;

/** Calls user-defined functions. */
@FunctionalInterface
public interface UserFunctions {

    /** Finds no function. */
    UserFunctions NONE = (path, args, execution) -> {
        throw QueryException.of(ErrorCode.FUNCTION_NOT_FOUND, "Function not found '" + String.join(".", path) + "'");
    };

    /** Throws a {@link QueryException} if a function cannot be called; it may be compiled for that. */
    default void check(FunctionDefinition function) {}

    /** @param execution the run that calls */
    Value call(List<String> path, Value[] args, Execution execution);
}
