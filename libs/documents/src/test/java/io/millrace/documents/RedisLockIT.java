package io.millrace.documents;

import java.time.InstantSource;

class RedisLockIT extends LockContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
