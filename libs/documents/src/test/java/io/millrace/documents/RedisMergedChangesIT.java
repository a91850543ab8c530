package io.millrace.documents;

import java.time.InstantSource;

class RedisMergedChangesIT extends MergedChangesContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
