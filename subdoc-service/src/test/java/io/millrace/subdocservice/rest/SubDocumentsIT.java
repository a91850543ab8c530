package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;

class SubDocumentsIT extends SubDocumentsContract {

    private final DocumentStore store = RedisKit.shared().store(clock);

    @Override
    DocumentStore store() {
        return store;
    }
}
