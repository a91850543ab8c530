package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisKit;
import io.millrace.subdoc.Road;
import io.millrace.subdoc.SubdocContract;

class RedisVectorsIT extends SubdocContract {

    @Override
    protected Road road() {
        StoreKit.Clock clock = new StoreKit.Clock();
        return new StoreRoad(RedisKit.shared().store(clock), clock);
    }
}
