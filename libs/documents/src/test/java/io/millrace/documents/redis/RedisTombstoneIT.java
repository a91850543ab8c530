package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.TombstoneContract;
import java.time.InstantSource;

class RedisTombstoneIT extends TombstoneContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
