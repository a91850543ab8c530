package io.millrace.subdocservice.couch;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import java.time.InstantSource;

class RedisCouchVectorsIT extends CouchVectorsContract {

    @Override
    DocumentStore store() {
        return RedisKit.shared().store(InstantSource.system());
    }
}
