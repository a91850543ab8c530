package io.millrace.documents;

import java.time.InstantSource;

class RedisChangeFeedIT extends ChangeFeedContract {

    @Override
    protected DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }
}
