package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.RedisFixture;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.worker.sql.Databases;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A worker in this process tries code on documents in Redis. */
class TryoutIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String ANSWERS = """
            {"responses": [{"status": 201}],
             "sql": [{"matching": "SELECT name", "rows": [{"name": "Ada"}]},
                     {"matching": "DELETE", "error": {"sqlState": "42501", "message": "denied"}}]}\
            """;

    @Test
    void trial_readsRedisAndChangesNothingThere() throws Exception {
        RedisFixture.flush();
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test")) {
            DocumentStore documents = store.documents();
            documents.catalog().createBucket("source", 2).join();
            documents.catalog().createBucket("target", 2).join();
            put(documents, "kept", "{\"n\":1}");
            put(documents, "gone", "{\"n\":2}");
            String code = """
                function OnUpdate(doc, meta) {
                  target.made = {n: target.kept.n + doc.n};
                  delete target.gone;
                  couchbase.increment(target, {id: 'kept'});
                  UPSERT INTO target (KEY, VALUE) VALUES ('stated', {"n": 3});
                  const rows = SELECT n AS c FROM target USE KEYS 'stated';
                  for (const row of rows) { log(row.c); }
                  createTimer(later, new Date(Date.now() + 1000), meta.id, {a: 1});
                  log(curl('POST', api, {path: '/x', body: doc}).status);
                }
                function later(context) {}
                """;

            List<JsonNode> tried =
                    tried(code, List.of(Samples.update("a", 1, "{\"n\":5}"), Samples.update("b", 2, "{\"n\":6}")));

            assertThat(tried).hasSize(2);
            JsonNode second = tried.get(1);
            assertThat(second.path("result").asString()).as(second.toString()).isEqualTo("success");
            assertThat(second.path("effects").valueStream().map(TryoutIT::summary))
                    .containsExactly(
                            "write made {\"n\":7}",
                            "delete gone ",
                            "write kept {\"n\":1,\"count\":1}",
                            "statement  ",
                            "write stated {\"n\":3}",
                            "statement  ",
                            "log  3",
                            "timer  ",
                            "request  ",
                            "log  201");
            assertThat(documents.count(Keyspace.of("target")).join()).isEqualTo(2);
            assertThat(documents.get(key("gone")).join()).isPresent();
            assertThat(documents.get(key("kept")).join())
                    .hasValueSatisfying(
                            kept -> assertThat(new String(kept.body(), UTF_8)).isEqualTo("{\"n\":1}"));
        }
    }

    @Test
    void effects_areInTheOrderOfTheCode() throws Exception {
        RedisFixture.flush();
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test")) {
            store.documents().catalog().createBucket("source", 2).join();
            store.documents().catalog().createBucket("target", 2).join();
            String code = """
                function OnUpdate(doc, meta) {
                  for (let i = 0; i < 40; i++) { target['d' + i] = {n: i}; log(i); }
                }
                """;

            JsonNode tried =
                    tried(code, List.of(Samples.update("a", 1, "{\"n\":5}"))).getFirst();

            assertThat(tried.path("effects").valueStream().map(TryoutIT::summary))
                    .containsExactlyElementsOf(IntStream.range(0, 40)
                            .boxed()
                            .flatMap(i -> Stream.of("write d%d {\"n\":%d}".formatted(i, i), "log  %d".formatted(i)))
                            .toList());
        }
    }

    @Test
    void statementsOfSql_areShownAndNotRun() throws Exception {
        RedisFixture.flush();
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test")) {
            store.documents().catalog().createBucket("source", 2).join();
            String code = """
                function OnUpdate(doc, meta) {
                  log(sql(db, 'SELECT name FROM t WHERE id = :id', {id: doc.n})[0]);
                  log(sql(db, 'UPDATE t SET a = ?, b = ?', ['x', new Date(0)]));
                  try { sql(db, 'DELETE FROM t'); } catch (e) { log(e.sqlState, e.message); }
                }
                """;

            JsonNode tried =
                    tried(code, List.of(Samples.update("a", 1, "{\"n\":5}"))).getFirst();

            assertThat(tried.path("effects").valueStream().map(JsonNode::toString))
                    .containsExactly(
                            "{\"kind\":\"sql\",\"binding\":\"db\",\"text\":\"SELECT name FROM t WHERE id = :id\",\"named\":{\"id\":5}}",
                            "{\"kind\":\"log\",\"level\":\"INFO\",\"text\":\"{\\\"name\\\":\\\"Ada\\\"}\"}",
                            "{\"kind\":\"sql\",\"binding\":\"db\",\"text\":\"UPDATE t SET a = ?, b = ?\",\"positional\":[\"x\",\"1970-01-01T00:00:00Z\"],\"assumed\":true}",
                            "{\"kind\":\"log\",\"level\":\"INFO\",\"text\":\"0\"}",
                            "{\"kind\":\"sql\",\"binding\":\"db\",\"text\":\"DELETE FROM t\"}",
                            "{\"kind\":\"log\",\"level\":\"INFO\",\"text\":\"\\\"42501\\\" \\\"denied\\\"\"}");
        }
    }

    /** What would change something outside is assumed as ever, and what only claims to read is rolled back. */
    @Test
    void recording_asksWhatOnlyReads_andItsAnswersStandForTheSameCalls(@TempDir Path directory) throws Exception {
        RedisFixture.flush();
        Path drivers = Databases.drivers(directory.resolve("drivers"));
        HandlerSettings.Database database = new HandlerSettings.Database(
                "db", "jdbc:sqlite:" + directory.resolve("crm.db"), "", "", false, 10, 10_000, 1);
        List<String> requests = new CopyOnWriteArrayList<>();
        String code = """
                function OnUpdate(doc, meta) {
                  for (let i = 0; i < 2; i++) {
                    const answer = curl('GET', api, {path: '/rates', params: {base: 'EUR'}});
                    log(answer.body.rate, answer.headers['X-Kind']);
                  }
                  log(curl('POST', api, {path: '/rates', body: doc}).status);
                  try { curl('GET', api, {path: '/bytes'}); } catch (e) { log(e.message); }
                  log(sql(db, 'SELECT name FROM t WHERE id = ?', [doc.n])[0]);
                  log(sql(db, 'UPDATE t SET name = ?', ['gone']));
                  try { sql(db, "WITH v AS (SELECT 9 AS id) INSERT INTO t SELECT id, 'new' FROM v"); } catch (e) { log(e.name); }
                }
                """;
        List<Event> events = List.of(Samples.update("a", 1, "{\"n\":1}"), Samples.update("b", 2, "{\"n\":2}"));
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT, "test");
                Connection crm = DriverManager.getConnection(database.url());
                Statement statement = crm.createStatement()) {
            store.documents().catalog().createBucket("source", 2).join();
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)");
            statement.execute("INSERT INTO t VALUES (1, 'Ada'), (2, 'Bob')");
            HttpServer server = rates(requests);
            String place = "127.0.0.1:" + server.getAddress().getPort();
            HandlerSettings.Access access = new HandlerSettings.Access(
                    List.of(place), List.of(), List.of(database.url()), drivers.toString(), "");
            List<JsonNode> first;
            try {
                first = tried(code, events, "{\"record\": true}", "http://" + place, database, access);
            } finally {
                server.stop(0);
            }
            try (ResultSet names = statement.executeQuery("SELECT group_concat(name) FROM t")) {
                assertThat(names.getString(1)).isEqualTo("Ada,Bob");
            }

            ObjectNode answers = JsonMapper.shared().createObjectNode();
            for (JsonNode each : first) {
                each.at("/recorded/responses").forEach(answers.withArray("responses")::add);
                each.at("/recorded/sql").forEach(answers.withArray("sql")::add);
            }
            JsonNode read = JsonMapper.shared().readTree(answers.toString());
            List<JsonNode> second =
                    tried(code, events, read.toString(), "http://" + place, database, HandlerSettings.Access.PUBLIC);

            assertThat(requests).containsExactly("GET /rates?base=EUR", "GET /bytes", "GET /bytes");
            assertThat(logs(first.get(0)))
                    .startsWith("7.5 \" exact\\r\\n\"", "7.5 \" exact\\r\\n\"", "200", "{\"name\":\"Ada\"}", "0");
            assertThat(logs(first.get(1))).contains("{\"name\":\"Bob\"}");
            assertThat(logs(second.get(0))).isEqualTo(logs(first.get(0)));
            assertThat(logs(second.get(1))).isEqualTo(logs(first.get(1)));
            assertThat(read.at("/responses/0/body/rate").asDouble()).isEqualTo(7.5);
            assertThat(read.toString())
                    .contains("\"statement\":\"SELECT name FROM t WHERE id = ?\"")
                    .doesNotContain("session");
            assertThat(first.get(0).at("/recorded/left_out").toString())
                    .isEqualTo("[\"GET http://%s/bytes: the body is not text\"]".formatted(place));
            assertThat(second.get(0).has("recorded")).isFalse();
        }
    }

    private static HttpServer rates(List<String> requests) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            boolean bytes = exchange.getRequestURI().getPath().equals("/bytes");
            byte[] body = bytes ? new byte[] {(byte) 0xff} : "{\"rate\": 7.5}".getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", bytes ? "image/png" : "application/json");
            exchange.getResponseHeaders().set("Set-Cookie", "session=1");
            exchange.getResponseHeaders().set("X-Kind", "exact");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static List<String> logs(JsonNode invocation) {
        assertThat(invocation.path("result").asString())
                .as(invocation.toString())
                .isEqualTo("success");
        return invocation
                .path("effects")
                .valueStream()
                .filter(effect -> effect.path("kind").asString().equals("log"))
                .map(effect -> effect.path("text").asString())
                .toList();
    }

    private static String summary(JsonNode effect) {
        String shown = effect.has("after") ? effect.path("after").toString() : "";
        String text = effect.path("kind").asString().equals("log")
                ? effect.path("text").asString()
                : shown;
        return effect.path("kind").asString() + " " + effect.path("id").asString("") + " " + text;
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of("target"), id);
    }

    private static void put(DocumentStore documents, String id, String body) {
        documents.write(Write.upsert(key(id), body.getBytes(UTF_8))).join();
    }

    private static List<JsonNode> tried(String code, List<Event> events) throws IOException {
        return tried(
                code,
                events,
                ANSWERS,
                "http://127.0.0.1:1",
                new HandlerSettings.Database("db", "jdbc:sqlite:nowhere", "", "", false, 10, 1000, 1),
                HandlerSettings.Access.PUBLIC);
    }

    private static List<JsonNode> tried(
            String code,
            List<Event> events,
            String answers,
            String url,
            HandlerSettings.Database database,
            HandlerSettings.Access access)
            throws IOException {
        WorkerSetup sample = Samples.setup(1);
        WorkerSetup setup = new WorkerSetup(
                "f",
                "instance1",
                new WorkerSetup.Source(code, List.of("'use strict';"), List.of(), "7.2.0", false),
                new WorkerSetup.Limits(1, 30_000, 64 << 20),
                "INFO",
                "source",
                RedisFixture.url(),
                sample.aliases(),
                new HandlerSettings(
                        List.of(),
                        List.of(new HandlerSettings.Url("api", url, "no-auth", "", "", "", false, true)),
                        List.of(database),
                        1 << 20,
                        1000,
                        0,
                        access,
                        10,
                        List.of("admin"),
                        true,
                        new HandlerSettings.TimerSettings("source", 1, "1", 1, 1024, 1, 1000, "", List.of())));
        List<JsonNode> tried = new ArrayList<>();
        try (LinkServer server = LinkServer.listen()) {
            Thread worker = Thread.ofPlatform().start(() -> serve(server));
            Link link = server.accept(PATIENCE);
            assertThat(link.receive()).containsInstanceOf(Frame.Hello.class);
            link.send(new Frame.Try(setup, answers.getBytes(UTF_8), events));
            while (tried.size() < events.size()) {
                Frame frame = link.receive().orElseThrow();
                assertThat(frame).isInstanceOf(Frame.Tried.class);
                tried.add(JsonMapper.shared().readTree(((Frame.Tried) frame).invocation()));
            }
            link.close();
            worker.join(PATIENCE);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return tried;
    }

    private static void serve(LinkServer server) {
        try {
            ProcessResources resources = ProcessResources.start(512L << 20, "test", why -> {});
            new Worker("w1", Link.connect(server.socket()), resources, (why, message, cause) -> {
                        throw new AssertionError(message, cause);
                    })
                    .serve("in this process");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
