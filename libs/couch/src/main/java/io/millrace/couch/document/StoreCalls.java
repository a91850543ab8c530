package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentsException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for calls of the store, and says how they failed. */
public final class StoreCalls {

    private StoreCalls() {}

    public static <T> T of(CompletableFuture<T> answer) {
        return of(answer, CouchLimits.STORE_TIMEOUT);
    }

    /** Waits for a document; an id that no document can have, such as one that is too long, has none. */
    static Optional<Document> found(CompletableFuture<Optional<Document>> answer) {
        try {
            return of(answer);
        } catch (DocumentsException e) {
            if (e.code() != DocumentsException.Code.INVALID_ID) {
                throw e;
            }
            return Optional.empty();
        }
    }

    static <T> T of(CompletableFuture<T> answer, Duration limit) {
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw CouchException.of(
                    503,
                    "unavailable",
                    "The store did not answer within %d seconds, and may still carry out the request; try again later."
                            .formatted(limit.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CouchException.of(
                    503,
                    "unavailable",
                    "The request was interrupted because the service is stopping; try again later.");
        }
    }

    /** Returns a failure of the store in CouchDB's words. */
    public static CouchException translated(DocumentsException failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure.code()) {
            case BUCKET_NOT_FOUND, SCOPE_NOT_FOUND, COLLECTION_NOT_FOUND -> CouchException.noDatabase();
            case BUCKET_EXISTS ->
                CouchException.of(412, "file_exists", "The database could not be created, the file already exists.");
            case SYSTEM_BUCKET -> CouchException.of(403, "forbidden", reason);
            case INVALID_ID -> CouchException.of(400, "illegal_docid", reason);
            case INVALID_SHARDS -> CouchException.badRequest(reason);
            case INVALID_NAME -> CouchException.of(400, "illegal_database_name", reason);
            case DOCUMENT_TOO_LARGE, XATTRS_TOO_LARGE -> CouchException.tooLarge(reason);
            case REFUSED -> CouchException.of(507, "insufficient_storage", reason);
            default ->
                failure.unavailable()
                        ? CouchException.of(503, "unavailable", reason)
                        : CouchException.of(500, "internal_server_error", reason);
        };
    }
}
