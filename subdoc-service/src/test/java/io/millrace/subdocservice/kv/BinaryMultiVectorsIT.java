package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Vector;
import java.time.InstantSource;

/** The contract over frames, each single request sent as a multi request with one operation. */
class BinaryMultiVectorsIT extends BinaryVectors {

    @Override
    DocumentStore open(InstantSource clock) {
        return RedisKit.shared().store(clock);
    }

    @Override
    protected Vector framed(Vector vector) {
        return vector.kind() == Request.Kind.SINGLE ? vector.asMulti() : vector;
    }
}
