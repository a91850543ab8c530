package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisKit;
import io.millrace.subdoc.SubdocContract;
import io.millrace.subdoc.VectorRunner;

class RedisVectorsIT extends SubdocContract {

    @Override
    protected VectorRunner runner() {
        StoreKit.Clock clock = new StoreKit.Clock();
        return new StoreRunner(RedisKit.shared().store(clock), clock);
    }
}
