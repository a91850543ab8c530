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

    /** The keyspaces that statements read other than to change them, and those that they change. */
    record Named(List<Keyspace> read, List<Keyspace> changed) {

        public static final Named NOTHING = new Named(List.of(), List.of());

        public Named {
            read = List.copyOf(read);
            changed = List.copyOf(changed);
        }
    }

    /** Returns what statements in the code do with which keyspaces, as far as the code names them. */
    default Named named(FunctionDefinition definition) {
        return Named.NOTHING;
    }
}
