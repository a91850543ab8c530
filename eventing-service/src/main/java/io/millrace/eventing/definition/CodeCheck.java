package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import java.util.List;

/** Looks at handler code without running it. */
@FunctionalInterface
public interface CodeCheck {

    /** @param line where in the user's code, from 1; 0 when there is no place */
    record Mistake(String message, int line, int column) {}

    /** Returns everything that is wrong with the code, in the order of the code. Blocks. */
    public List<Mistake> check(FunctionDefinition definition);

    /** Returns the keyspaces that statements in the code change, as far as the code says. */
    default List<Keyspace> changed(FunctionDefinition definition) {
        return List.of();
    }
}
