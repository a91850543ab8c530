package io.millrace.access;

/** What a permission is asked for. A resource names exactly one thing; wildcards exist only in a {@link Target}. */
public sealed interface Resource {

    /** The first character of the names of buckets that belong to the system. */
    char SYSTEM_PREFIX = '_';

    /** The name of the scope and of the collection that every bucket has. */
    String DEFAULT = "_default";

    /** The cluster as a whole: only a grant on everything covers it. */
    record Cluster() implements Resource {
        @Override
        public String toString() {
            return "cluster";
        }
    }

    /** A bucket with all that is in it. */
    record Bucket(String bucket) implements Resource {
        @Override
        public String toString() {
            return bucket;
        }
    }

    /** A scope with all its collections; also the place of functions that belong to the scope. */
    record Scope(String bucket, String scope) implements Resource {
        @Override
        public String toString() {
            return bucket + ":" + scope;
        }
    }

    /** One collection. */
    record Keyspace(String bucket, String scope, String collection) implements Resource {
        @Override
        public String toString() {
            return bucket + ":" + scope + ":" + collection;
        }
    }

    /** A topic. */
    record Topic(String topic) implements Resource {
        @Override
        public String toString() {
            return topic;
        }
    }

    /** Returns the cluster. */
    static Resource cluster() {
        return new Cluster();
    }

    /** Returns a bucket. */
    static Resource bucket(String bucket) {
        return new Bucket(bucket);
    }

    /** Returns a scope. */
    static Resource scope(String bucket, String scope) {
        return new Scope(bucket, scope);
    }

    /** Returns a collection. */
    static Resource keyspace(String bucket, String scope, String collection) {
        return new Keyspace(bucket, scope, collection);
    }

    /** Returns a topic. */
    static Resource topic(String topic) {
        return new Topic(topic);
    }

    /** Returns the default collection of a bucket, where documents of a CouchDB database are. */
    static Resource defaultKeyspace(String bucket) {
        return new Keyspace(bucket, DEFAULT, DEFAULT);
    }

    /**
     * Returns the place of a function. {@code *} for bucket and scope is the scope of administrators' functions, which is
     * the cluster.
     */
    static Resource functionScope(String bucket, String scope) {
        return bucket.equals(Target.ANY) ? cluster() : new Scope(bucket, scope);
    }

    /** Returns whether this is a bucket of the system or in one; those are open to services only. */
    default boolean system() {
        return switch (this) {
            case Cluster ignored -> false;
            case Topic ignored -> false;
            case Bucket(String bucket) -> isSystem(bucket);
            case Scope(String bucket, String scope) -> isSystem(bucket);
            case Keyspace(String bucket, String scope, String collection) -> isSystem(bucket);
        };
    }

    private static boolean isSystem(String bucket) {
        return !bucket.isEmpty() && bucket.charAt(0) == SYSTEM_PREFIX;
    }
}
