package io.millrace.documents.redis;

import io.millrace.documents.CatalogContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class RedisCatalogIT extends CatalogContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
