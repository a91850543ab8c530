package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.LockContract;
import java.time.InstantSource;

class RedisLockIT extends LockContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
