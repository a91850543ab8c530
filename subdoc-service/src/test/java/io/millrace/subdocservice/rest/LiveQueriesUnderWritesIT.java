package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.subdocservice.SubdocService;
import io.millrace.testkit.OwnRedis;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** A client that applies the events has in the end what a SELECT with the same condition returns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveQueriesUnderWritesIT {

    private static final String FILTER = "n < 5 AND META().id LIKE \"d%\"";
    private static final int WRITERS = 4;
    private static final int WRITES = 150;
    private static final int DOCUMENTS = 150;
    private static final int CUTS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final OwnRedis redis =
            OwnRedis.startDurable(Map.of("appendfsync", "no")); // enough for a process that is killed
    private ConfigurableApplicationContext service;
    private RestServer http;

    @BeforeAll
    void start() {
        service = SpringApplication.run(
                SubdocService.class,
                "--server.port=0",
                "--millrace.kv.port=0",
                "--spring.data.redis.url=" + redis.url());
        http = RestServer.at(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    void stop() {
        service.close();
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void eventsOfManyWriters_leadToTheResultOfTheQuery(int shards) {
        String name = "live" + shards;
        String bucket = "/api/v1/buckets/" + name;
        http.put(bucket, "{\"shards\": %d}".formatted(shards));
        write(bucket, new Random(1), DOCUMENTS);
        try (LiveClient steady = new LiveClient(http.port(), bucket, FILTER).connect();
                LiveClient cut = new LiveClient(http.port(), bucket, FILTER).connect()) {
            CompletableFuture<?>[] writers = IntStream.range(0, WRITERS)
                    .mapToObj(writer -> CompletableFuture.runAsync(
                            () -> write(bucket, new Random(writer), WRITES), Thread::startVirtualThread))
                    .toArray(CompletableFuture[]::new);
            for (int i = 1; i <= CUTS; i++) {
                int seen = cut.events.size();
                await().until(() -> cut.events.size() > seen
                        || CompletableFuture.allOf(writers).isDone());
                cut.cut();
                cut.connect();
            }
            CompletableFuture.allOf(writers).join();

            Map<String, JsonNode> expected = select(name);
            assertThat(expected).isNotEmpty();
            for (LiveClient client : new LiveClient[] {steady, cut}) {
                await().untilAsserted(() ->
                        assertThat(new TreeMap<>(client.documents)).isEqualTo(expected));
            }
        }
    }

    @Test
    void redisKilledUnderALiveQuery_leadsToTheResultOfTheQueryAllTheSame() {
        String bucket = "/api/v1/buckets/killed";
        http.put(bucket, "{}");
        write(bucket, new Random(1), DOCUMENTS);
        try (LiveClient client = new LiveClient(http.port(), bucket, FILTER).connect()) {
            AtomicBoolean end = new AtomicBoolean();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(
                    () -> {
                        for (Random random = new Random(2); !end.get(); ) {
                            write(bucket, random, 1);
                        }
                    },
                    Thread::startVirtualThread);
            awaitEvents(client);

            redis.kill9();
            redis.restart();

            awaitEvents(client);
            end.set(true);
            writing.join();
            Map<String, JsonNode> expected = select("killed");
            assertThat(expected).isNotEmpty();
            await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
                client.continueIfEnded();
                assertThat(new TreeMap<>(client.documents)).isEqualTo(expected);
            });
        }
    }

    private static void awaitEvents(LiveClient client) {
        int seen = client.events.size();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            client.continueIfEnded();
            return client.events.size() > seen + CUTS;
        });
    }

    private void write(String bucket, Random random, int writes) {
        for (int i = 0; i < writes; i++) {
            String document = bucket + "/docs/d" + random.nextInt(DOCUMENTS);
            if (random.nextInt(5) == 0) {
                http.delete(document);
            } else {
                http.put(document, "{\"n\": %d, \"i\": %d}".formatted(random.nextInt(10), i));
            }
        }
    }

    private Map<String, JsonNode> select(String bucket) {
        http.post(
                "/query/service",
                "{\"statement\": \"CREATE PRIMARY INDEX ON `%s`\"}".formatted(bucket),
                "Content-Type",
                "application/json");
        String statement = "SELECT META(b).id, b AS d FROM `%s` b WHERE %s"
                .formatted(bucket, FILTER.replace("META()", "META(b)").replace("\"", "\\\""));
        JsonNode answer = http.post(
                        "/query/service",
                        "{\"statement\": \"%s\", \"scan_consistency\": \"request_plus\"}".formatted(statement),
                        "Content-Type",
                        "application/json")
                .json();
        Map<String, JsonNode> rows = new TreeMap<>();
        answer.get("results").forEach(row -> rows.put(row.get("id").asString(), row.get("d")));
        return rows;
    }
}
