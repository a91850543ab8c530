package io.millrace.documents;

import java.time.InstantSource;

class RedisExpiryIT extends ExpiryContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
