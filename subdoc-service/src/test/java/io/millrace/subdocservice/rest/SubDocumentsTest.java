package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.WriteResult;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.rest.RestServer.Answer;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SubDocumentsTest extends SubDocumentsContract {

    private final DocumentStore store = new MemoryDocumentStore(clock);

    @Override
    DocumentStore store() {
        return store;
    }

    @Test
    void document_thatOthersAlwaysChangeFirst() {
        DocumentStore beaten = (DocumentStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> method.getName().equals("write")
                        ? CompletableFuture.completedFuture(new WriteResult.CasMismatch(77))
                        : method.invoke(store, arguments));
        http.put(doc("a"), "{\"n\":1}");

        try (RestServer server = new RestServer(beaten, clock)) {
            Answer busy = server.post(doc("a") + "/mutate-in", "{\"op\":\"counter\",\"path\":\"n\",\"value\":1}");

            assertThat(busy.error()).isEqualTo("503 document_busy");
            assertThat(busy.json().get("subdoc_status").asString()).isEqualTo("ETMPFAIL");
            assertThat(busy.json().get("detail").asString()).contains("100 times");
            assertThat(busy.header("Retry-After")).contains("1");
        }
        assertThat(http.get(doc("a")).text()).isEqualTo("{\"n\":1}");
    }
}
