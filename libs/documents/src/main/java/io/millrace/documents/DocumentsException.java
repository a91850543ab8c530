package io.millrace.documents;

import io.millrace.redis.RedisFailure;
import org.jspecify.annotations.Nullable;

/**
 * Why the document store could not do what was asked. Messages say what to do about it and are fit to be shown to the
 * user who asked.
 */
public final class DocumentsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        BUCKET_NOT_FOUND,
        SCOPE_NOT_FOUND,
        COLLECTION_NOT_FOUND,
        BUCKET_EXISTS,
        SCOPE_EXISTS,
        COLLECTION_EXISTS,
        /** The index of a collection has not been opened, or has been dropped. */
        INDEX_NOT_FOUND,
        TOO_MANY_BUCKETS,
        TOO_MANY_COLLECTIONS,
        /** The bucket belongs to Millrace itself; see {@link SystemHandle}. */
        SYSTEM_BUCKET,
        INVALID_NAME,
        INVALID_SHARDS,
        INVALID_ID,
        DOCUMENT_TOO_LARGE,
        XATTRS_TOO_LARGE,
        /** Redis cannot be reached, is loading, or did not answer in time; the write may or may not have happened. */
        UNAVAILABLE,
        /** The process has no room for the document in memory now, see {@link ReadRoom}. */
        OVERLOADED,
        /** Redis refuses writes: out of memory, read-only replica, failed persistence. */
        REFUSED,
        /** The bucket moved on to a newer incarnation; this process must reload the catalog. */
        STALE_INCARNATION,
        /** The shard's newest seqno is less than the feed's position: Redis lost writes that readers had received. */
        HISTORY_LOST,
        /** The stored bytes are not what this version writes. */
        CORRUPT
    }

    private final Code code;

    private DocumentsException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** Returns true when the same call may succeed later without anything being changed. */
    public boolean unavailable() {
        return code == Code.UNAVAILABLE || code == Code.STALE_INCARNATION || code == Code.OVERLOADED;
    }

    /** Returns true when Redis was asked to write, and has not answered: it may have done so. */
    public boolean outcomeUnknown() {
        return code == Code.UNAVAILABLE && getCause() != null && RedisFailure.unanswered(getCause());
    }

    /** Returns true when a write was not carried out only because the store is full. */
    public boolean full() {
        return code == Code.REFUSED && RedisFailure.full(getCause());
    }

    /** Returns what the failure of a call to Redis means for the store; one of the store stays what it is. */
    public static DocumentsException of(Throwable failure) {
        return RedisFailure.unwrap(failure) instanceof DocumentsException known ? known : of(RedisFailure.of(failure));
    }

    /** Returns what a failure of Redis means for the store. */
    public static DocumentsException of(RedisFailure failure) {
        Code code = switch (failure.kind()) {
            case UNAVAILABLE -> Code.UNAVAILABLE;
            case WRONG_TYPE -> Code.CORRUPT;
            case REFUSED -> Code.REFUSED;
        };
        return of(code, failure.message(), failure.cause());
    }

    public static DocumentsException bucketNotFound(String bucket) {
        return new DocumentsException(
                Code.BUCKET_NOT_FOUND,
                "There is no bucket '%s'. Create it first, or check the spelling.".formatted(bucket),
                null);
    }

    /** A bucket whose data only a newer version of the program can read. */
    public static DocumentsException newerFormat(String bucket, int format, int supported) {
        return new DocumentsException(
                Code.CORRUPT,
                ("Bucket '%s' is stored in format %d, which a newer version of Millrace has written; this version uses"
                                + " formats up to %d. Run the newer version.")
                        .formatted(bucket, format, supported),
                null);
    }

    public static DocumentsException systemBucket(String bucket) {
        return new DocumentsException(
                Code.SYSTEM_BUCKET,
                "Bucket '%s' belongs to Millrace itself, as all names that start with '_' do.".formatted(bucket),
                null);
    }

    public static DocumentsException scopeNotFound(String bucket, String scope) {
        return new DocumentsException(
                Code.SCOPE_NOT_FOUND, "Bucket '%s' has no scope '%s'.".formatted(bucket, scope), null);
    }

    public static DocumentsException collectionNotFound(Keyspace keyspace) {
        return new DocumentsException(
                Code.COLLECTION_NOT_FOUND,
                "Scope '%s.%s' has no collection '%s'."
                        .formatted(keyspace.bucket(), keyspace.scope(), keyspace.collection()),
                null);
    }

    public static DocumentsException indexNotFound(Keyspace keyspace) {
        return new DocumentsException(
                Code.INDEX_NOT_FOUND,
                "An index of '%s' that was to be used has been dropped. Try again.".formatted(keyspace),
                null);
    }

    public static DocumentsException of(Code code, String message) {
        return new DocumentsException(code, message, null);
    }

    public static DocumentsException of(Code code, String message, Throwable cause) {
        return new DocumentsException(code, message, cause);
    }
}
