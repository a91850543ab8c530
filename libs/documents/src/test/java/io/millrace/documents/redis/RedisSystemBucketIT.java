package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.SystemBucketContract;
import java.time.InstantSource;

class RedisSystemBucketIT extends SystemBucketContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
