package io.millrace.subdocservice.rest;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdoc.Road;
import io.millrace.subdoc.SubdocContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The vectors over HTTP, each as a single request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestVectorsTest extends SubdocContract {

    private final TestClock clock = new TestClock();
    private final RestRoad road = new RestRoad(new MemoryDocumentStore(clock), clock);

    @Override
    protected Road road() {
        return road;
    }

    @AfterAll
    void stop() {
        road.close();
    }
}
