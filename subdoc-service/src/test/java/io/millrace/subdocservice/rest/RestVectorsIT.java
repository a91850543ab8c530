package io.millrace.subdocservice.rest;

import io.millrace.documents.redis.RedisKit;
import io.millrace.subdoc.Road;
import io.millrace.subdoc.SubdocContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The vectors over HTTP, each as a single request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestVectorsIT extends SubdocContract {

    private final TestClock clock = new TestClock();
    private final RestRoad road = new RestRoad(RedisKit.shared().store(clock), clock);

    @Override
    protected Road road() {
        return road;
    }

    @AfterAll
    void stop() {
        road.close();
    }
}
