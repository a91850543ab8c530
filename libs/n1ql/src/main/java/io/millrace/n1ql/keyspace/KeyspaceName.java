package io.millrace.n1ql.keyspace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The name of a keyspace: bucket, scope and collection. */
public record KeyspaceName(String bucket, String scope, String collection) {

    /** What stands for scope and collection when nothing is said. */
    public static final String DEFAULT = "_default";

    public static KeyspaceName of(String bucket) {
        return new KeyspaceName(bucket, DEFAULT, DEFAULT);
    }

    /**
     * Reads a path of a statement: a bucket, or bucket, scope and collection. With a query context, {@code bucket.scope},
     * a single name is a collection in it. Null when the path has another length.
     */
    public static @Nullable KeyspaceName of(List<String> path, @Nullable QueryContext context) {
        if (path.size() == 1) {
            return context == null
                    ? of(path.getFirst())
                    : new KeyspaceName(context.bucket(), context.scope(), path.getFirst());
        }
        return path.size() == 3 ? new KeyspaceName(path.get(0), path.get(1), path.get(2)) : null;
    }

    /** Where single names are looked up. */
    public record QueryContext(String bucket, String scope) {}

    /** Returns the name as messages and plans show it. */
    @Override
    public String toString() {
        boolean whole = scope.equals(DEFAULT) && collection.equals(DEFAULT);
        return whole ? "default:" + bucket : "default:" + bucket + "." + scope + "." + collection;
    }
}
