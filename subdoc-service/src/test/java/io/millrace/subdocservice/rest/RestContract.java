package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The HTTP API over any store: a server, and a bucket of its own for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestContract {

    private static final AtomicInteger BUCKETS = new AtomicInteger();

    final TestClock clock = new TestClock();
    RestServer http;
    String bucket;

    /** Returns a store that uses the clock of this test. */
    abstract DocumentStore store();

    @BeforeEach
    void startServer() {
        clock.reset();
        DocumentStore store = store();
        http = new RestServer(store, clock);
        bucket = "rest-" + BUCKETS.incrementAndGet();
        store.catalog().createBucket(bucket, 1).join();
    }

    @AfterEach
    void stopServer() {
        store().catalog()
                .find(bucket)
                .join()
                .ifPresent(found -> store().catalog().dropBucket(bucket).join());
        http.close();
    }

    String bucketPath() {
        return "/api/v1/buckets/" + bucket;
    }

    String doc(String encodedId) {
        return bucketPath() + "/docs/" + encodedId;
    }
}
