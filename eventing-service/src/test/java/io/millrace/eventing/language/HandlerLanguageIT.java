package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.metakv.MetakvClient;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every row of the handler language's reference as a handler, deployed through the REST API, run by real workers. */
class HandlerLanguageIT extends KitService {

    private static final List<String> FILES = List.of(
            "1-entry-points.kit",
            "2-aliases.kit",
            "3-accessors.kit",
            "4-builtins.kit",
            "5-curl.kit",
            "6-language-6.0.0.kit",
            "7-language-5.0.0.kit",
            "8-queries.kit",
            "9-queries-5.0.0.kit",
            "10-examples.kit");

    private static final List<String> BUCKETS = List.of("kit-src", "kit-dst", "kit-meta", "kit-results");

    /** The service with MetaKV within the process, so that no other service is needed. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ComponentScan(
            basePackages = "io.millrace.eventing",
            excludeFilters =
                    @ComponentScan.Filter(type = FilterType.REGEX, pattern = ".*(Test|IT)\\$.*|.*EventingApplication"))
    static class Fixture {
        @Bean
        InstantSource clock() {
            return InstantSource.system();
        }

        @Bean
        MetakvClient metakv() {
            return MetakvClient.inMemory();
        }
    }

    private final KitServer server = new KitServer();

    HandlerLanguageIT() throws IOException {}

    @BeforeAll
    void buckets() {
        BUCKETS.forEach(bucket -> documents.catalog().createBucket(bucket, 1).join());
        QueryData.create(documents);
    }

    /** What a run of the same handlers has left would be taken for the results of the next one. */
    private void bucketsAgain() {
        Stream.concat(BUCKETS.stream(), QueryData.BUCKETS.stream())
                .forEach(bucket -> documents.catalog().dropBucket(bucket).join());
        buckets();
    }

    @AfterAll
    void close() {
        server.close();
    }

    /**
     * The handlers of one language are deployed as one function for each isolation, at the first question for a result.
     */
    @TestFactory
    Stream<DynamicContainer> handlers() {
        Map<String, List<KitFile>> byLanguage = FILES.stream()
                .map(KitFile::read)
                .collect(Collectors.groupingBy(KitFile::language, TreeMap::new, Collectors.toList()));
        return byLanguage.entrySet().stream()
                .flatMap(entry -> Stream.of("shared", "process")
                        .map(isolation -> new KitRun(entry.getKey(), isolation, entry.getValue())))
                .map(run -> DynamicContainer.dynamicContainer(
                        "language %s, isolation %s".formatted(run.language, run.isolation),
                        Stream.concat(
                                run.cases.stream()
                                        .map(one ->
                                                DynamicTest.dynamicTest(one.name(), () -> check(one, run.result(one)))),
                                Stream.of(DynamicTest.dynamicTest("undeploys", run::end)))));
    }

    private final class KitRun {
        private final String language;
        private final String isolation;
        private final List<KitFile.Case> cases;
        private final String function;
        private boolean started;
        private boolean running;

        KitRun(String language, String isolation, List<KitFile> files) {
            this.language = language;
            this.isolation = isolation;
            this.cases = files.stream().flatMap(file -> file.cases().stream()).toList();
            this.function = "kit-" + language.replace('.', '-');
        }

        JsonNode result(KitFile.Case one) {
            if (!started) {
                started = true;
                bucketsAgain();
                Map<String, Object> settings = Map.of("language_compatibility", language, "isolation", isolation);
                deploy(function, definition(function, KitFile.handler(cases), settings));
                cases.forEach(each -> put(function + "/" + each.name(), each.document()));
                running = true;
            }
            assertThat(running).as("deployed").isTrue();
            return JSON.readTree(
                    awaitDocument("kit-results", function + "/" + one.name()).body());
        }

        void end() {
            undeploy(function);
        }
    }

    private void put(String id, String document) {
        documents.write(KitSource.write(id, document)).join();
    }

    private static void check(KitFile.Case one, JsonNode result) {
        String expected = one.expected().getFirst();
        if (expected.startsWith("throws ")) {
            String[] parts = expected.substring("throws ".length()).split(": ", 2);
            assertThat(result.path("error").asString("")).as(result.toString()).isEqualTo(parts[0]);
            if (parts.length == 2) {
                assertThat(result.path("message").asString("")).contains(parts[1]);
            }
        } else if (expected.equals("undefined")) {
            assertThat(result.has("nothing")).as(result.toString()).isTrue();
        } else {
            assertThat(result.path("value")).as(result.toString()).isEqualTo(JSON.readTree(expected));
        }
    }

