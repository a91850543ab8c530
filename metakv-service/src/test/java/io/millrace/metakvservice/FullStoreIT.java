package io.millrace.metakvservice;

import static org.hamcrest.Matchers.containsString;

import io.millrace.testkit.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

/** What a full Redis means to clients of MetaKV: writes are refused in words, reads go on. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class FullStoreIT {

    private static final String ENTRY = "/_metakv/full/entry";
    private static final OwnRedis redis = OwnRedis.startVolatile();

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", redis::url);
    }

    @LocalServerPort
    private int port;

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void fill() throws IOException {
        put(ENTRY, "before").expectStatus().is2xxSuccessful();
        redis.console().call("CONFIG", "SET", "maxmemory", "1");
    }

    @AfterEach
    void free() throws IOException {
        redis.console().call("CONFIG", "SET", "maxmemory", "0");
    }

    @Test
    void writes_areRefusedUntilThereIsRoom_andReadsGoOn() throws IOException {
        refused(put(ENTRY, "after"));
        refused(put("/_metakv/full/another", "after"));
        refused(http().delete().uri(ENTRY).exchange());
        refused(http().put()
                .uri("/api/v1/nodes/full")
                .bodyValue(Map.of("service", "test", "address", "nowhere", "version", "1", "leaseSeconds", 3))
                .exchange());
        http().get()
                .uri("/_metakv/full/")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .value(containsString("/full/entry"));

        free();

        put(ENTRY, "after").expectStatus().is2xxSuccessful();
    }

    private static void refused(WebTestClient.ResponseSpec response) {
        response.expectStatus()
                .isEqualTo(507)
                .expectHeader()
                .exists("Retry-After")
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("refused");
    }

    private WebTestClient.ResponseSpec put(String path, String value) {
        return http().put()
                .uri(path)
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .bodyValue(value)
                .exchange();
    }

    private WebTestClient http() {
        return WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
    }
}
