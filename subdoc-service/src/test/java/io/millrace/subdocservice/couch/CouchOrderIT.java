package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.redis.RedisKit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What readers of a feed receive during concurrent writes. */
class CouchOrderIT {

    private static final int WRITERS = 3;
    private static final int FOLLOWERS = 3;
    private static final int WRITES = 500;

    private final DocumentStore store = RedisKit.shared().store(InstantSource.system());
    private final CouchKit couch = new CouchKit(store);
    private String database = couch.newDatabase();

    @AfterEach
    void close() {
        couch.close();
    }

    /** A reader of the continuous feed; it stops at the document "end". */
    private Map<String, Integer> follow() {
        Map<String, Integer> seen = new HashMap<>();
        String last = "";
        try (BufferedReader lines = CouchKit.lines(couch.open(
                couch.request("GET", database + "/_changes?feed=continuous&include_docs=true&heartbeat=1000", null)))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    continue;
                }
                JsonNode row = CouchKit.JSON.readTree(line);
                String seq = row.path("seq").asString();
                assertThat(seq).isGreaterThan(last);
                last = seq;
                if (row.path("id").asString().equals("end")) {
                    return seen;
                }
                int n = row.path("doc").path("n").asInt();
                Integer former = seen.put(row.path("id").asString(), n);
                assertThat(former == null || former <= n).as(line).isTrue();
            }
            throw new AssertionError("The feed ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String id, int n) {
        byte[] body = ("{\"n\":" + n + "}").getBytes(StandardCharsets.US_ASCII);
        store.write(Write.upsert(new DocumentKey(Keyspace.of(database), id), body))
                .join();
    }

    /** A database whose index has q shards. */
    private void sharded(int q) {
        database = CouchKit.newName();
        assertThat(couch.send("PUT", database + "?q=" + q, null).status()).isEqualTo(201);
        assertThat(couch.send("GET", database, null).json().at("/cluster/q").asInt())
                .isEqualTo(q);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void followers_endInTheWritersState_andQuietFeedsRepeatThemselves(int q) throws Exception {
        sharded(q);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        List<CompletableFuture<Map<String, Integer>>> followers = new ArrayList<>();
        for (int i = 0; i < FOLLOWERS; i++) {
            followers.add(CompletableFuture.supplyAsync(this::follow, threads));
        }
        Map<String, Integer> written = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int number = w;
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        Random random = new Random(number);
                        for (int n = 1; n <= WRITES; n++) {
                            String id = "w" + number + "-" + random.nextInt(100);
                            write(id, n);
                            written.put(id, n);
                        }
                    },
                    threads));
        }
        for (CompletableFuture<Void> writer : writers) {
            writer.get(240, TimeUnit.SECONDS);
        }
        // a read orders all changes made so far, so "end" comes after them, whichever shard it is in
        couch.send("GET", database + "/_changes", null);
        write("end", 0);

        for (CompletableFuture<Map<String, Integer>> follower : followers) {
            assertThat(follower.get(240, TimeUnit.SECONDS)).isEqualTo(written);
        }
        String first = couch.send("GET", database + "/_changes", null).text();
        assertThat(couch.send("GET", database + "/_changes", null).text()).isEqualTo(first);
        assertThat(CouchKit.JSON.readTree(first).path("results")).hasSize(written.size() + 1);
        threads.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void ownWrites_areReadableAtOnce(int q) {
        sharded(q);
        String since = "0";
        for (int n = 0; n < 60; n++) {
            couch.send("PUT", database + "/d" + n, "{\"n\":" + n + "}");

            JsonNode feed = couch.send("GET", database + "/_changes?since=" + since, null)
                    .json();

            assertThat(feed.path("results")).hasSize(1);
            assertThat(feed.path("results").get(0).path("id").asString()).isEqualTo("d" + n);
            since = feed.path("last_seq").asString();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void longpoll_wakesUpAndKnowsDocumentsById(int q) throws Exception {
        sharded(q);
        write("a", 1);
        write("b", 1);
        String since = couch.send("GET", database + "/_changes", null)
                .json()
                .path("last_seq")
                .asString();
        try (BufferedReader lines = CouchKit.lines(couch.open(
                couch.request("GET", database + "/_changes?feed=longpoll&heartbeat=20000&since=" + since, null)))) {
            assertThat(lines.readLine()).isEqualTo("{\"results\":[");
            write("b", 2);
            assertThat(lines.readLine()).contains("\"id\":\"b\"");
        }

        JsonNode named = couch.send(
                        "POST", database + "/_changes?filter=_doc_ids&since=" + since, "{\"doc_ids\":[\"a\",\"b\"]}")
                .json();
        assertThat(named.path("results").findValuesAsString("id")).containsExactly("b");
        JsonNode newest = couch.send("GET", database + "/_changes?descending=true&limit=1", null)
                .json();
        assertThat(newest.path("results").findValuesAsString("id")).containsExactly("b");
        assertThat(newest.path("pending").asInt()).isEqualTo(1);
    }

    @Test
    void aThousandWaitingClients_areServedByOneListener() throws Exception {
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        String path = database + "/_changes?feed=longpoll&since=now&heartbeat=20000";
        List<CompletableFuture<String>> answers = new ArrayList<>();
        List<BufferedReader> waiting = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            BufferedReader lines = CouchKit.lines(couch.open(couch.request("GET", path, null)));
            assertThat(lines.readLine()).isEqualTo("{\"results\":[");
            waiting.add(lines);
        }
        write("a", 1);
        for (BufferedReader lines : waiting) {
            answers.add(CompletableFuture.supplyAsync(
                    () -> {
                        try (lines) {
                            return lines.readLine();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    threads));
        }

        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).contains("\"id\":\"a\"");
        }
        threads.close();
    }
}