    @TestFactory
    Stream<DynamicTest> validation() {
        return Stream.of("validation.txt", "validation-5.0.0.txt")
                .map(KitFile::read)
                .flatMap(file -> file.cases().stream().map(one -> validation(one, file.language())));
    }

    private DynamicTest validation(KitFile.Case one, String language) {
        return DynamicTest.dynamicTest(one.name(), () -> {
            JsonNode answer = post(
                    "/api/v1/functions/checked",
                    definition("checked", one.code(), Map.of("language_compatibility", language))
                            .toString());
            if (one.expected().isEmpty()) {
                assertThat(answer.path("code").asInt(-1)).as(answer.toString()).isZero();
                return;
            }
            assertThat(answer.path("name").asString("")).as(answer.toString()).isEqualTo("ERR_HANDLER_COMPILATION");
            JsonNode errors = answer.at("/description/errors");
            assertThat(errors.size())
                    .as(answer.toString())
                    .isEqualTo(one.expected().size());
            for (int i = 0; i < errors.size(); i++) {
                String[] place = one.expected().get(i).split(" ", 2);
                JsonNode error = errors.get(i);
                assertThat(error.path("line_number").asInt() + ":"
                                + error.path("column_number").asInt())
                        .as(answer.toString())
                        .isEqualTo(place[0]);
                assertThat(error.path("description").asString()).contains(place[1]);
            }
        });
    }

