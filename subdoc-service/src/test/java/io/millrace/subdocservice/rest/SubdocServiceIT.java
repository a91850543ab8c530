package io.millrace.subdocservice.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.subdocservice.SubdocService;
import io.millrace.subdocservice.rest.RestServer.Answer;
import io.millrace.testkit.OwnRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service with a Redis that stops and restarts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubdocServiceIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final OwnRedis redis = OwnRedis.startDurable();
    private ConfigurableApplicationContext service;
    private RestServer http;
    private Answer readiness;
    private Answer early;

    /** Starts the service without Redis: the start must not need it. */
    @BeforeAll
    void start() {
        redis.stop();
        service = SpringApplication.run(
                SubdocService.class,
                "--server.port=0",
                "--millrace.kv.port=0",
                "--spring.data.redis.url=" + redis.url(),
                "--millrace.documents.command-timeout=1s");
        http = RestServer.at(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        readiness = http.get("/actuator/health/readiness");
        early = http.put("/api/v1/buckets/b", "");
        restartRedis();
    }

    @Test
    void service_startsWithoutRedis() {
        assertThat(readiness.status()).isEqualTo(200);
        assertThat(early.error()).isEqualTo("503 unavailable");
        assertThat(early.header("Retry-After")).isPresent();
    }

    @Test
    void statement_runsOverTheDocuments() {
        http.put("/api/v1/buckets/queried", "");
        http.put("/api/v1/buckets/queried/docs/a", "{\"n\":1.10}");

        assertThat(query("SELECT RAW q FROM queried q").text()).contains("\"code\":4000");
        assertThat(query("CREATE PRIMARY INDEX ON queried").text()).contains("\"status\":\"success\"");
        assertThat(query("SELECT RAW q FROM queried q").text()).contains("\"results\":[{\"n\":1.10}]");
        assertThat(query("UPDATE queried SET m = n RETURNING RAW META().id").text())
                .contains("\"results\":[\"a\"]");
        assertThat(http.get("/api/v1/buckets/queried/docs/a").text()).isEqualTo("{\"n\":1.10,\"m\":1.10}");
        assertThat(http.get("/admin/ping").status()).isEqualTo(200);
    }

    /** Writing requests at every door over HTTP, and how a full store is said there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PUT    | /api/v1/buckets/b/docs/x                 | {}                                          | 507 \"refused\"",
                "POST   | /api/v1/buckets/b/docs/x                 | {}                                          | 507 \"refused\"",
                "POST   | /api/v1/buckets/b/docs/kept/mutate-in    | {\"specs\":[{\"op\":\"dict_upsert\",\"path\":\"m\",\"value\":1}]} | 507 \"refused\"",
                "PUT    | /api/v1/buckets/b/docs/kept/xattrs       | {\"a\":1}                                    | 507 \"refused\"",
                "PUT    | /api/v1/buckets/another                  |                                             | 507 \"refused\"",
                "PUT    | /api/v1/buckets/b/scopes/s               |                                             | 507 \"refused\"",
                "PUT    | /couch/another                           |                                             | 507 \"insufficient_storage\"",
                "PUT    | /couch/b/x                               | {}                                          | 507 \"insufficient_storage\"",
                "POST   | /couch/b/_bulk_docs                      | {\"docs\":[{\"_id\":\"x\"}]}                  | 201 \"insufficient_storage\"",
                "POST   | /pools/default/buckets                   | name=another                                | 507 OOM",
                "POST   | /query/service                           | {\"statement\":\"UPSERT INTO b VALUES ('x', 1)\"} | 200 12009",
            })
    void fullRedis_refusesWritesInTheWordsOfEachProtocolAndAnswersReads(
            String method, String path, String body, String expected) throws IOException {
        String[] words = expected.split(" ");
        http.put("/api/v1/buckets/b/docs/kept", "{\"n\":1}");
        redis.console().call("CONFIG", "SET", "maxmemory", "1");
        try {
            Answer refused = http.send(
                    method,
                    path,
                    (body == null ? "" : body).getBytes(UTF_8),
                    "Content-Type",
                    body != null && body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded");

            assertThat(refused.status() + " " + refused.text()).startsWith(words[0]);
            assertThat(refused.text()).contains(words[1]);
            assertThat(refused.status() < 300 || refused.header("Retry-After").isPresent())
                    .isTrue();
            assertThat(http.get("/api/v1/buckets/b/docs/kept").text()).isEqualTo("{\"n\":1}");
            assertThat(http.get("/couch/b/kept").status()).isEqualTo(200);
            assertThat(query("SELECT RAW x.n FROM b AS x USE KEYS 'kept'").text())
                    .contains("\"results\":[1]");
        } finally {
            redis.console().call("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void health_saysThatWritesAreRefusedAndClears() throws IOException {
        redis.console().call("CONFIG", "SET", "maxmemory", "1");
        awaitHealth("writes", 503, "full");
        redis.console().call("CONFIG", "SET", "maxmemory", "0");
        awaitHealth("writes", 200, "UP");

        redis.console().call("REPLICAOF", "127.0.0.1", "1");
        awaitHealth("writes", 503, "replica");
        assertThat(http.put("/api/v1/buckets/b/docs/x", "{}").error()).isEqualTo("503 unavailable");
        assertThat(http.get("/actuator/health/serving").status()).isEqualTo(200);
        redis.console().call("REPLICAOF", "NO", "ONE");
        awaitHealth("writes", 200, "UP");
    }

    @Test
    void frozenRedis_isUnavailableUntilItGoesOn() throws IOException, InterruptedException {
        http.put("/api/v1/buckets/b/docs/thawed", "{\"n\":1}");
        signal("STOP");
        try {
            awaitHealth("redis", 503, "DOWN");
            Answer refused = http.get("/api/v1/buckets/b/docs/thawed");
            assertThat(refused.error()).isEqualTo("503 unavailable");
            assertThat(refused.header("Retry-After")).isPresent();
        } finally {
            signal("CONT");
        }
        awaitHealth("redis", 200, "UP");
        await().atMost(PATIENCE)
                .until(() -> http.get("/api/v1/buckets/b/docs/thawed").status() == 200);
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(redis.pid()))
                .start()
                .waitFor();
    }

    private void awaitHealth(String component, int status, String word) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer health = http.get("/actuator/health/" + component);
            assertThat(health.status()).isEqualTo(status);
            assertThat(health.text()).contains(word);
        });
    }

    private Answer query(String statement) {
        return http.post("/query/service", "{\"statement\":\"" + statement + "\"}", "Content-Type", "application/json");
    }

    @AfterAll
    void stop() {
        service.close();
        redis.close();
    }

    private void restartRedis() {
        redis.restart();
        await().until(() -> http.put("/api/v1/buckets/b", "").status() < 300);
    }

    @Test
    void redis_thatIsUnavailableForAWhile() {
        assertThat(http.put("/api/v1/buckets/b/docs/a", "{\"n\":1}").status()).isEqualTo(201);
        assertThat(http.get("/actuator/health").text()).contains("appendFsync");

        redis.kill9();
        assertThat(http.get("/api/v1/buckets/b/docs/a").error()).isEqualTo("503 unavailable");
        assertThat(http.get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(http.get("/actuator/health").status()).isEqualTo(503);

        restartRedis();
        assertThat(http.get("/api/v1/buckets/b/docs/a").text()).isEqualTo("{\"n\":1}");
    }

    @Test
    void bulkLoad_goesOnWhenRedisIsBack() throws IOException {
        http.put("/api/v1/buckets/bulk", "");
        PipedOutputStream lines = new PipedOutputStream();
        InputStream body = new PipedInputStream(lines, 64 * 1024);
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(
                () -> http.send(
                        "POST",
                        "/api/v1/buckets/bulk/bulk",
                        HttpRequest.BodyPublishers.ofInputStream(() -> body),
                        "Content-Type",
                        "application/x-ndjson"),
                task -> Thread.ofVirtual().start(task));

        for (int n = 0; n < 20_000; n++) {
            if (n == 10_000) {
                await().until(() -> documents("bulk") > 0);
                redis.kill9();
            }
            if (n == 12_000) {
                redis.restart();
            }
            lines.write("{\"id\":\"%d\",\"value\":%d}\n".formatted(n % 5000, n).getBytes(UTF_8));
        }
        lines.close();

        assertThat(BulkContract.summary(answer.join()).get("loaded").asInt()).isEqualTo(20_000);
        assertThat(documents("bulk")).isEqualTo(5000);
        for (int id = 0; id < 5000; id += 499) {
            assertThat(http.get("/api/v1/buckets/bulk/docs/" + id).text()).isEqualTo(Integer.toString(15_000 + id));
        }
    }

    private int documents(String bucket) {
        return http.get("/api/v1/buckets/" + bucket).json().path("documents").asInt(0);
    }

    @Test
    void document_thatIsDueLeavesTheCount() {
        http.put("/api/v1/buckets/due", "");
        http.put("/api/v1/buckets/due/docs/a?expiry=1", "1");
        http.put("/api/v1/buckets/due/docs/b", "1");

        await().until(() -> documents("due") == 1);
        assertThat(http.get("/api/v1/buckets/due/docs/a").error()).isEqualTo("404 document_not_found");
    }
}
