package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.MergedChangesContract;
import java.time.InstantSource;

class RedisMergedChangesIT extends MergedChangesContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