    @Test
    void onDeploy_runsOnceBeforeAnyMutation() {
        put("before-deploy", "{}");
        deploy("deploys", definition("deploys", """
            function OnUpdate(doc, meta) {
              if (meta.id === 'before-deploy') { results['after-deploy'] = results.deployed; }
            }
            function OnDeploy(action) {
              var before = couchbase.increment(results, {id: 'deployments'});
              results.deployed = {reason: action.reason, delay: action.delay, count: before.doc.count};
            }
            """, Map.of()));

        assertThat(JSON.readTree(awaitDocument("kit-results", "after-deploy").body()))
                .isEqualTo(JSON.readTree("{\"reason\": \"Deploy\", \"delay\": 0, \"count\": 1}"));
        post("/api/v1/functions/deploys/pause", "");
        awaitStatus("deploys", "paused");
        post("/api/v1/functions/deploys/resume", "");
        awaitStatus("deploys", "deployed");
        JsonNode resumed =
                JSON.readTree(awaitDocument("kit-results", "deployed").body());
        assertThat(resumed.get("reason").asString()).isEqualTo("Resume");
        assertThat(resumed.get("delay").asLong())
                .as("milliseconds since the pause")
                .isPositive();
        assertThat(resumed.get("count").asInt()).isEqualTo(2);
        undeploy("deploys");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        refuses | throw new Error('not today'); | not today
        lingers | for (;;) {}                   | it ran longer than 1000 ms
        """)
    void onDeployThatFails_leavesTheFunctionUndeployed(String name, String body, String reason) {
        ObjectNode definition = definition(name, """
            function OnUpdate(doc, meta) {}
            function OnDeploy(action) {
              %s
            }
            """.formatted(body), Map.of("on_deploy_timeout", 1));
        post("/api/v1/functions/" + name, definition.toString());
        post("/api/v1/functions/" + name + "/deploy", "");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(text("/getAppLog?name=" + name)).contains(reason));
        awaitStatus(name, "undeployed");
    }

    @Test
    void failures_areCountedAndLoggedWithTheirPlace() {
        deploy("fails", definition("fails", """
            function OnUpdate(doc, meta) {
              if (meta.id === 'bad-one') {
                log('about to fail', doc);
                throw new EventingError('on purpose');
              }
            }
            function OnDelete(meta, options) {
              results['deleted ' + meta.id] = options;
            }
            """, Map.of()));
        put("bad-one", "{\"k\":1}");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(statistic("fails", "execution_stats", "on_update_failure"))
                        .isEqualTo(1));
        documents
                .write(Write.remove(new DocumentKey(Keyspace.of("kit-src"), "bad-one")))
                .join();

        assertThat(JSON.readTree(awaitDocument("kit-results", "deleted bad-one").body()))
                .isEqualTo(JSON.readTree("{\"expired\": false}"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(text("/getAppLog?name=fails"))
                        .contains("about to fail", "{\"k\":1}", "'bad-one'", "line 4, column 11", "on purpose"));
        Write late = KitSource.write("late-one", "{}");
        documents
                .write(late.withExpiry(Expiry.at(Instant.now().plusSeconds(1))))
                .join();
        assertThat(JSON.readTree(
                        awaitDocument("kit-results", "deleted late-one").body()))
                .isEqualTo(JSON.readTree("{\"expired\": true}"));
        undeploy("fails");
    }

    /** What the handler does is what is counted, under the names of the reference. */
    @Test
    void whatAHandlerDoes_isCounted() {
        deploy("counts", definition("counts", """
            function OnUpdate(doc, meta) {
              if (meta.id !== 'counted-one') { return; }
              const at = new Date(Date.now() + 1e9);
              for (const act of [
                  () => dst[''],
                  () => couchbase.replace(dst, {id: 'k', cas: '1'}, couchbase.upsert(dst, {id: 'k'}, 1)),
                  () => couchbase.get(dst, {id: 'k'}, {cache: true}),
                  () => { dst.w = 1; delete dst.w; },
                  () => N1QL('SELECT 1 AS one').close(),
                  () => N1QL('SELEC 1'),
                  () => couchbase.analyticsQuery('SELEC 1'),
                  () => couchbase.searchQuery('index', {}),
                  () => createTimer(OnUpdate, at, null, 'x'.repeat(2000)),
                  () => cancelTimer(OnUpdate, createTimer(OnUpdate, at, null)),
                  () => curl('GET', api, {path: '/text'}),
                  () => curl('GET', api, {path: '/missing'}),
                  () => curl('POST', nowhere),
                  () => curl('GET', api, {path: '/slow', timeout: 1})]) {
                try { act(); } catch (e) { log(e.name); }
              }
            }
            """, Map.of()));
        put("counted-one", "{}");

        Map<String, Integer> failures = Map.ofEntries(
                Map.entry("bucket_op_exception_count", 1),
                Map.entry("bkt_ops_cas_mismatch_count", 1),
                Map.entry("bucket_op_cache_miss_count", 1),
                Map.entry("n1ql_op_exception_count", 1),
                Map.entry("analytics_op_exception_count", 1),
                Map.entry("search_op_exception_count", 1),
                Map.entry("timer_context_size_exceeded_counter", 1),
                Map.entry("curl_non_200_response", 1),
                Map.entry("curl_failure_count", 2),
                Map.entry("curl_timeout_count", 1));
        Map<String, Integer> done = Map.of(
                "timer_create_counter",
                1,
                "timer_create_failure",
                1,
                "timer_cancel_counter",
                1,
                "curl_success_count",
                2,
                "bucket_write_count",
                2,
                "bucket_delete_count",
                1,
                "statement_count",
                1);
        await().atMost(PATIENCE).untilAsserted(() -> {
            failures.forEach((name, count) -> assertThat(statistic("counts", "failure_stats", name))
                    .as(name)
                    .isEqualTo((long) count));
            done.forEach((name, count) -> assertThat(statistic("counts", "execution_stats", name))
                    .as(name)
                    .isEqualTo((long) count));
        });
        undeploy("counts");
    }

    @Test
    void changesThatFail_areTriedAgainKeptReplayedAndTriedWithADraft() {
        String code = """
            function OnUpdate(doc, meta) {
              if (!meta.id.startsWith('flaky-')) { return; }
              if (couchbase.increment(results, {id: 'tries ' + meta.id}).doc.count < doc.works) {
                throw new EventingError('not yet ' + doc.works);
              }
              results['worked ' + meta.id] = doc;
            }
            """;
        deploy("flaky", definition("flaky", code, Map.of("retries", 2, "retry_pause", 10)));
        put("flaky-1", "{\"works\":3}");
        put("flaky-2", "{\"works\":4}");
        put("flaky-3", "{\"works\":99}");

        awaitDocument("kit-results", "worked flaky-1");
        String letters = "/api/v1/functions/flaky/dead-letters";
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(JSON.readTree(text(letters)).get("dead_letters"))
                        .hasSize(2));
        for (JsonNode letter : JSON.readTree(text(letters)).get("dead_letters")) {
            assertThat(letter.get("attempts").asInt()).isEqualTo(3);
            assertThat(letter.get("line").asInt()).isEqualTo(4);
            assertThat(letter.get("column").asInt()).isPositive();
            assertThat(letter.get("error").asString()).contains("not yet");
            String name = letter.get("letter").asString();
            assertThat(JSON.readTree(text(letters + "/" + name)).get("stack").asString())
                    .contains("OnUpdate");
            if (letter.get("id").asString().equals("flaky-2")) {
                post(letters + "/" + name + "/replay", "");
            } else {
                String draft = code.replace("doc.works)", "7 && doc.works < 99)");
                JsonNode answer = post(
                        letters + "/" + name + "/replay",
                        JSON.createObjectNode().put("code", draft).toString());
                assertThat(answer.at("/info/result").asString(""))
                        .as(answer.toString())
                        .isEqualTo("success");
            }
        }
        awaitDocument("kit-results", "worked flaky-2");
        awaitDocument("kit-results", "worked flaky-3");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                JSON.readTree(text(letters)).get("total").asInt())
                        .isZero());
        undeploy("flaky");
    }

    @Test
    void dryRun_showsWhatADraftWouldDoAndChangesNothing() {
        deploy("dry", definition("dry", "function OnUpdate(doc, meta) { results['dry ' + meta.id] = doc; }", Map.of()));
        put("dry-1", "{\"n\":1}");
        awaitDocument("kit-results", "dry dry-1");
        String draft = "function OnUpdate(doc, meta) { delete results['dry ' + meta.id]; log(doc.n); }";

        JsonNode request = JSON.createObjectNode()
                .put("code", draft)
                .set("document", JSON.createObjectNode().put("id", "dry-1"));
        JsonNode effects =
                post("/api/v1/functions/dry/dry-run", request.toString()).at("/invocations/0/effects");

        assertThat(effects.path(0).path("kind").asString()).isEqualTo("delete");
        assertThat(effects.path(1).path("text").asString()).isEqualTo("1");
        assertThat(awaitDocument("kit-results", "dry dry-1").live()).isTrue();
        undeploy("dry");
    }

    @Test
    void statementsThatChangeTheSource_areNotSeenByTheirFunction() {
        deploy("own-statements", definition("own-statements", """
            function OnUpdate(doc, meta) {
              if (meta.id === 'counted') {
                var id = meta.id;
                UPDATE `kit-src` USE KEYS $id SET n = n + 1;
              }
            }
            """, Map.of()));
        put("counted", "{\"n\":1}");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(statistic(
                                "own-statements", "event_processing_stats", "dcp_mutation_suppressed_counter"))
                        .isPositive());
        assertThat(JSON.readTree(awaitDocument("kit-src", "counted").body())).isEqualTo(JSON.readTree("{\"n\": 2}"));
        undeploy("own-statements");
    }

    @Test
    void insight_countsCallsAndErrorsByLine() {
        deploy("watched", definition("watched", """
            function OnUpdate(doc, meta) {
              if (meta.id !== 'watched-one') { return; }
              dst.watched = 1;
              log('seen', doc.k);
              throw new EventingError('on line 5');
            }
            """, Map.of()));
        put("watched-one", "{\"k\":7}");

        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode lines = JSON.readTree(text("/getInsight?name=watched")).at("/watched/lines");
            assertThat(lines.at("/3/call_count").asInt()).as(lines.toString()).isEqualTo(1);
            assertThat(lines.at("/4/last_log").asString("")).isEqualTo("\"seen\" 7");
            assertThat(lines.at("/5/error_count").asInt()).isEqualTo(1);
            assertThat(lines.at("/5/error_msg").asString("")).contains("on line 5");
        });
        assertThat(text("/getInsight?name=watched&udmark=true")).contains("<ud>");
        undeploy("watched");
    }

    private ObjectNode definition(String name, String code, Map<String, Object> settings) {
        return KitDefinition.of(name, code, settings, server.url());
    }
}
