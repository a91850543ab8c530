package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.traces.WriteTraces;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.server.RouterFunctions;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class QueryRoutesTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final DocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private final QueryEngine engine =
            new QueryEngine(new DocumentKeyspaces(store, bucket -> true, () -> null), InstantSource.system());
    private final Scheduler scheduler = Schedulers.newBoundedElastic(4, 100, "query-test");
    private volatile Subject subject = Subject.open();
    private final FollowedWork work = new FollowedWork(new HttpTraces(WriteTraces.NONE, request -> subject));
    private final WebTestClient client = WebTestClient.bindToRouterFunction(
                    new QueryRoutes(engine, request -> subject, scheduler, work).router())
            .configureClient()
            .responseTimeout(Duration.ofSeconds(60))
            .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(16 << 20))
            .build();

    @BeforeEach
    void createBucket() {
        StoreKit.await(store.catalog().createBucket("t", 1));
        engine.execute("CREATE PRIMARY INDEX ON t", io.millrace.n1ql.QueryOptions.DEFAULT)
                .close();
    }

    @AfterEach
    void endScheduler() {
        scheduler.dispose();
    }

    private JsonNode post(int status, String json) {
        byte[] body = client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(json)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody()
                .returnResult()
                .getResponseBody();
        return JSON.readTree(body);
    }

    private void put(String id, String body) {
        StoreKit.await(store.write(Write.upsert(new DocumentKey(Keyspace.of("t"), id), StoreKit.bytes(body))));
    }

    @Test
    void statement_isAnsweredInTheOrderOfTheFields() {
        put("a", "{\"n\":1.5}");

        JsonNode answer =
                post(200, "{\"statement\":\"SELECT d.* FROM t d\",\"client_context_id\":\"me\",\"timeout\":\"10s\"}");

        assertThat(answer.propertyNames())
                .containsExactly("requestID", "clientContextID", "signature", "results", "status", "metrics");
        assertThat(answer.get("clientContextID").asString()).isEqualTo("me");
        assertThat(answer.get("results").toString()).isEqualTo("[{\"n\":1.5}]");
        assertThat(answer.get("status").asString()).isEqualTo("success");
        assertThat(answer.at("/metrics/resultCount").asInt()).isOne();
        assertThat(answer.at("/metrics/elapsedTime").asString()).matches("[\\d.]+(s|ms|\u00b5s)");
    }

    @Test
    void aStatementThatTheUserMayNotRun_isRefusedAsByCouchbase() {
        subject = Subject.user("ann", Subject.Domain.LOCAL, List.of(Role.parse("query_select[u]")));

        JsonNode answer = post(401, "{\"statement\":\"SELECT d.* FROM t d\"}");

        assertThat(answer.at("/errors/0/code").asInt()).isEqualTo(13014);
        assertThat(answer.at("/errors/0/msg").asString()).contains("query_select", "default:t");
    }

    @Test
    void completeResponse_isSentWithItsLength() {
        put("a", "{\"n\":1}");
        put("b", "{\"n\":2}");

        assertThat(contentLength("SELECT RAW n FROM t USE KEYS \\\"a\\\" WHERE n > 0"))
                .isPositive();
        assertThat(contentLength("SELECT RAW n FROM t ORDER BY n")).isPositive();
        assertThat(contentLength("SELECT RAW n FROM t")).isEqualTo(-1);
    }

    private long contentLength(String statement) {
        return client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"statement\":\"" + statement + "\"}")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.results[0]")
                .isEqualTo(1)
                .returnResult()
                .getResponseHeaders()
                .getContentLength();
    }

    @Test
    void parameters_byNameAndByPlace() {
        put("a", "{\"n\":1}");

        assertThat(post(
                                200,
                                "{\"statement\":\"SELECT RAW [n, $x, @y, ?] FROM t USE KEYS"
                                        + " $k\",\"$x\":7,\"@y\":\"z\",\"$k\":\"a\",\"args\":[null]}")
                        .get("results")
                        .toString())
                .isEqualTo("[[1,7,\"z\",null]]");
    }

    @Test
    void form_hasJsonInItsTexts() {
        byte[] body = client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(
                        "statement=SELECT+RAW+%5B%24x%2C%3F%5D&%24x=%22q%22&args=%5B%7B%22a%22%3A1%7D%5D&readonly=true")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();

        assertThat(JSON.readTree(body).get("results").toString()).isEqualTo("[[\"q\",{\"a\":1}]]");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 400, 1050",
        "statement, 400, 1050",
        "statement=SELECT+1&timeout&readonly, 200, 0",
        "statement=%zz, 400, 1040"
    })
    void incompleteForm_hasItsCode(String form, int status, int code) {
        byte[] body = client.post()
                .uri("/query/service")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue(form)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody()
                .returnResult()
                .getResponseBody();

        assertThat(JSON.readTree(body).at("/errors/0/code").asInt()).isEqualTo(code);
    }

    @Test
    void formWithoutABody_hasNoStatement() {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post("/query/service")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .build());

        RouterFunctions.toWebHandler(new QueryRoutes(engine, request -> subject, scheduler, work).router())
                .handle(exchange)
                .block();

        String body = String.valueOf(exchange.getResponse().getBodyAsString().block());
        assertThat(JSON.readTree(body).at("/errors/0/code").asInt()).isEqualTo(1050);
    }

    @Test
    void malformedContentType_isTheMistakeOfTheClient() {
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post("/query/service")
                .header("Content-Type", "garbage")
                .body(Flux.empty()));

        RouterFunctions.toWebHandler(new QueryRoutes(engine, request -> subject, scheduler, work).router())
                .handle(exchange)
                .block();

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
        String body = String.valueOf(exchange.getResponse().getBodyAsString().block());
        assertThat(JSON.readTree(body).at("/errors/0/msg").asString()).contains("garbage");
    }

    @Test
    void get_readsAndRefusesToChange() {
        client.get()
                .uri("/query/service?statement={s}", "SELECT RAW 1")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.results[0]")
                .isEqualTo(1);
        client.get()
                .uri("/query/service?statement={s}", "DELETE FROM t")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectBody()
                .jsonPath("$.errors[0].code")
                .isEqualTo(1000);
    }

    @Test
    void autoExecute_runsWhatItPrepares() {
        JsonNode answer = post(200, "{\"statement\":\"PREPARE SELECT RAW $x\",\"auto_execute\":true,\"$x\":7}");

        assertThat(answer.get("results").toString()).isEqualTo("[7]");
        String name = answer.get("prepared").asString();
        assertThat(post(200, "{\"prepared\":\"%s\",\"auto_execute\":true,\"$x\":8}".formatted(name))
                        .get("results")
                        .toString())
                .isEqualTo("[8]");
        assertThat(post(200, "{\"statement\":\"SELECT RAW 1\",\"auto_execute\":true}")
                        .has("prepared"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"statement\":\"SELECT /*+ INDEX(t i) */ 1\"} | no keyspace of FROM has the alias t",
                "{\"statement\":\"CREATE INDEX pairs ON t(PAIRS(SELF))\"} | PAIRS",
                "{\"statement\":\"SELECT 1\",\"durability_level\":\"majority\",\"format\":\"JSON\"} | field durability_level of",
                "{\"statement\":\"SELECT 1\",\"memory_quota\":100,\"use_fts\":false} | field memory_quota of",
                "{\"statement\":\"SELECT 1\",\"txdata\":{\"id\":\"a\"}} | field txdata of",
                "{\"statement\":\"SELECT 1\",\"txtimeout\":\"1s\"} | field txtimeout of",
                "{\"statement\":\"SELECT 1\",\"txstmtnum\":1} | field txstmtnum of",
                "{\"statement\":\"SELECT 1\",\"numatrs\":1024} | field numatrs of",
                "{\"statement\":\"SELECT 1\",\"atrcollection\":\"b.s.c\"} | field atrcollection of"
            })
    void whatHasNoEffect_isAWarning(String request, String word) {
        JsonNode answer = post(200, request);

        assertThat(answer.get("status").asString()).isEqualTo("success");
        assertThat(answer.at("/warnings/0/code").asInt()).isEqualTo(4999);
        assertThat(answer.at("/warnings/0/msg").asString()).contains(word);
        assertThat(answer.at("/metrics/warningCount").asInt()).isEqualTo(1);
    }

    @Test
    void whatTunesTheEngine_hasNoEffect_andNeedsNoWarning() {
        JsonNode answer = post(
                200,
                "{\"statement\":\"SELECT RAW 1\",\"max_parallelism\":\"4\",\"scan_cap\":\"100\",\"pipeline_batch\":16}");

        assertThat(answer.get("results").toString()).isEqualTo("[1]");
        assertThat(answer.has("warnings")).isFalse();
    }

    @Test
    void profile_saysWhatEachOperatorDid() {
        JsonNode timings =
                post(200, "{\"statement\":\"SELECT RAW x FROM [1, 2, 3] x WHERE x > 1\",\"profile\":\"timings\"}");
        JsonNode phases =
                post(200, "{\"statement\":\"SELECT RAW x FROM [1, 2, 3] x WHERE x > 1\",\"profile\":\"phases\"}");

        assertThat(timings.get("results").size()).isEqualTo(2);
        assertThat(timings.at("/profile/phaseCounts/expressionScan").asInt()).isEqualTo(3);
        assertThat(timings.at("/profile/phaseOperators/filter").asInt()).isEqualTo(1);
        assertThat(timings.at("/profile/executionTimings/#stats/#itemsOut").asInt())
                .isEqualTo(2);
        assertThat(phases.at("/profile/phaseTimes/filter").isString()).isTrue();
        assertThat(phases.at("/profile").has("executionTimings")).isFalse();
        assertThat(post(200, "{\"statement\":\"SELECT 1\"}").has("profile")).isFalse();
    }

    @Test
    void prepared_isRunByItsName() {
        JsonNode prepared = post(200, "{\"statement\":\"PREPARE SELECT RAW $x\"}");
        String name = prepared.at("/results/0/name").asString();
        assertThat(prepared.at("/results/0/encoded_plan").isString()).isTrue();

        JsonNode answer = post(
                200,
                "{\"prepared\":\"%s\",\"encoded_plan\":\"\",\"$x\":7,\"scan_consistency\":\"request_plus\",\"readonly\":true}"
                        .formatted(name));

        assertThat(answer.get("results").toString()).isEqualTo("[7]");
        assertThat(answer.get("prepared").asString()).isEqualTo(name);
        assertThat(post(404, "{\"prepared\":\"unknown\"}").at("/errors/0/code").asInt())
                .isEqualTo(4040);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                        | 400 | 1050",
                "[1]                                                       | 400 | 1040",
                "{                                                         | 400 | 1040",
                "{\"statement\":1}                                         | 400 | 1070",
                "{\"statement\":\"SELECT 1\",\"args\":1}                   | 400 | 1070",
                "{\"statement\":\"SELECT 1\",\"timeout\":\"soon\"}         | 400 | 1040",
                "{\"statement\":\"SELECT 1\",\"timeout\":1e10}           | 400 | 1040",
                "{\"statement\":\"SELECT 1\",\"readonly\":\"yes\"}         | 400 | 1070",
                "{\"statement\":\"SELECT 1\",\"nonsense\":1}               | 400 | 1065",
                "{\"statement\":\"SELECT 1\",\"scan_consistency\":\"all\"} | 400 | 1040",
                "{\"statement\":\"SELECT 1\",\"query_context\":\"a.b.c\"}  | 400 | 1040",
                "{\"statement\":\"SELEC 1\"}                               | 400 | 3000",
                "{\"statement\":\"SELECT nosuch(1)\"}                      | 400 | 3000",
                "{\"statement\":\"SELECT * FROM nowhere\"}                 | 424 | 12003",
                "{\"statement\":\"CREATE PRIMARY INDEX ON t\"}             | 409 | 4300",
                "{\"statement\":\"DELETE FROM t\",\"readonly\":true}       | 403 | 1000",
                "{\"statement\":\"SELECT a.x, b FROM t a, t b WHERE c\"}   | 200 | 3080",
            })
    void wrongRequest_hasItsCode(String request, int status, int code) {
        JsonNode answer = post(status, request);

        assertThat(answer.at("/errors/0/code").asInt()).isEqualTo(code);
        assertThat(answer.get("results").isEmpty()).isTrue();
        assertThat(answer.get("status").asString()).isIn("fatal", "errors");
    }

    @Test
    void syntaxError_hasItsPlace() {
        JsonNode answer = post(400, "{\"statement\":\"SELECT 1\\nFROM WHERE\"}");

        assertThat(answer.at("/errors/0/line").asInt()).isEqualTo(2);
        assertThat(answer.at("/errors/0/column").asInt()).isEqualTo(6);
        assertThat(answer.at("/errors/0/excerpt").asString()).isEqualTo("FROM WHERE\n     ^");
    }

    @Test
    void scanWithoutIndex_isNotFound() {
        post(200, "{\"statement\":\"DROP PRIMARY INDEX ON t\"}");

        assertThat(post(404, "{\"statement\":\"SELECT * FROM t\"}")
                        .at("/errors/0/code")
                        .asInt())
                .isEqualTo(4000);
    }

    @Test
    void duplicateKey_isReportedWithItsReason_andOtherRowsStay() {
        put("a", "1");

        JsonNode answer =
                post(200, "{\"statement\":\"INSERT INTO t VALUES ('a', 2), ('b', 3) RETURNING RAW META().id\"}");

        assertThat(answer.get("results").toString()).isEqualTo("[\"b\"]");
        assertThat(answer.at("/errors/0/code").asInt()).isEqualTo(12009);
        assertThat(answer.at("/errors/0/reason/code").asInt()).isEqualTo(17012);
        assertThat(answer.get("status").asString()).isEqualTo("errors");
        assertThat(answer.at("/metrics/mutationCount").asInt()).isOne();
        assertThat(answer.at("/metrics/errorCount").asInt()).isOne();
    }

    @Test
    void queryContext_looksCollectionsUp() {
        StoreKit.await(store.catalog().createScope("t", "s"));
        StoreKit.await(store.catalog().createCollection(new Keyspace("t", "s", "c")));

        post(200, "{\"statement\":\"UPSERT INTO c VALUES ('k', {'a': 1})\",\"query_context\":\"default:`t`.`s`\"}");

        assertThat(post(200, "{\"statement\":\"SELECT RAW a FROM t.s.c USE KEYS 'k'\",\"metrics\":false}")
                        .get("results")
                        .toString())
                .isEqualTo("[1]");
    }

    @Test
    void manyRows_areAllWritten() {
        JsonNode answer = post(
                200,
                "{\"statement\":\"SELECT RAW {'i': i, 'text': REPEAT('x', 100)} FROM ARRAY_RANGE(0, 5000) AS i\"}");

        assertThat(answer.get("results").size()).isEqualTo(5000);
        assertThat(answer.at("/results/4999/i").asInt()).isEqualTo(4999);
        assertThat(answer.at("/metrics/resultSize").asLong()).isGreaterThan(500_000);
    }

    @Test
    void divisionByZero_isAWarning() {
        JsonNode answer = post(200, "{\"statement\":\"SELECT RAW 1 / 0\"}");

        assertThat(answer.at("/warnings/0/code").asInt()).isEqualTo(5036);
        assertThat(answer.get("status").asString()).isEqualTo("success");
    }

    private static final String ENDLESS_STATEMENT =
            "SELECT COUNT(*) FROM ARRAY_RANGE(0, 1000000) a JOIN ARRAY_RANGE(0, 1000000) b ON a * b < 0";
    private static final String ENDLESS =
            "{\"statement\":\"" + ENDLESS_STATEMENT + "\",\"client_context_id\":\"endless\"%s}";

    @Test
    void bodyThatIsNotJson_isReportedWithItsPlace() {
        assertThat(post(400, "{\"statement\": \"SELECT 1\",\n\"$v\":" + "[".repeat(600))
                        .toString())
                .contains("nested deeper than 500 levels (line 2, column 506)");
    }

    @Test
    void timeout_endsTheRun() {
        JsonNode answer = post(200, ENDLESS.formatted(",\"timeout\":\"100ms\""));

        assertThat(answer.get("status").asString()).isEqualTo("timeout");
        assertThat(answer.at("/errors/0/code").asInt()).isEqualTo(1080);
        assertThat(engine.active()).isEmpty();
    }

    @Test
    void cancelByRequestId_endsTheRun() throws Exception {
        var running = java.util.concurrent.CompletableFuture.supplyAsync(() -> post(200, ENDLESS.formatted("")));
        Awaitility.await().until(() -> engine.active().size() == 1);
        String id = engine.active().keySet().iterator().next();
        client.get()
                .uri("/admin/active_requests")
                .exchange()
                .expectBody()
                .jsonPath("$[0].clientContextID")
                .isEqualTo("endless");

        client.delete()
                .uri("/admin/active_requests/{id}", id)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();

        JsonNode answer = running.get(30, java.util.concurrent.TimeUnit.SECONDS);
        assertThat(answer.get("status").asString()).isEqualTo("stopped");
        assertThat(engine.active()).isEmpty();
        client.delete()
                .uri("/admin/active_requests/{id}", id)
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody();
    }

    @Test
    void clientThatDisconnectsBeforeTheFirstRow_cancelsTheStatement() {
        Disposable client = RouterFunctions.toWebHandler(
                        new QueryRoutes(engine, request -> subject, scheduler, work).router())
                .handle(MockServerWebExchange.from(MockServerHttpRequest.get(
                        "/query/service?statement={statement}&timeout=10m", ENDLESS_STATEMENT)))
                .subscribe();
        Awaitility.await().until(() -> engine.active().size() == 1);

        client.dispose();

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> engine.active().isEmpty());
    }

    @Test
    void ping_answers() {
        client.get()
                .uri("/admin/ping")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("OK");
    }
}
