package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.documents.DocumentsException;

/** Failures of the store in CouchDB's words. */
public final class StoreErrors {

    private StoreErrors() {}

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
