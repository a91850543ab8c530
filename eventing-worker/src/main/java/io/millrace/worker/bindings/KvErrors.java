package io.millrace.worker.bindings;

import io.millrace.documents.DocumentsException;
import io.millrace.handler.host.HostFailure;

/**
 * Failures of the document store as the KVError that a handler sees. Numbers and names are those of libcouchbase 3, for
 * a handler that compares them.
 */
final class KvErrors {

    private KvErrors() {}

    static HostFailure of(DocumentsException failure) {
        String description = String.valueOf(failure.getMessage());
        return switch (failure.code()) {
            case BUCKET_NOT_FOUND -> HostFailure.kvError(210, "LCB_ERR_BUCKET_NOT_FOUND", description);
            case COLLECTION_NOT_FOUND -> HostFailure.kvError(211, "LCB_ERR_COLLECTION_NOT_FOUND", description);
            case SCOPE_NOT_FOUND -> HostFailure.kvError(217, "LCB_ERR_SCOPE_NOT_FOUND", description);
            case DOCUMENT_TOO_LARGE, XATTRS_TOO_LARGE ->
                HostFailure.kvError(304, "LCB_ERR_VALUE_TOO_LARGE", description);
            case INVALID_ID -> HostFailure.kvError(203, "LCB_ERR_INVALID_ARGUMENT", description);
            case UNAVAILABLE, STALE_INCARNATION, OVERLOADED, REFUSED ->
                HostFailure.kvError(207, "LCB_ERR_TEMPORARY_FAILURE", description);
            default -> HostFailure.kvError(100, "LCB_ERR_GENERIC", description);
        };
    }

    static HostFailure timeout(String description) {
        return HostFailure.kvError(201, "LCB_ERR_TIMEOUT", description);
    }
}
