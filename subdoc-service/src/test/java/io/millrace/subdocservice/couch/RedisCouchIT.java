package io.millrace.subdocservice.couch;

import io.millrace.couch.CouchClient;
import io.millrace.couch.CouchContract;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import java.time.InstantSource;

class RedisCouchIT extends CouchContract {

    @Override
    protected DocumentStore store() {
        return RedisKit.shared().store(InstantSource.system());
    }

    @Override
    protected CouchClient client(DocumentStore store) {
        return new HttpCouchClient(store);
    }
}
