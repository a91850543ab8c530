package io.millrace.subdocservice.kv;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.subdoc.Road;
import io.millrace.subdoc.SubdocContract;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The contract over frames, each kind of request in its own frame. */
abstract class BinaryVectors extends SubdocContract {

    private @Nullable BinaryRoad road;

    abstract DocumentStore open(InstantSource clock);

    @Override
    protected Road road() {
        StoreKit.Clock clock = new StoreKit.Clock();
        road = new BinaryRoad(open(clock), clock);
        return road;
    }

    @AfterEach
    void close() throws IOException {
        if (road != null) {
            road.close();
        }
    }
}
