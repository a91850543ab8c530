package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.launcher.tls.CertificateAuthority;
import io.millrace.redis.RedisTls;
import io.millrace.subdocservice.couch.CouchKit;
import io.millrace.subdocservice.moves.BucketMoves;
import io.millrace.testkit.OwnRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Buckets move to another Redis while clients write and follow them over HTTP. */
class MoveIT {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final String MOVE = "/api/v1/move";
    private static final int DOCUMENTS = 30;

    private final OwnRedis oldRedis = OwnRedis.startVolatile();
    private final OwnRedis newRedis = OwnRedis.startVolatile();
    private final RedisKit oldKit = new RedisKit(oldRedis.url());
    private final RedisKit newKit = new RedisKit(newRedis.url());
    private final RedisDocumentStore before = oldKit.store(InstantSource.system());
    private final RedisDocumentStore after = newKit.store(InstantSource.system());
    private final RestServer http = server(before, oldKit);

    private static RestServer server(RedisDocumentStore store, RedisKit kit) {
        return server(store, kit, RedisTls.DEFAULT);
    }

    private static RestServer server(RedisDocumentStore store, RedisKit kit, RedisTls tls) {
        BucketMoves moves = new BucketMoves(
                store, () -> CompletableFuture.completedStage(kit.connection().async()), tls, InstantSource.system());
        return new RestServer(store, InstantSource.system(), moves);
    }

    @AfterEach
    void stop() {
        http.close();
        oldKit.close();
        newKit.close();
        oldRedis.close();
        newRedis.close();
    }

    private String target() {
        return "{\"redis\": \"" + newRedis.url() + "\"}";
    }

    private JsonNode awaitPhase(String phase) {
        return await().atMost(LONG).until(() -> http.get(MOVE).json(), state -> {
            String now = state.path("phase").asString();
            assertThat(now.equals("failed") && !phase.equals(now))
                    .as(state.toString())
                    .isFalse();
            return now.equals(phase);
        });
    }

    /** The service that clients use: first those on the old Redis, then those on the new one. */
    private static final class Address {
        volatile CouchKit service;

        Address(CouchKit service) {
            this.service = service;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void continuousFollower_missesNothingAndNeverRewinds(int shards) throws Exception {
        try (CouchKit oldService = new CouchKit(before);
                CouchKit newService = new CouchKit(after)) {
            Address current = new Address(oldService);
            assertThat(oldService.send("PUT", "db?q=" + shards, null).status()).isEqualTo(201);
            AtomicBoolean enough = new AtomicBoolean();
            Map<String, String> written = new ConcurrentHashMap<>();
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < 3; writer++) {
                int number = writer;
                writers.add(CompletableFuture.runAsync(() -> write(number, current, enough, written)));
            }
            Follower follower = new Follower(current);
            CompletableFuture<Void> following = CompletableFuture.runAsync(follower);
            await().atMost(LONG).until(() -> written.size() == DOCUMENTS && follower.told.size() == DOCUMENTS);
            String early = follower.first;

            assertThat(http.post(MOVE, target()).status()).isEqualTo(202);
            JsonNode moved = awaitPhase("moved");
            Map<String, String> atTheMove = Map.copyOf(written);
            current.service = newService;
            oldService.close(); // services restart with the new address
            await().atMost(LONG)
                    .until(() -> writers.stream().anyMatch(CompletableFuture::isDone)
                            || written.entrySet().stream()
                                    .noneMatch(entry -> entry.getValue().equals(atTheMove.get(entry.getKey()))));
            enough.set(true);
            CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();

            await().atMost(LONG).until(() -> follower.told.equals(written) || following.isDone());
            follower.stopped = true;
            newService.send("PUT", "db/end", "{}");
            following.join();
            assertThat(follower.told).containsAllEntriesOf(written);
            assertThat(names(moved)).contains("db");
            JsonNode since =
                    newService.send("GET", "db/_changes?since=" + early, null).json();
            assertThat(since.path("results").size()).isEqualTo(DOCUMENTS + 1);
        }
    }

    private static List<String> names(JsonNode moved) {
        return moved.path("buckets").findValuesAsString("bucket").stream()
                .sorted()
                .toList();
    }

