package io.millrace.documents.redis;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.redis.RedisFailure;

/** Failures of Redis as {@link DocumentsException}. */
final class RedisErrors {

    private RedisErrors() {}

    static DocumentsException translate(Throwable failure) {
        if (RedisFailure.unwrap(failure) instanceof DocumentsException known) {
            return known;
        }
        RedisFailure found = RedisFailure.of(failure);
        Code code = switch (found.kind()) {
            case UNAVAILABLE -> Code.UNAVAILABLE;
            case WRONG_TYPE -> Code.CORRUPT;
            case REFUSED -> Code.REFUSED;
        };
        return DocumentsException.of(code, found.message(), found.cause());
    }
}
