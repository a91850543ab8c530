package io.millrace.documents.redis;

import io.millrace.documents.ChangeFeedContract;
import io.millrace.documents.DocumentStore;
import java.time.InstantSource;

class RedisChangeFeedIT extends ChangeFeedContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
