package io.millrace.documents.redis;

import io.millrace.documents.CasContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class RedisCasIT extends CasContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