    /** Writes documents of its own until stopped; repeats each write until it succeeds. */
    private static void write(int writer, Address current, AtomicBoolean enough, Map<String, String> written) {
        Random random = new Random(writer);
        for (int i = 0; !enough.get(); i++) {
            String id = "d" + (random.nextInt(DOCUMENTS / 3) * 3 + writer);
            String former = written.get(id);
            String rev = former == null ? "" : "\"_rev\":\"" + former + "\",";
            String key = writer + "-" + i;
            CouchKit.Answer answer = inTheEnd(current, "db/" + id, "{" + rev + "\"i\":" + i + "}", key);
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            written.put(id, answer.json().path("rev").asString());
        }
    }

    private static CouchKit.Answer inTheEnd(Address current, String path, String body, String key) {
        while (true) {
            try {
                CouchKit.Answer answer = current.service.send("PUT", path, body, "Idempotency-Key", key);
                if (answer.status() < 500) {
                    return answer;
                }
            } catch (UncheckedIOException e) {
                // the service has stopped: use the other one
            }
        }
    }

    /** Continues to read on the current service after the last sequence. */
    private static final class Follower implements Runnable {

        private final Address current;
        final Map<String, String> told = new ConcurrentHashMap<>(new TreeMap<>());
        volatile String first = "";
        volatile boolean stopped;
        private String last = "0";

        Follower(Address current) {
            this.current = current;
        }

        @Override
        public void run() {
            while (!stopped) {
                CouchKit service = current.service;
                String path = "db/_changes?feed=continuous&heartbeat=500&since=" + last;
                try (BufferedReader lines = CouchKit.lines(service.open(service.request("GET", path, null)))) {
                    for (String line = lines.readLine(); line != null && !stopped; line = lines.readLine()) {
                        if (current.service != service) {
                            break; // as if the process had ended
                        }
                        if (!line.isEmpty()) {
                            take(CouchKit.JSON.readTree(line));
                        }
                    }
                } catch (UncheckedIOException | IOException e) {
                    // the service has stopped
                }
            }
        }

        private void take(JsonNode row) {
            String seq = row.path("seq").asString();
            assertThat(seq).isGreaterThan(last);
            last = seq;
            first = first.isEmpty() ? seq : first;
            told.put(
                    row.path("id").asString(),
                    row.path("changes").get(0).path("rev").asString());
        }
    }

    @Test
    void severalBuckets_moveTogether_andWritersAreToldWhatToDo() {
        http.put("/api/v1/buckets/a", "{}");
        http.put("/api/v1/buckets/b", "{\"shards\": 4}");
        http.put("/api/v1/buckets/a/docs/x", "1");
        http.put("/api/v1/buckets/b/docs/y", "2");

        assertThat(http.post(MOVE, target()).status()).isEqualTo(202);
        JsonNode state = awaitPhase("moved");

        assertThat(names(state)).containsExactly("a", "b");
        assertThat(state.path("buckets").findValues("moved")).allMatch(JsonNode::booleanValue);
        assertThat(state.toString()).doesNotContain("error");
        RestServer.Answer refused = http.put("/api/v1/buckets/a/docs/x", "3");
        assertThat(refused.error()).isEqualTo("503 unavailable");
        assertThat(refused.text()).contains("started with the address of that Redis");
        assertThat(http.get("/api/v1/buckets/a/docs/x").text()).isEqualTo("1");
        assertThat(http.delete(MOVE).error()).isEqualTo("409 move_impossible");
        assertThat(http.post(MOVE, target()).error()).isEqualTo("409 move_impossible");
        try (RestServer there = server(after, newKit)) {
            assertThat(there.get("/api/v1/buckets/b/docs/y").text()).isEqualTo("2");
            assertThat(there.put("/api/v1/buckets/a/docs/x", "3").status()).isEqualTo(200);
        }
    }

