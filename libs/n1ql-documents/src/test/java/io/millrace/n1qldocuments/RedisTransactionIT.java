package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import java.time.InstantSource;

class RedisTransactionIT extends TransactionContract {

    @Override
    DocumentStore open() {
        return RedisKit.shared().store(InstantSource.system());
    }
}
