package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The name of a sequence, which is in a scope. */
public record SequenceName(String bucket, String scope, String sequence) {

    /**
     * Resolves a path of a statement: bucket, scope and sequence, or with a query context one name in its scope. Returns null
     * for any other path.
     */
    public static @Nullable SequenceName of(List<String> path, @Nullable QueryContext context) {
        if (path.size() == 1 && context != null) {
            return new SequenceName(context.bucket(), context.scope(), path.getFirst());
        }
        return path.size() == 3 ? new SequenceName(path.get(0), path.get(1), path.get(2)) : null;
    }

    /** Returns the default keyspace of the scope, which rights are granted on. */
    public KeyspaceName place() {
        return new KeyspaceName(bucket, scope, KeyspaceName.DEFAULT);
    }

    /** Returns the path for messages and plans. */
    @Override
    public String toString() {
        return "default:" + bucket + "." + scope + "." + sequence;
    }
}
