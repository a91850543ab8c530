package io.millrace.documents;

import java.time.InstantSource;

class RedisCatalogIT extends CatalogContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
