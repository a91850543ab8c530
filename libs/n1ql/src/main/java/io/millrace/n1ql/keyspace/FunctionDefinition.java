package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A user-defined function: an expression over parameters, or code.
 *
 * @param parameters their names; of a variadic function the one name of the array of its arguments
 * @param expression its text, or code that declares a JavaScript function of the same name
 */
public record FunctionDefinition(
        Name name, Language language, List<String> parameters, boolean variadic, String expression) {

    /** What a function is written in. */
    public enum Language {
        INLINE,
        JAVASCRIPT;

        /** Returns the word that tables and documents have for it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public FunctionDefinition {
        parameters = List.copyOf(parameters);
    }

    /**
     * The name of a function: global, or in a scope.
     *
     * @param bucket null for a global function, as is {@code scope}
     */
    public record Name(@Nullable String bucket, @Nullable String scope, String function) {

        /**
         * Resolves a path of a statement: a function, or bucket, scope and function. With a query context, a single name is a
         * function in its scope. Returns null if the path has another length.
         */
        public static @Nullable Name of(List<String> path, @Nullable QueryContext context) {
            return switch (path.size()) {
                case 1 ->
                    context == null
                            ? global(path.getFirst())
                            : new Name(context.bucket(), context.scope(), path.getFirst());
                case 3 -> new Name(path.get(0), path.get(1), path.get(2));
                default -> null;
            };
        }

        public static Name global(String function) {
            return new Name(null, null, function);
        }

        /** Returns the scope in which the function looks up names, or null. */
        public @Nullable QueryContext context() {
            return bucket == null || scope == null ? null : new QueryContext(bucket, scope);
        }

        /** Returns the path for messages and plans. */
        @Override
        public String toString() {
            return "default:" + (bucket == null ? "" : bucket + "." + scope + ".") + function;
        }
    }
}
