package io.millrace.n1ql.runtime;

import io.millrace.n1ql.value.Value;

/** Computes the functions that need more than their arguments: they run statements, or read the catalog. */
@FunctionalInterface
public interface EngineFunctions {

    /** Computes none, for runs that have no engine. */
    EngineFunctions NONE = (name, args, execution) -> {
        throw new IllegalStateException("A constant does not call " + name);
    };

    /** @param execution the run that calls */
    Value call(String name, Value[] args, Execution execution);
}
