package io.millrace.documents.redis;

import io.millrace.documents.DocumentsException;
import io.millrace.redis.RedisFailure;

/** Failures of Redis as {@link DocumentsException}. */
final class RedisErrors {

    private RedisErrors() {}

    static DocumentsException translate(Throwable failure) {
        return RedisFailure.unwrap(failure) instanceof DocumentsException known
                ? known
                : DocumentsException.of(RedisFailure.of(failure));
    }
}
