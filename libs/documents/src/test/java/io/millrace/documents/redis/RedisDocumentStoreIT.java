package io.millrace.documents.redis;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentStoreContract;
import java.time.InstantSource;

class RedisDocumentStoreIT extends DocumentStoreContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
