package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What statements create and drop: a bucket, a scope or a collection.
 *
 * @param name the collection; for a scope and a bucket, the default names stand for what is in it
 */
public record Container(Kind kind, KeyspaceName name) {

    /** Kinds of containers. */
    public enum Kind {
        BUCKET("bucket"),
        SCOPE("bucket.scope"),
        COLLECTION("bucket.scope.collection");

        private final String form;

        Kind(String form) {
            this.form = form;
        }

        /** Returns how such a container is named in full. */
        public String form() {
            return form;
        }

        /** Returns the name for messages. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the container that a path of a statement names, or null if the path has another length. */
    public static @Nullable Container of(Kind kind, List<String> path, @Nullable QueryContext context) {
        KeyspaceName name = switch (kind) {
            case BUCKET -> path.size() == 1 ? KeyspaceName.of(path.getFirst()) : null;
            case SCOPE -> scope(path, context);
            case COLLECTION -> path.size() == 1 && context == null ? null : KeyspaceName.of(path, context);
        };
        return name == null ? null : new Container(kind, name);
    }

    private static @Nullable KeyspaceName scope(List<String> path, @Nullable QueryContext context) {
        return switch (path.size()) {
            case 1 ->
                context == null ? null : new KeyspaceName(context.bucket(), path.getFirst(), KeyspaceName.DEFAULT);
            case 2 -> new KeyspaceName(path.getFirst(), path.getLast(), KeyspaceName.DEFAULT);
            default -> null;
        };
    }

    /** Returns the path for messages and plans. */
    @Override
    public String toString() {
        return switch (kind) {
            case BUCKET -> name.bucket();
            case SCOPE -> name.bucket() + "." + name.scope();
            case COLLECTION -> name.bucket() + "." + name.scope() + "." + name.collection();
        };
    }
}
