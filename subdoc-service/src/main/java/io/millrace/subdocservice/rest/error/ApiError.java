package io.millrace.subdocservice.rest.error;

import io.millrace.documents.DocumentsException;
import io.millrace.problemdetails.Problem;
import java.time.Duration;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** Every error of the API below {@code /api/v1}, with its HTTP status and what the caller can do about it. */
public enum ApiError {
    NOT_FOUND(
            HttpStatus.NOT_FOUND,
            "Compare the path with the OpenAPI document at /v3/api-docs. Send a slash in a document id as %2F."),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "Use a method that the Allow header lists."),
    BUCKET_NOT_FOUND(HttpStatus.NOT_FOUND, "Check the name, or create the bucket with PUT /api/v1/buckets/{bucket}."),
    SCOPE_NOT_FOUND(HttpStatus.NOT_FOUND, "Check the name, or create the scope with PUT on its path."),
    COLLECTION_NOT_FOUND(HttpStatus.NOT_FOUND, "Check the name, or create the collection with PUT on its path."),
    DOCUMENT_NOT_FOUND(HttpStatus.NOT_FOUND, "Check the id. The document may have been deleted or have expired."),
    BUCKET_EXISTS(HttpStatus.CONFLICT, "Use another name, or drop the bucket first."),
    SCOPE_EXISTS(HttpStatus.CONFLICT, "Use another name, or drop the scope first."),
    COLLECTION_EXISTS(HttpStatus.CONFLICT, "Use another name, or drop the collection first."),
    DOCUMENT_EXISTS(HttpStatus.CONFLICT, "To replace the document, use PUT without If-None-Match."),
    DOCUMENT_LOCKED(HttpStatus.LOCKED, "Repeat the change when the lock has ended, after at most 30 seconds."),
    TOO_MANY_BUCKETS(HttpStatus.CONFLICT, "Drop a bucket, or use scopes and collections."),
    TOO_MANY_COLLECTIONS(HttpStatus.CONFLICT, "Drop a collection, or use another bucket."),
    PRECONDITION_FAILED(
            HttpStatus.PRECONDITION_FAILED, "Read the document again and repeat the change with its present ETag."),
    SYSTEM_BUCKET(HttpStatus.FORBIDDEN, "Use a bucket whose name does not start with an underscore."),
    INVALID_NAME(HttpStatus.BAD_REQUEST, "Correct the name."),
    INVALID_SHARDS(HttpStatus.BAD_REQUEST, "Send a power of two from 1 to 1024."),
    INVALID_ID(HttpStatus.BAD_REQUEST, "Correct the id."),
    INVALID_JSON(HttpStatus.BAD_REQUEST, "Correct the JSON at the line and column given."),
    INVALID_BODY(HttpStatus.BAD_REQUEST, "Correct the body; /v3/api-docs describes it."),
    INVALID_PARAMETER(HttpStatus.BAD_REQUEST, "Correct the parameter; /v3/api-docs describes it."),
    INVALID_HEADER(HttpStatus.BAD_REQUEST, "Correct the header; /v3/api-docs describes it."),
    INVALID_XATTRS(HttpStatus.BAD_REQUEST, "Correct the extended attributes."),
    INVALID_SPECS(HttpStatus.BAD_REQUEST, "Correct the operations; /v3/api-docs describes them."),
    IDEMPOTENCY_KEY_REUSED(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "Send another Idempotency-Key with another body; repeat a key with its body."),
    PATH_FAILED(HttpStatus.UNPROCESSABLE_CONTENT, "Compare the path with the document."),
    DOCUMENT_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "Split the document."),
    XATTRS_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "Store less in extended attributes."),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "Send a smaller body."),
    LINE_TOO_LONG(HttpStatus.CONTENT_TOO_LARGE, "Split the document."),
    UNSUPPORTED_MEDIA_TYPE(
            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
            "Set the Content-Type that the detail names, with curl by -H 'Content-Type: ...'."),
    TOO_MANY_LOADS(HttpStatus.TOO_MANY_REQUESTS, "Repeat the request when another load has ended."),
    TOO_MANY_LIVE_QUERIES(HttpStatus.TOO_MANY_REQUESTS, "End another live query, or repeat the request later."),
    TOO_MANY_MATCHES(HttpStatus.UNPROCESSABLE_CONTENT, "Use a filter that fewer documents match."),
    DOCUMENT_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Repeat the request; nothing was changed."),
    MOVE_NOT_FOUND(HttpStatus.NOT_FOUND, "Start a move with POST /api/v1/move."),
    MOVE_RUNNING(HttpStatus.CONFLICT, "Read its state with GET /api/v1/move, or stop it with DELETE."),
    MOVE_IMPOSSIBLE(HttpStatus.CONFLICT, "Remove the obstacle that the detail names and send the request again."),
    KEY_NOT_FOUND(HttpStatus.NOT_FOUND, "List the API keys with GET /api/v1/keys."),
    FORBIDDEN(HttpStatus.FORBIDDEN, "Ask a full administrator."),
    HISTORY_LOST(HttpStatus.GONE, "Read the data from the beginning."),
    REFUSED(HttpStatus.INSUFFICIENT_STORAGE, "Check the memory and the persistence of Redis, then repeat the request."),
    OVERLOADED(
            HttpStatus.SERVICE_UNAVAILABLE,
            "Repeat the request later; read responses to their end, send fewer large requests at a time."),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Repeat the request; if it keeps failing, check that Redis runs."),
    CORRUPT(HttpStatus.INTERNAL_SERVER_ERROR, "Look for the request in the log of the service, and report the defect."),
    INTERNAL(
            HttpStatus.INTERNAL_SERVER_ERROR, "Look for the request in the log of the service, and report the defect.");

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final HttpStatus status;
    private final String action;
    private final String code = name().toLowerCase(Locale.ROOT);

    ApiError(HttpStatus status, String action) {
        this.status = status;
        this.action = action;
    }

    public HttpStatus status() {
        return status;
    }

    /** Returns the {@code code} of the problem: the name in lower case. It never changes. */
    public String code() {
        return code;
    }

    /** Returns the problem of a request that failed with this error; the detail says what is wrong with it. */
    public Problem problem(String detail) {
        Problem problem = Problem.of(status, code, detail).withAction(action);
        return this == TOO_MANY_LOADS || this == TOO_MANY_LIVE_QUERIES ? problem.retryAfter(RETRY_AFTER) : problem;
    }

    public static ApiError of(DocumentsException.Code code) {
        return switch (code) {
            case BUCKET_NOT_FOUND -> BUCKET_NOT_FOUND;
            case SCOPE_NOT_FOUND -> SCOPE_NOT_FOUND;
            case COLLECTION_NOT_FOUND -> COLLECTION_NOT_FOUND;
            case BUCKET_EXISTS -> BUCKET_EXISTS;
            case SCOPE_EXISTS -> SCOPE_EXISTS;
            case COLLECTION_EXISTS -> COLLECTION_EXISTS;
            case TOO_MANY_BUCKETS -> TOO_MANY_BUCKETS;
            case TOO_MANY_COLLECTIONS -> TOO_MANY_COLLECTIONS;
            case SYSTEM_BUCKET -> SYSTEM_BUCKET;
            case INVALID_NAME -> INVALID_NAME;
            case INVALID_SHARDS -> INVALID_SHARDS;
            case INVALID_ID -> INVALID_ID;
            case DOCUMENT_TOO_LARGE -> DOCUMENT_TOO_LARGE;
            case XATTRS_TOO_LARGE -> XATTRS_TOO_LARGE;
            case UNAVAILABLE, STALE_INCARNATION, INDEX_NOT_FOUND -> UNAVAILABLE;
            case OVERLOADED -> OVERLOADED;
            case REFUSED -> REFUSED;
            case HISTORY_LOST -> HISTORY_LOST;
            case CORRUPT -> CORRUPT;
        };
    }
}
