package io.millrace.subdocservice.kv.command;

import io.millrace.documents.DocumentsException;
import io.millrace.memcached.Response;
import io.millrace.memcached.Status;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps failures to statuses of the binary protocol. */
final class CommandErrors {

    private static final Logger LOG = LoggerFactory.getLogger(CommandErrors.class);

    private CommandErrors() {}

    static Response response(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof CommandException refused) {
            return refused.response();
        }
        if (cause instanceof DocumentsException known) {
            return Response.error(status(known.code()), String.valueOf(known.getMessage()));
        }
        LOG.error("event=kv_request_failed", cause);
        return Response.of(Status.EINTERNAL);
    }

    static Status status(DocumentsException.Code code) {
        return switch (code) {
            case BUCKET_NOT_FOUND -> Status.NO_BUCKET;
            case SYSTEM_BUCKET -> Status.EACCESS;
            case SCOPE_NOT_FOUND -> Status.UNKNOWN_SCOPE;
            case COLLECTION_NOT_FOUND -> Status.UNKNOWN_COLLECTION;
            case DOCUMENT_TOO_LARGE, XATTRS_TOO_LARGE -> Status.E2BIG;
            case UNAVAILABLE, STALE_INCARNATION, OVERLOADED, REFUSED, INDEX_NOT_FOUND -> Status.ETMPFAIL;
            case BUCKET_EXISTS,
                    SCOPE_EXISTS,
                    COLLECTION_EXISTS,
                    TOO_MANY_BUCKETS,
                    TOO_MANY_COLLECTIONS,
                    INVALID_NAME,
                    INVALID_SHARDS,
                    INVALID_ID -> Status.EINVAL;
            case HISTORY_LOST, CORRUPT -> Status.EINTERNAL;
        };
    }
}
