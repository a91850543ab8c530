package io.millrace.documents.redis;

import io.millrace.documents.AtomicWritesContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class RedisAtomicWritesIT extends AtomicWritesContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
