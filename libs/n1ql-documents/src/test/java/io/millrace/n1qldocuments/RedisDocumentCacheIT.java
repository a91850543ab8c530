package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisKit;

class RedisDocumentCacheIT extends DocumentCacheContract {

    @Override
    protected DocumentStore open(StoreKit.Clock time) {
        return RedisKit.shared().store(time);
    }
}
