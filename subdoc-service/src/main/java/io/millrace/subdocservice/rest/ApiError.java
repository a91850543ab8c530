package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentsException;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** Every refusal that a client can meet: the one table of codes and statuses of the HTTP edge. */
enum ApiError {
    NOT_FOUND(HttpStatus.NOT_FOUND),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
    BUCKET_NOT_FOUND(HttpStatus.NOT_FOUND),
    SCOPE_NOT_FOUND(HttpStatus.NOT_FOUND),
    COLLECTION_NOT_FOUND(HttpStatus.NOT_FOUND),
    DOCUMENT_NOT_FOUND(HttpStatus.NOT_FOUND),
    BUCKET_EXISTS(HttpStatus.CONFLICT),
    SCOPE_EXISTS(HttpStatus.CONFLICT),
    COLLECTION_EXISTS(HttpStatus.CONFLICT),
    DOCUMENT_EXISTS(HttpStatus.CONFLICT),
    DOCUMENT_LOCKED(HttpStatus.LOCKED),
    TOO_MANY_BUCKETS(HttpStatus.CONFLICT),
    TOO_MANY_COLLECTIONS(HttpStatus.CONFLICT),
    PRECONDITION_FAILED(HttpStatus.PRECONDITION_FAILED),
    SYSTEM_BUCKET(HttpStatus.FORBIDDEN),
    INVALID_NAME(HttpStatus.BAD_REQUEST),
    INVALID_SHARDS(HttpStatus.BAD_REQUEST),
    INVALID_ID(HttpStatus.BAD_REQUEST),
    INVALID_JSON(HttpStatus.BAD_REQUEST),
    INVALID_BODY(HttpStatus.BAD_REQUEST),
    INVALID_PARAMETER(HttpStatus.BAD_REQUEST),
    INVALID_HEADER(HttpStatus.BAD_REQUEST),
    INVALID_XATTRS(HttpStatus.BAD_REQUEST),
    INVALID_SPECS(HttpStatus.BAD_REQUEST),
    PATH_FAILED(HttpStatus.UNPROCESSABLE_CONTENT),
    DOCUMENT_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    XATTRS_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    LINE_TOO_LONG(HttpStatus.CONTENT_TOO_LARGE),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
    TOO_MANY_LOADS(HttpStatus.TOO_MANY_REQUESTS),
    DOCUMENT_BUSY(HttpStatus.SERVICE_UNAVAILABLE),
    MOVE_NOT_FOUND(HttpStatus.NOT_FOUND),
    MOVE_RUNNING(HttpStatus.CONFLICT),
    MOVE_IMPOSSIBLE(HttpStatus.CONFLICT),
    HISTORY_LOST(HttpStatus.GONE),
    REFUSED(HttpStatus.SERVICE_UNAVAILABLE),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),
    CORRUPT(HttpStatus.INTERNAL_SERVER_ERROR),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR);

    private final HttpStatus status;
    private final String code = name().toLowerCase(Locale.ROOT);

    ApiError(HttpStatus status) {
        this.status = status;
    }

    HttpStatus status() {
        return status;
    }

    /** The member {@code error} of an error body. */
    String code() {
        return code;
    }

    static ApiError of(DocumentsException.Code code) {
        return switch (code) {
            case BUCKET_NOT_FOUND -> BUCKET_NOT_FOUND;
            case SCOPE_NOT_FOUND -> SCOPE_NOT_FOUND;
            case COLLECTION_NOT_FOUND -> COLLECTION_NOT_FOUND;
            case BUCKET_EXISTS -> BUCKET_EXISTS;
            case SCOPE_EXISTS -> SCOPE_EXISTS;
            case COLLECTION_EXISTS -> COLLECTION_EXISTS;
            case TOO_MANY_BUCKETS -> TOO_MANY_BUCKETS;
            case TOO_MANY_COLLECTIONS -> TOO_MANY_COLLECTIONS;
            case INVALID_NAME -> INVALID_NAME;
            case INVALID_SHARDS -> INVALID_SHARDS;
            case INVALID_ID -> INVALID_ID;
            case DOCUMENT_TOO_LARGE -> DOCUMENT_TOO_LARGE;
            case XATTRS_TOO_LARGE -> XATTRS_TOO_LARGE;
            case UNAVAILABLE, STALE_INCARNATION, INDEX_NOT_FOUND -> UNAVAILABLE;
            case REFUSED -> REFUSED;
            case HISTORY_LOST -> HISTORY_LOST;
            case CORRUPT -> CORRUPT;
        };
    }
}
