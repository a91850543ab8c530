package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MetakvClient;
import io.millrace.subdocservice.SubdocService;
import io.millrace.testkit.OpenApiExamples;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;

/** Runs the examples of the OpenAPI document as Swagger UI sends them: every parameter that has an example is filled in. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"millrace.kv.port=0", "millrace.users.admin-password=password"})
@AutoConfigureWebTestClient(timeout = "60s")
@Import({OpenApiTest.Memory.class, OpenApiExamplesTest.Users.class})
class OpenApiExamplesTest {

    @TestConfiguration(proxyBeanMethods = false)
    static class Users {

        @Bean
        @Primary
        MetakvClient memoryMetakv() {
            return MetakvClient.inMemory();
        }
    }

    /** Live queries do not end, moves need a second Redis, others a running statement, a user, or a key: other tests cover them. */
    private static final Set<String> NEED_MORE = Set.of(
            "followQuery",
            "followQueryOfCollection",
            "beginMove",
            "getMove",
            "endMove",
            "getActiveRequest",
            "cancelActiveRequest",
            "getUser",
            "putUser",
            "patchUser",
            "deleteUser",
            "changePassword",
            "deleteKey");

    @Autowired
    WebTestClient client;

    @LocalServerPort
    int port;

    /** The service makes it while it starts. */
    @BeforeEach
    void awaitAdministrator() {
        await().untilAsserted(() -> client.get()
                .uri("/v3/api-docs")
                .headers(headers -> headers.setBasicAuth("Administrator", "password"))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody());
    }

    @Test
    void examples_answer2xxWhenRunAsTheyAre() throws Exception {
        Map<String, Integer> statuses = new TreeMap<>();
        try (OpenApiExamples api = OpenApiExamples.of("http://127.0.0.1:" + port, "Administrator:password")) {
            for (String operation : api.operations()) {
                if (NEED_MORE.contains(operation)) {
                    continue;
                }
                for (int example = 0; example < api.examples(operation); example++) {
                    prepare(api.document(), operation);
                    statuses.put(
                            operation + " " + example,
                            api.run(operation, example).status());
                }
            }
        }

        assertThat(statuses)
                .hasSizeGreaterThan(45)
                .allSatisfy((example, status) -> assertThat(status).as(example).isBetween(200, 299));
    }

    /** Creates what the examples use; a document that an example inserts does not exist. */
    private void prepare(JsonNode api, String operation) {
        String bucket = "/api/v1/buckets/" + parameter(api, "bucket");
        String scope = bucket + "/scopes/" + parameter(api, "scope");
        String collection = scope + "/collections/" + parameter(api, "collection");
        client.delete().uri(bucket).exchange().expectBody();
        Stream.of(bucket, scope, collection)
                .forEach(path -> client.put()
                        .uri(path)
                        .exchange()
                        .expectStatus()
                        .isCreated()
                        .expectBody());
        if (operation.startsWith("insert")) {
            return;
        }
        JsonNode document = api.at("/paths/~1api~1v1~1buckets~1{bucket}~1docs~1{id}/put/requestBody/content")
                .get("application/json")
                .get("example");
        Stream.of(bucket, collection)
                .forEach(path -> client.put()
                        .uri(path + "/docs/" + parameter(api, "id"))
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(document.toString())
                        .exchange()
                        .expectStatus()
                        .isCreated()
                        .expectBody());
    }

    private static String parameter(JsonNode api, String name) {
        return OpenApiTest.pathParameter(api, name).get("example").asString();
    }
}
