package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** User-defined functions by name. Thread-safe; calls may wait for the store. */
public interface FunctionStore {

    /** Has no functions and takes none. */
    FunctionStore NONE = new FunctionStore() {
        @Override
        public @Nullable FunctionDefinition find(FunctionDefinition.Name name) {
            return null;
        }

        @Override
        public List<FunctionDefinition> all() {
            return List.of();
        }

        @Override
        public boolean put(FunctionDefinition definition, boolean replace) {
            throw QueryException.of(ErrorCode.SEMANTICS, "Functions cannot be created here.");
        }

        @Override
        public boolean drop(FunctionDefinition.Name name) {
            return false;
        }
    };

    /** Returns a function, or null if it does not exist. */
    @Nullable
    FunctionDefinition find(FunctionDefinition.Name name);

    /** Returns all functions, for {@code system:functions}. */
    List<FunctionDefinition> all();

    /**
     * Keeps a function.
     *
     * @return false if there is one of that name and it is not to be replaced
     */
    boolean put(FunctionDefinition definition, boolean replace);

    /** Removes a function; false if it does not exist. */
    boolean drop(FunctionDefinition.Name name);
}
