package io.millrace.subdocservice.rest;

import io.millrace.accessspring.IdentityProvider;
import io.millrace.documents.DocumentStore;
import io.millrace.subdocservice.ClosedService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Tokens of an identity provider at the doors of the closed service: documents, queries, Couchbase's and CouchDB's paths. */
class TokenTest {

    @TempDir
    private static Path directory;

    private static final IdentityProvider PROVIDER = new IdentityProvider();
    private static ConfigurableApplicationContext service;
    private static WebTestClient http;

    @BeforeAll
    static void start() throws IOException {
        service = ClosedService.start(
                directory,
                "--millrace.access.oidc.issuer=" + PROVIDER.issuer(),
                "--millrace.access.oidc.audience=millrace",
                "--millrace.access.oidc.roles=ops=admin;sales=bucket_full_access[orders]");
        service.getBean(DocumentStore.class).catalog().createBucket("orders", 1).join();
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port"))
                .responseTimeout(Duration.ofSeconds(60))
                .build();
    }

    @AfterAll
    static void stop() {
        service.close();
        PROVIDER.close();
    }

    @ParameterizedTest
    @CsvSource({
        // group, method, path, status
        "sales,  GET,  /api/v1/buckets/orders,            200",
        "sales,  PUT,  /api/v1/buckets/orders/docs/a,     201",
        "sales,  GET,  /couch/orders,                     200",
        "sales,  GET,  /couch/_session,                   200",
        "sales,  POST, /query/service,                    200",
        "sales,  GET,  /pools/default/buckets/orders,     200",
        "sales,  GET,  /whoami,                           200",
        "sales,  GET,  /settings/rbac/users,              403",
        "ops,    GET,  /settings/rbac/users,              200",
        "guests, GET,  /whoami,                           403",
        "'',     GET,  /couch/orders,                     401",
        "'',     POST, /query/service,                    401",
    })
    void token_opensTheDoorsThatItsRolesDo(String group, String method, String path, int status) {
        http.method(HttpMethod.valueOf(method))
                .uri(path)
                .headers(headers -> {
                    if (!group.isEmpty()) {
                        headers.setBearerAuth(PROVIDER.token(PROVIDER.claims("carl", "millrace", List.of(group))));
                    }
                    headers.setContentType(MediaType.APPLICATION_JSON);
                })
                .bodyValue(
                        switch (method) {
                            case "PUT" -> "{}";
                            case "POST" -> "{\"statement\": \"SELECT 1 AS one\"}";
                            default -> "";
                        })
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody();
    }
}
