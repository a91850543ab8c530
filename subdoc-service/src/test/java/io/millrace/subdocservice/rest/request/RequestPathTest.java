package io.millrace.subdocservice.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.reactive.function.server.MockServerRequest;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Routes and the rights to them read paths decoded and without parameters; what is read here must be the same keyspace. */
class RequestPathTest {

    private static final Keyspace CARTS = new Keyspace("orders", "shop", "carts");

    @ParameterizedTest
    @ValueSource(strings = {"scopes", "%73copes", "scop%65s", "scopes;x", "scopes;a=b"})
    void pathOfACollection_neverMeansTheDefaultOne(String scopes) {
        String collection = "/api/v1/buckets/orders/" + scopes + "/shop/collections/carts";

        assertThat(RequestPath.keyspace(request(collection + "/live"))).isEqualTo(CARTS);
        assertThat(RequestPath.document(request(collection + "/docs/x")).keyspace())
                .isEqualTo(CARTS);
        assertThat(RequestPath.document(request(collection + "/docs/x")).id()).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs", "d%6Fcs"})
    void pathWithoutScope_meansTheDefaultCollection(String docs) {
        ServerRequest request = request("/api/v1/buckets/orders/" + docs + "/scopes");

        assertThat(RequestPath.keyspace(request)).isEqualTo(Keyspace.of("orders"));
        assertThat(RequestPath.document(request).id()).isEqualTo("scopes");
    }

    private static ServerRequest request(String path) {
        return MockServerRequest.builder()
                .uri(URI.create("http://service" + path))
                .build();
    }
}
