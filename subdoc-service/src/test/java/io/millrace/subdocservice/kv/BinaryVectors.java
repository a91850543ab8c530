package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.subdoc.SubdocContract;
import io.millrace.subdoc.VectorRunner;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The contract over frames, each kind of request in its own frame. */
abstract class BinaryVectors extends SubdocContract {

    private @Nullable BinaryRunner runner;

    abstract DocumentStore open(InstantSource clock);

    @Override
    protected VectorRunner runner() {
        StoreKit.Clock clock = new StoreKit.Clock();
        runner = new BinaryRunner(open(clock), clock);
        return runner;
    }

    @AfterEach
    void close() throws IOException {
        if (runner != null) {
            runner.close();
        }
    }
}
