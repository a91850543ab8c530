package io.millrace.n1ql.keyspace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The name of a keyspace: bucket, scope and collection. */
public record KeyspaceName(String bucket, String scope, String collection) {

    /** The scope and collection of a name that consists of a bucket only. */
    public static final String DEFAULT = "_default";

    public static KeyspaceName of(String bucket) {
        return new KeyspaceName(bucket, DEFAULT, DEFAULT);
    }

    /** Returns the default keyspace of the same scope. */
    public KeyspaceName ofScope() {
        return new KeyspaceName(bucket, scope, DEFAULT);
    }

    /**
     * Resolves a path of a statement: a bucket, or bucket, scope and collection. With a query context, {@code
     * bucket.scope}, a single name is a collection in it. Returns null if the path has another length.
     */
    public static @Nullable KeyspaceName of(List<String> path, @Nullable QueryContext context) {
        if (path.size() == 1) {
            return context == null
                    ? of(path.getFirst())
                    : new KeyspaceName(context.bucket(), context.scope(), path.getFirst());
        }
        return path.size() == 3 ? new KeyspaceName(path.get(0), path.get(1), path.get(2)) : null;
    }

    /** The scope in which single names are looked up. */
    public record QueryContext(String bucket, String scope) {}

    /** Returns the name for messages and plans. */
    @Override
    public String toString() {
        boolean whole = scope.equals(DEFAULT) && collection.equals(DEFAULT);
        return whole ? "default:" + bucket : "default:" + bucket + "." + scope + "." + collection;
    }
}
