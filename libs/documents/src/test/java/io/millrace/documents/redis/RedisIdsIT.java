package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.IdsContract;
import java.time.InstantSource;

class RedisIdsIT extends IdsContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
