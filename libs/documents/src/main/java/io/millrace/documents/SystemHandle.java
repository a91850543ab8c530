package io.millrace.documents;

import org.jspecify.annotations.Nullable;

/**
 * Opens buckets of the system, whose names start with {@code _}, for the part of Millrace that keeps its data there. A store
 * refuses them to everyone else with {@link DocumentsException.Code#SYSTEM_BUCKET}, so that no interface can offer them by
 * mistake. See {@link DocumentStore#with}; a test of the architecture names the classes that may use a handle.
 */
public enum SystemHandle {
    /** Entries of MetaKV and nodes. */
    METAKV("_metakv"),
    /** Copies of the lines of audit trails. */
    AUDIT("_audit"),
    /** Event streams of other programs. */
    STREAMS("_streams"),
    /** Nothing: its vbuckets are those of functions that handle messages of topics. */
    TOPICS("_topics"),
    /** What a CouchDB database keeps besides its documents. */
    COUCH("_couch"),
    /** User-defined functions of statements. */
    QUERY("_query"),
    /** All buckets, those of users as well: for the maintenance of the whole store. */
    ALL(null);

    private static final char PREFIX = '_';

    private final @Nullable String bucket;

    SystemHandle(@Nullable String bucket) {
        this.bucket = bucket;
    }

    /** Returns whether a name is that of a bucket of the system. */
    public static boolean isSystem(String bucket) {
        return !bucket.isEmpty() && bucket.charAt(0) == PREFIX;
    }

    /** Returns whether a bucket is open for stores without a handle. */
    public static boolean isOrdinary(String bucket) {
        return !isSystem(bucket);
    }

    /** Returns whether this handle opens a bucket. */
    public boolean opens(String name) {
        return bucket == null || bucket.equals(name);
    }
}
