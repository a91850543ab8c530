package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;

class BulkIT extends BulkContract {

    private final DocumentStore store = RedisKit.shared().store(clock);

    @Override
    DocumentStore store() {
        return store;
    }
}
