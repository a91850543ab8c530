package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.Vector;
import java.time.InstantSource;

/** The contract over frames, each single request sent as a multi request with one operation. */
class BinaryMultiVectorsTest extends BinaryVectors {

    @Override
    DocumentStore open(InstantSource clock) {
        return new MemoryDocumentStore(clock);
    }

    @Override
    protected Vector framed(Vector vector) {
        return vector.kind() == Request.Kind.SINGLE ? vector.asMulti() : vector;
    }
}
