package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import org.junit.jupiter.api.Test;

/** PUT of a document is one write to the store, and its status says whether it created the document. */
class PutTest {

    private static final String PATH = "/api/v1/buckets/put/docs/a";

    @Test
    void put_isOneWrite() {
        TestClock clock = new TestClock();
        HeldStore store = new HeldStore(new MemoryDocumentStore(clock));
        StoreKit.await(store.catalog().createBucket("put", 1));
        try (RestServer http = new RestServer(store, clock)) {

            int created = http.put(PATH, "1", "Idempotency-Key", "k").status();
            int writesToCreate = store.begun.getAndSet(0);
            int repeated = http.put(PATH, "1", "Idempotency-Key", "k").status();
            int writesToRepeat = store.begun.getAndSet(0);
            int replaced = http.put(PATH, "2").status();
            int writesToReplace = store.begun.getAndSet(0);
            http.delete(PATH);
            store.begun.set(0);
            int createdAgain = http.put(PATH, "3").status();

            assertThat(created).isEqualTo(201);
            assertThat(repeated).isEqualTo(201);
            assertThat(replaced).isEqualTo(200);
            assertThat(createdAgain).isEqualTo(201);
            assertThat(new int[] {writesToCreate, writesToRepeat, writesToReplace, store.begun.get()})
                    .containsOnly(1);
        }
    }
}
