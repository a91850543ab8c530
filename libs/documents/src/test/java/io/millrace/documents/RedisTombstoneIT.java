package io.millrace.documents;

import java.time.InstantSource;

class RedisTombstoneIT extends TombstoneContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
