package io.millrace.subdocservice.rest;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.Request;
import io.millrace.subdoc.SubdocContract;
import io.millrace.subdoc.Vector;
import io.millrace.subdoc.VectorRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The vectors over HTTP, each single request as one of several operations. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestMultiVectorsTest extends SubdocContract {

    private final TestClock clock = new TestClock();
    private final RestRunner runner = new RestRunner(new MemoryDocumentStore(clock), clock);

    @Override
    protected VectorRunner runner() {
        return runner;
    }

    @Override
    protected Vector framed(Vector vector) {
        return vector.kind() == Request.Kind.SINGLE ? vector.asMulti() : vector;
    }

    @AfterAll
    void stop() {
        runner.close();
    }
}