    @Test
    void bucket_movesToARedisWithTls(@TempDir Path files) {
        CertificateAuthority authority = CertificateAuthority.create(files);
        CertificateAuthority.Pair own = authority.forUser("mover");
        RedisTls tls = new RedisTls(
                authority.certificate().toString(),
                own.certificate().toString(),
                own.key().toString());
        http.put("/api/v1/buckets/a", "{}");
        http.put("/api/v1/buckets/a/docs/x", "1");

        try (OwnRedis safe = OwnRedis.startWithTls(authority);
                RedisKit safeKit = new RedisKit(safe.url());
                RestServer mover = server(before, oldKit, tls);
                RestServer there = server(safeKit.store(InstantSource.system()), safeKit)) {
            String to = "{\"redis\": \"" + safe.tlsUrl() + "\"}";
            RestServer.Answer stranger = http.post(MOVE, to);
            assertThat(stranger.error()).as("without the authority").isEqualTo("409 move_impossible");

            assertThat(mover.post(MOVE, to).status()).isEqualTo(202);

            awaitPhase("moved");
            assertThat(there.get("/api/v1/buckets/a/docs/x").text()).isEqualTo("1");
        }
    }

    @Test
    void impossibleMoves_areRejectedWithTheReason() {
        http.put("/api/v1/buckets/a", "{}");
        after.catalog().createBucket("a", 1).join();

        assertThat(http.get(MOVE).error()).isEqualTo("404 move_not_found");
        assertThat(http.delete(MOVE).error()).isEqualTo("404 move_not_found");
        assertThat(http.post(MOVE, "{}").error()).isEqualTo("400 invalid_body");
        assertThat(http.post(MOVE, "{\"redis\":\"http://x\"}").error()).isEqualTo("400 invalid_body");
        assertThat(http.post(MOVE, "{\"to\":\"x\"}").error()).isEqualTo("400 invalid_body");
        assertThat(http.post(MOVE, "{").error()).isEqualTo("400 invalid_json");
        assertThat(http.post(MOVE, "{\"redis\":\"redis://127.0.0.1:1\"}").error())
                .isEqualTo("409 move_impossible");
        assertThat(http.post(MOVE, "{\"redis\":\"" + oldRedis.url() + "\"}").error())
                .isEqualTo("409 move_impossible");
        assertThat(http.post(MOVE, target().replace("}", ", \"buckets\": [\"none\"]}"))
                        .error())
                .isEqualTo("404 bucket_not_found");
        assertThat(http.post(MOVE, target()).error()).isEqualTo("409 bucket_exists");
        after.catalog().dropBucket("a").join();
        oldKit.console().hset("mr:{a.0}:leases", "node-1", Long.toString(System.currentTimeMillis() + LONG.toMillis()));
        RestServer.Answer eventing = http.post(MOVE, target());
        assertThat(eventing.error()).isEqualTo("409 move_impossible");
        assertThat(eventing.text()).contains("Stop eventing-service");
        oldKit.console().del("mr:{a.0}:leases");
        oldKit.console().set("mr:move:lock", "another");
        assertThat(http.post(MOVE, target()).error()).isEqualTo("409 move_running");
        oldKit.console().del("mr:move:lock");

        assertThat(http.post(MOVE, target()).status()).isEqualTo(202);
        awaitPhase("moved");
    }

    @Test
    void moveOfAnEndedProcess_isInterrupted_andCanBeEndedOrRestarted() {
        http.put("/api/v1/buckets/a", "{}");
        oldKit.console()
                .set(
                        "mr:move",
                        "{\"id\":\"gone\",\"phase\":\"finishing\",\"redis\":\"x:1\",\"started_at\":\"2026-01-01T00:00:00Z\","
                                + "\"buckets\":[{\"bucket\":\"a\",\"moved\":false,\"rows\":0,\"total\":0}]}");
        oldKit.console().hset("mr:{a.0}:m", "gate", "~0~gone");

        assertThat(http.get(MOVE).json().path("phase").asString()).isEqualTo("interrupted");
        assertThat(http.put("/api/v1/buckets/a/docs/x", "1").error()).isEqualTo("503 unavailable");
        assertThat(http.delete(MOVE).json().path("phase").asString()).isEqualTo("stopped");
        assertThat(http.put("/api/v1/buckets/a/docs/x", "1").status()).isEqualTo(201);

        oldKit.console().hset("mr:{a.0}:m", "gate", "~0~gone");
        assertThat(http.post(MOVE, target()).status()).isEqualTo(202);
        awaitPhase("moved");
        assertThat(after.catalog().find("a").join()).isPresent();
    }
}
