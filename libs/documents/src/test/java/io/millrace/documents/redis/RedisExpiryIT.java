package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.ExpiryContract;
import java.time.InstantSource;

class RedisExpiryIT extends ExpiryContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
