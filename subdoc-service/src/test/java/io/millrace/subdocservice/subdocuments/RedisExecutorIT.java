package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import java.time.InstantSource;

class RedisExecutorIT extends ExecutorContract {

    @Override
    DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
