package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;

class LiveQueriesIT extends LiveQueriesContract {

    private final DocumentStore store = RedisKit.shared().store(clock);

    @Override
    DocumentStore store() {
        return store;
    }
}
