package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.RedisFixture;
import io.millrace.worker.bindings.RedisStore;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.Link;
import io.millrace.workerprotocol.LinkServer;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT)) {
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
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT)) {
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
        try (RedisStore store = new RedisStore(RedisFixture.url(), RedisTls.DEFAULT)) {
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
                        List.of(new HandlerSettings.Url(
                                "api", "http://127.0.0.1:1", "no-auth", "", "", "", false, true)),
                        List.of(new HandlerSettings.Database("db", "jdbc:sqlite:nowhere", "", "", false, 10, 1000, 1)),
                        1 << 20,
                        1000,
                        0,
                        HandlerSettings.Access.PUBLIC,
                        10,
                        List.of("admin"),
                        true,
                        new HandlerSettings.TimerSettings("source", 1, "1", 1, 1024, 1, 1000, "", List.of())));
        List<JsonNode> tried = new ArrayList<>();
        try (LinkServer server = LinkServer.listen()) {
            Thread worker = Thread.ofPlatform().start(() -> serve(server));
            Link link = server.accept(PATIENCE);
            assertThat(link.receive()).containsInstanceOf(Frame.Hello.class);
            link.send(new Frame.Try(setup, ANSWERS.getBytes(UTF_8), events));
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
            ProcessResources resources = ProcessResources.start(512L << 20, why -> {});
            new Worker("w1", Link.connect(server.socket()), resources, (why, message, cause) -> {
                        throw new AssertionError(message, cause);
                    })
                    .serve("in this process");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
