package io.millrace.subdocservice.rest;

import io.millrace.documents.redis.RedisKit;
import io.millrace.subdoc.SubdocContract;
import io.millrace.subdoc.VectorRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The vectors over HTTP, each as a single request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestVectorsIT extends SubdocContract {

    private final TestClock clock = new TestClock();
    private final RestRunner runner = new RestRunner(RedisKit.shared().store(clock), clock);

    @Override
    protected VectorRunner runner() {
        return runner;
    }

    @AfterAll
    void stop() {
        runner.close();
    }
}
