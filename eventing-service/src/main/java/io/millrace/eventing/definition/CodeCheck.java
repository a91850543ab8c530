package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import io.millrace.handler.Library;
import java.util.List;

/** Checks handler code without running it. */
@FunctionalInterface
public interface CodeCheck {

    /** @param line where in the user's code, from 1; 0 when unknown */
    record Mistake(String message, int line, int column) {}

    /** Returns all mistakes in the code, in the order of the code. Blocks. */
    public List<Mistake> check(FunctionDefinition definition);

    /**
     * Returns the libraries that the code imports, directly and through others; those that do not exist are left out. Blocks.
     */
    default List<Library> libraries(FunctionDefinition definition) {
        return List.of();
    }

    /** Returns the keyspaces that statements in the code change, as far as the code names them. */
    default List<Keyspace> changed(FunctionDefinition definition) {
        return List.of();
    }
}
