package io.millrace.subdocservice.rest;

import io.millrace.accessspring.IdentityProvider;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.metakv.MetakvClient;
import io.millrace.subdocservice.SubdocService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
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

    @Configuration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        @Primary
        DocumentStore documents() {
            DocumentStore store = new MemoryDocumentStore(InstantSource.system());
            store.catalog().createBucket("orders", 1).toCompletableFuture().join();
            return store;
        }

        @Bean
        MetakvClient metakv() {
            return MetakvClient.inMemory();
        }
    }

    @BeforeAll
    static void start() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789".repeat(4));
        service = new SpringApplicationBuilder(SubdocService.class, Memory.class)
                .run(
                        "--server.port=0",
                        "--millrace.kv.port=0",
                        "--spring.autoconfigure.exclude=io.millrace.accessspring.TestCaller",
                        "--millrace.access.cluster-secret-file=" + secret,
                        "--millrace.access.oidc.issuer=" + PROVIDER.issuer(),
                        "--millrace.access.oidc.audience=millrace",
                        "--millrace.access.oidc.roles=ops=admin;sales=bucket_full_access[orders]");
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
