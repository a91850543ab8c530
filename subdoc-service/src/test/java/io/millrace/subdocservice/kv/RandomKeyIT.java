package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import java.time.InstantSource;

class RandomKeyIT extends RandomKeyContract {

    @Override
    DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
