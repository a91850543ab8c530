package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.keyspace.Keyspace.Change;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Translates errors of the document store into errors of queries. */
final class StoreErrors {

    /** The catalog is usually in memory; the timeout applies when it has to be read and Redis does not respond. */
    private static final long CATALOG_TIMEOUT_MILLIS = 10_000;

    /** What is asked for is in nothing that exists. */
    static final Set<Code> NOT_THERE =
            EnumSet.of(Code.BUCKET_NOT_FOUND, Code.SCOPE_NOT_FOUND, Code.COLLECTION_NOT_FOUND);

    private StoreErrors() {}

    static <T> CompletableFuture<T> answer(CompletableFuture<T> stage) {
        return stage.handle((value, failure) -> {
            if (failure != null) {
                throw translate(failure);
            }
            return value;
        });
    }

    /** Takes some errors for an answer: what is asked for has been done, or is not there. */
    static <T> CompletableFuture<T> unless(CompletableFuture<T> stage, Set<Code> codes, T otherwise) {
        return stage.exceptionallyCompose(
                failure -> cause(failure) instanceof DocumentsException known && codes.contains(known.code())
                        ? CompletableFuture.completedFuture(otherwise)
                        : CompletableFuture.failedFuture(cause(failure)));
    }

    /** An error of one document does not affect the other documents of the statement. */
    static CompletableFuture<Change.Outcome> orRefused(CompletableFuture<Change.Outcome> stage) {
        return stage.handle((value, failure) -> {
            if (failure == null) {
                return value;
            }
            if (cause(failure) instanceof DocumentsException known) {
                switch (known.code()) {
                    case INVALID_ID, DOCUMENT_TOO_LARGE, XATTRS_TOO_LARGE -> {
                        return new Change.Refused(String.valueOf(known.getMessage()));
                    }
                    default -> {}
                }
            }
            throw translate(failure);
        });
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    static QueryException translate(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof QueryException known) {
            return known;
        }
        if (!(cause instanceof DocumentsException known)) {
            return QueryException.of(ErrorCode.INTERNAL, "Internal error: " + cause);
        }
        String message = String.valueOf(known.getMessage());
        return switch (known.code()) {
            case SCOPE_EXISTS -> QueryException.of(ErrorCode.SCOPE_EXISTS, message);
            case BUCKET_EXISTS, COLLECTION_EXISTS -> QueryException.of(ErrorCode.KEYSPACE_EXISTS, message);
            case BUCKET_NOT_FOUND, SCOPE_NOT_FOUND, COLLECTION_NOT_FOUND, SYSTEM_BUCKET ->
                QueryException.of(ErrorCode.KEYSPACE_NOT_FOUND, message);
            case INDEX_NOT_FOUND -> QueryException.of(ErrorCode.INDEX_NOT_FOUND, message);
            default ->
                known.unavailable() ? QueryException.unavailable(message) : QueryException.of(ErrorCode.DML, message);
        };
    }

    /** Waits for the catalog. */
    static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(CATALOG_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw translate(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw QueryException.unavailable("The store did not respond within 10 s; try again later.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw QueryException.cancelled();
        }
    }
}
