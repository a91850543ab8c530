package io.millrace.documents;

import java.time.InstantSource;

class RedisDocumentStoreIT extends DocumentStoreContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
