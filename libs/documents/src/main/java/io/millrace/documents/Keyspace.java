package io.millrace.documents;

import java.util.Objects;

/**
 * The full name of a collection: {@code bucket.scope.collection}.
 *
 * <p>Names are checked when a bucket, scope or collection is created, not here; a keyspace that names something absent
 * is answered with {@link DocumentsException.Code#BUCKET_NOT_FOUND} and its kin on use.
 */
public record Keyspace(String bucket, String scope, String collection) {

    /** The name of the scope and of the collection that every bucket has. */
    public static final String DEFAULT = "_default";

    public Keyspace {
        Objects.requireNonNull(bucket, "bucket");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(collection, "collection");
    }

    /** Returns the default collection of a bucket. */
    public static Keyspace of(String bucket) {
        return new Keyspace(bucket, DEFAULT, DEFAULT);
    }

    /** Returns {@code bucket.scope.collection}, the form used in messages. */
    @Override
    public String toString() {
        return bucket + '.' + scope + '.' + collection;
    }
}
