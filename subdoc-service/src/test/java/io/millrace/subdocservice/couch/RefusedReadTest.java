package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A listing whose first document the store refuses to read for now. */
class RefusedReadTest {

    private static final String BUCKET = "refused";

    private final DocumentStore store = new MemoryDocumentStore(InstantSource.system());

    private DocumentStore refusing() {
        return (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(), new Class<?>[] {DocumentStore.class}, (proxy, method, args) -> {
                    if (method.getName().startsWith("get")) {
                        return CompletableFuture.failedFuture(
                                DocumentsException.of(DocumentsException.Code.OVERLOADED, "No room."));
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void listing_isRefusedForNow_likeAnyOtherRequest() {
        store.catalog().createBucket(BUCKET, 1).join();
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "a");
        store.write(Write.upsert(key, "{}".getBytes(StandardCharsets.US_ASCII))).join();

        try (HttpCouchClient client = new HttpCouchClient(refusing())) {
            var answer = client.send("GET", "/" + BUCKET + "/_all_docs", "");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.headers()).containsEntry("retry-after", "1");
            assertThat(answer.toString()).contains("unavailable", "No room.");
        }
    }
}
