package io.millrace.gateway.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.gateway.FakeService;
import io.millrace.httpdoor.ByteBudget;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Export and import, and what else the gateway answers itself. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "millrace.http.room-timeout=20ms")
class ArchiveHttpTest {

    private static final FakeService service = new FakeService();
    private static final String FUNCTIONS = """
        [{"appname":"f","appcode":"function OnUpdate(d, m) {}","depcfg":{"source_bucket":"a"},\
        "settings":{"deployment_status":false,"processing_status":false,"worker_count":3}}]\
        """;

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @Autowired
    private ByteBudget budget;

    @LocalServerPort
    private int port;

    private final JsonMapper json = JsonMapper.builder().build();
    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(16 * 1024 * 1024))
                .build();
    }

    @Test
    void zip_goesRoundThroughExportAndImport() {
        service.answers(200, FUNCTIONS);
        byte[] archive = Objects.requireNonNull(http.get()
                .uri("/api/v1/export?format=zip&bucket=b")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentType("application/zip")
                .expectHeader()
                .valueEquals("Content-Disposition", "attachment; filename=\"functions.zip\"")
                .expectBody()
                .returnResult()
                .getResponseBody());
        assertThat(service.asked()).containsExactly("GET /api/v1/export?bucket=b");

        var imported = new AtomicReference<JsonNode>();
        service.plays((request, response) -> request.receive()
                .aggregate()
                .asByteArray()
                .doOnNext(body -> imported.set(json.readTree(body)))
                .then(response.status(200)
                        .header("Content-Type", "application/json")
                        .header("status", "0")
                        .sendString(Mono.just("[{\"code\":0}]"))
                        .then()));
        http.post()
                .uri("/api/v1/import")
                .header("Content-Type", "application/zip")
                .bodyValue(archive)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals("status", "0")
                .expectBody()
                .jsonPath("$[0].code")
                .isEqualTo(0);
        assertThat(imported).hasValue(json.readTree(FUNCTIONS));
        assertThat(service.asked()).containsExactly("POST /api/v1/import");
    }

    @Test
    void export_isJsonUnlessAZipIsWanted() {
        service.answers(200, FUNCTIONS);

        http.get()
                .uri("/api/v1/export")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .json(FUNCTIONS);
        http.get().uri("/api/v1/export?format=json").exchange().expectBody().json(FUNCTIONS);
        http.get()
                .uri("/api/v1/export")
                .accept(MediaType.parseMediaType("application/zip"))
                .exchange()
                .expectHeader()
                .contentType("application/zip")
                .expectBody();
    }

    @Test
    void export_passesOnWhatTheServiceRefuses() {
        service.answers(403, "{\"name\":\"ERR_FORBIDDEN\"}");

        http.get()
                .uri("/api/v1/export?format=zip")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectBody()
                .jsonPath("$.name")
                .isEqualTo("ERR_FORBIDDEN");

        service.answers(200, "{\"no\":\"array\"}");
        error(http.get().uri("/api/v1/export?format=zip").exchange(), 502, "upstream_unexpected");
    }

    @Test
    void import_ofJsonPassesThrough() {
        var imported = new AtomicReference<String>();
        service.plays((request, response) -> request.receive()
                .aggregate()
                .asString()
                .doOnNext(imported::set)
                .then(response.status(200).sendString(Mono.just("[]")).then()));

        http.post()
                .uri("/api/v1/import")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(FUNCTIONS)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();

        assertThat(imported).hasValue(FUNCTIONS);
    }

    @Test
    void import_ofABadArchiveChangesNothing() {
        service.answers(200, "[]");

        error(zip("garbage".getBytes()), 400, "invalid_archive");
        error(zip(new byte[0]), 400, "invalid_archive");
        error(zip(new byte[ArchiveLimits.MAX_ARCHIVE_BYTES + 1]), 413, "archive_too_large");

        assertThat(service.asked()).isEmpty();
    }

    @Test
    void archivesThatDoNotFit_areRefusedForNow() {
        service.answers(200, FUNCTIONS);
        budget.hold(budget.limit());
        try {
            error(zip(new byte[] {1}), 503, "overloaded");
            error(http.get().uri("/api/v1/export?format=zip").exchange(), 503, "overloaded");
        } finally {
            budget.give(budget.limit());
        }

        http.get()
                .uri("/api/v1/export?format=zip")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
        await().atMost(Duration.ofSeconds(60)).until(() -> budget.held() == 0);
    }

    @Test
    void openApi_ofTheServicesNamesTheGatewayAsServer() {
        service.answers(200, "{\"openapi\":\"3.1.0\",\"servers\":[{\"url\":\"http://10.0.0.1:8096\"}],\"paths\":{}}");

        for (String name : new String[] {"eventing", "subdoc", "metakv"}) {
            http.get()
                    .uri("/" + name + "/v3/api-docs")
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectBody()
                    .jsonPath("$.servers.length()")
                    .isEqualTo(1)
                    .jsonPath("$.servers[0].url")
                    .isEqualTo("/")
                    .jsonPath("$.openapi")
                    .isEqualTo("3.1.0");
        }
        assertThat(service.asked()).containsOnly("GET /v3/api-docs");
        service.answers(404, "nothing");
        error(http.get().uri("/eventing/v3/api-docs").exchange(), 502, "upstream_unexpected");
    }

    @Test
    void openApi_ofTheGatewayDescribesArchivesAndSessions() {
        http.get()
                .uri("/v3/api-docs")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.paths['/api/v1/export'].get.summary")
                .exists()
                .jsonPath("$.paths['/api/v1/import'].post.summary")
                .exists()
                .jsonPath("$.paths['/api/v1/session'].get.responses['200'].content['application/json'].schema")
                .exists()
                .jsonPath("$.paths['/api/v1/session'].post.requestBody.content['application/json'].schema")
                .exists()
                .jsonPath("$.paths['/api/v1/session'].delete.responses['204'].description")
                .exists();
        http.get()
                .uri("/v3/api-docs/swagger-config")
                .exchange()
                .expectBody()
                .jsonPath("$.urls.length()")
                .isEqualTo(4);
    }

    private WebTestClient.ResponseSpec zip(byte[] body) {
        return http.post()
                .uri("/api/v1/import")
                .header("Content-Type", "application/zip")
                .bodyValue(body)
                .exchange();
    }

    private static void error(WebTestClient.ResponseSpec answer, int status, String code) {
        answer.expectStatus()
                .isEqualTo(status)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo(code)
                .jsonPath("$.detail")
                .isNotEmpty()
                .jsonPath("$.action")
                .isNotEmpty();
    }
}
