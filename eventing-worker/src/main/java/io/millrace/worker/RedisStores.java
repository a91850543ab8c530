package io.millrace.worker;

import io.millrace.documents.DocumentStore;

/** Document stores on Redis. */
final class RedisStores {

    private RedisStores() {}

    /** Opens the document store at a Redis URI, and waits for a Redis that is away. */
    static DocumentStore open(String uri) {
        throw new UnsupportedOperationException(RedisConnection.open(uri).toString());
    }
}
