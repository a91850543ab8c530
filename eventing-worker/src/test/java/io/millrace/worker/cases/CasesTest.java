package io.millrace.worker.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.Template;
import io.millrace.functionfiles.Templates;
import io.millrace.handler.HandlerEngine;
import io.millrace.worker.bindings.QueryBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class CasesTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});

    @TempDir
    private Path home;

    @BeforeAll
    static void engineIsWarm() {
        assertThat(ENGINE.runtime().describe()).isNotEmpty();
    }

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    static List<Template> templates() {
        return Templates.all();
    }

    @ParameterizedTest
    @MethodSource("templates")
    void templates_passTheirTests(Template template) {
        List<JsonNode> results = run(template.code(), template.definition(), template.tests());

        assertThat(results)
                .hasSameSizeAs(template.tests())
                .allSatisfy(result -> assertThat(result.path("passed").asBoolean())
                        .as(result.toString())
                        .isTrue());
    }

    @ParameterizedTest
    @MethodSource("templates")
    void templates_passTheirTestsInTypeScript(Template template) {
        ObjectNode definition = (ObjectNode) template.definition().deepCopy();
        definition.withObject("/settings").put("language", "typescript");

        List<JsonNode> results = run(template.typescript(), definition, template.tests());

        assertThat(template.typescript()).containsPattern("meta: ((Stream)?Event|Message)Meta");
        assertThat(results)
                .hasSameSizeAs(template.tests())
                .allSatisfy(result -> assertThat(result.path("passed").asBoolean())
                        .as(result.toString())
                        .isTrue());
    }

    @Test
    void wrongDocument_isNamedWithBothValues() {
        JsonNode result = single("function OnUpdate(doc, meta) { totals[meta.id] = {total: doc.quantity * 2}; }", """
                {"when": [{"update": {"id": "1", "document": {"quantity": 3}}}],
                 "then": {"documents": {"totals": {"1": {"total": 7}}}}}""");

        assertThat(failures(result)).containsExactly("documents.totals.1.total: expected 7, but it is 6");
    }

    @Test
    void secrets_areThoseThatAreGiven_neverOthers() {
        ObjectNode definition = definition();
        definition.putObject("settings").putObject("secrets").put("API_KEY", "payments");
        String code = "function OnUpdate(doc, meta) { totals[meta.id] = API_KEY; }";
        JsonNode tests = JSON.readTree("""
                [{"when": [{"update": {"id": "1", "document": {}}}],
                  "then": {"documents": {"totals": {"1": "<API_KEY>"}}}},
                 {"given": {"secrets": {"API_KEY": "k\\"1"}}, "when": [{"update": {"id": "1", "document": {}}}],
                  "then": {"documents": {"totals": {"1": "k\\"1"}}}},
                 {"given": {"secrets": {"OTHER": "k"}}, "when": [{"update": {"id": "1", "document": {}}}], "then": {"log": []}}]""");

        List<JsonNode> results = run(code, definition, tests);

        assertThat(results)
                .extracting(result -> result.path("passed").asBoolean())
                .containsExactly(true, true, false);
        assertThat(results.get(2).toString()).contains("'OTHER' is not one of [API_KEY]");
    }

    @Test
    void unexpectedDocument_fails() {
        JsonNode result = single("function OnUpdate(doc, meta) { totals[meta.id] = doc; }", """
                {"when": [{"update": {"id": "1", "document": {}}}], "then": {"documents": {"totals": {}}}}""");

        assertThat(failures(result)).containsExactly("documents.totals.1: expected absent, but it is {}");
    }

    @Test
    void error_failsTheCaseWithItsPlace() {
        JsonNode result = single("function OnUpdate(doc, meta) {\n  doc.a.b = 1;\n}", """
                {"when": [{"update": {"id": "1", "document": {}}}], "then": {"log": []}}""");

        assertThat(failures(result))
                .singleElement()
                .asString()
                .startsWith("OnUpdate of '1' failed at line 2, column ")
                .contains("TypeError");
    }

    @Test
    void expectedError_thatDoesNotCome_fails() {
        JsonNode result = single("function OnUpdate(doc, meta) {}", """
                {"when": [{"update": {"id": "1", "document": {}}}], "then": {"error": "no price"}}""");

        assertThat(failures(result))
                .containsExactly("error: expected an error that contains 'no price', but the code did not fail");
    }

    @Test
    void messages_areCompared() {
        JsonNode definition = JsonMapper.shared().readTree("""
                {"appname": "f", "depcfg": {"source_bucket": "orders", "metadata_bucket": "meta",
                  "topics": [{"value": "paid", "topic": "shop.paid"}]}}""");
        JsonNode cases = JsonMapper.shared().readTree("""
                [{"when": [{"update": {"id": "1", "document": {}}}],
                  "then": {"messages": [{"topic": "shop.paid", "key": "k", "content": {"id": "1"}, "headers": {"a": "b"}},
                                        {"content": "done"}, {"content": {"binary_bytes": 2}}]}},
                 {"when": [{"update": {"id": "1", "document": {}}}], "then": {"messages": []}}]""");

        List<JsonNode> results = run("""
                function OnUpdate(doc, meta) {
                  publish(paid, {id: meta.id}, {key: 'k', headers: {a: 'b'}});
                  publish(paid, 'done');
                  publish(paid, new ArrayBuffer(2));
                }""", definition, cases);

        assertThat(failures(results.getFirst())).isEmpty();
        assertThat(failures(results.getLast()))
                .singleElement()
                .asString()
                .startsWith("messages: expected 0, but there are 3");
    }

    @Test
    void messageThatAWorkerWouldRefuse_isRefused() {
        JsonNode definition = JSON.readTree("""
                {"appname": "f", "depcfg": {"source_bucket": "orders", "metadata_bucket": "meta",
                  "topics": [{"value": "paid", "topic": "shop.paid"}]}}""");
        JsonNode cases = JSON.readTree("""
                [{"when": [{"update": {"id": "1", "document": {}}}], "then": {"messages": [], "error": "more than the limit"}}]""");

        List<JsonNode> results =
                run("function OnUpdate(doc, meta) { publish(paid, 'x'.repeat(1 << 21)); }", definition, cases);

        assertThat(failures(results.getFirst())).isEmpty();
    }

    @Test
    void misspeltMember_fails() {
        JsonNode result = single("function OnUpdate(doc, meta) {}", """
                {"when": [{"update": {"id": "1", "document": {}}}], "then": {"document": {}}}""");

        assertThat(failures(result))
                .containsExactly(
                        "then has no member 'document'; it can have documents, error, log, messages, requests, responses, timers");
    }

    @Test
    void constantsOfEnv_areThoseOfTheDefinition() {
        ObjectNode definition = definition();
        definition.withObject("/settings/env").put("RATE", 1.5).put("WHO", "me");
        JsonNode test = JSON.readTree("""
                {"when": [{"update": {"id": "1", "document": {"n": 2}}}],
                 "then": {"documents": {"totals": {"1": {"n": 3, "by": "me"}}}}}""");

        List<JsonNode> results = run(
                "function OnUpdate(doc, meta) { totals[meta.id] = {n: doc.n * RATE, by: WHO}; }",
                definition,
                JsonNodeFactory.instance.arrayNode().add(test));

        assertThat(failures(results.getFirst())).isEmpty();
    }

    @Test
    void clock_isThatOfTheCaseInCodeTimersAndStatements() {
        String code = """
                function OnUpdate(doc, meta) {
                  createTimer(later, new Date(Date.now() + 60000), meta.id, {at: new Date().toISOString()});
                }
                function later(context) {
                  for (const row of SELECT NOW_UTC('1111-11-11T00:00:00Z') AS now;) {
                    totals.time = {set: context.at, fired: new Date().toISOString(), stated: row.now};
                  }
                }""";

        JsonNode result = single(code, """
                {"given": {"now": "2030-05-01T10:00:00Z"},
                 "when": [{"update": {"id": "1", "document": {}}}, {"advance": "1h"}],
                 "then": {"timers": [], "documents": {"totals": {"time":
                   {"set": "2030-05-01T10:00:00.000Z", "fired": "2030-05-01T10:01:00.000Z", "stated": "2030-05-01T10:01:00Z"}}}}}""");

        assertThat(failures(result)).isEmpty();
    }

    @Test
    void statements_runOnTheGivenDocumentsAndOnWhatTheCodeWrote() {
        String code = """
                function OnUpdate(doc, meta) {
                  totals[meta.id] = {n: 5};
                  for (const row of SELECT SUM(t.n) AS sum FROM totals AS t;) { totals.sum = row; }
                  UPDATE totals SET n = 100 WHERE n = 2;
                }""";

        JsonNode result = single(code, """
                {"given": {"documents": {"totals": {"a": {"n": 1}, "b": {"n": 2}}}},
                 "when": [{"update": {"id": "c", "document": {}}}],
                 "then": {"documents": {"totals": {"a": {"n": 1}, "b": {"n": 100}, "c": {"n": 5}, "sum": {"sum": 8}}}}}""");

        assertThat(failures(result)).isEmpty();
    }

    @Test
    void statement_isShownWithItsPlan() {
        String code = "function OnUpdate(doc, meta) {\n"
                + "  const id = meta.id; UPDATE totals USE KEYS $id SET n = 1;\n  N1QL('SELECT 1 AS n').close();\n}";

        JsonNode result = single(code, """
                {"when": [{"update": {"id": "1", "document": {}}}], "then": {"documents": {"totals": {}}}}""");

        assertThat(failures(result)).isEmpty();
        JsonNode effects = result.at("/invocations/0/effects");
        assertThat(effects.path(0).path("plan").toString())
                .startsWith("{\"#operator\":")
                .contains("KeyScan", "totals");
        assertThat(effects.path(1).path("plan").has("#operator")).isTrue();
    }

    @Test
    void rows_areGivenInPlaceOfTheAnswerOfAStatement() {
        String code = "function OnUpdate(doc, meta) {\n"
                + "  for (const row of SELECT a FROM elsewhere;) { totals[row.a] = row; }\n}";

        JsonNode result = single(code, """
                {"given": {"rows": [{"matching": "FROM elsewhere", "rows": [{"a": "x"}]}]},
                 "when": [{"update": {"id": "1", "document": {}}}], "then": {"documents": {"totals": {"x": {"a": "x"}}}}}""");

        assertThat(failures(result)).isEmpty();
    }

    @Test
    void librariesOfTheDirectory_canBeImported() {
        String code = "import {twice} from 'math@1';\nfunction OnUpdate(doc, meta) { totals[meta.id] = twice(doc.n); }";
        JsonNode tests = JSON.readTree("""
                [{"when": [{"update": {"id": "1", "document": {"n": 2}}}], "then": {"documents": {"totals": {"1": 4}}}}]""");
        new FunctionDirectory(home.resolve("g")).writeLibraries(Map.of("math@1", "export const twice = n => 2 * n;"));
        new FunctionDirectory(home.resolve("h")).writeLibraries(Map.of("math@1", "export const = n;"));

        assertThat(run("g", code, definition(), tests))
                .singleElement()
                .satisfies(result -> assertThat(failures(result)).isEmpty());
        assertThat(run("h", code, definition(), tests))
                .singleElement()
                .satisfies(
                        result -> assertThat(result.path("mistake").asString()).contains("math@1", ":1:14"));
        assertThat(run("i", code, definition(), tests))
                .singleElement()
                .satisfies(result ->
                        assertThat(result.path("mistake").asString()).isEqualTo("There is no library math@1"));
    }

    @Test
    void codeThatDoesNotCompile_isAMistakeWithItsPlace() {
        List<JsonNode> results = run("function OnUpdate(doc, meta) {\n  let = ;\n}", definition(), JSON.readTree("""
                [{"when": [], "then": {"log": []}}]"""));

        assertThat(results)
                .singleElement()
                .satisfies(mistake -> assertThat(mistake.path("line").asInt()).isEqualTo(2));
    }

    private static List<String> failures(JsonNode result) {
        assertThat(result.path("mistake").asString("")).isEmpty();
        return result.path("failures").valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void module_computesCases_alsoWithALibrary() throws IOException {
        FunctionDirectory directory = directoryWithModule("""
                import {twice} from 'math@1';
                export default [1, 2, 3].map((quantity) => ({
                  name: `${quantity} of them`,
                  when: [{update: {id: 'a', document: {quantity}}}],
                  then: {documents: {totals: {a: {total: quantity === 3 ? 7 : twice(quantity)}}}},
                }));
                """);
        directory.writeLibraries(Map.of("math@1", "export function twice(n) { return 2 * n; }"));

        List<JsonNode> results = run(directory);

        assertThat(results)
                .extracting(result -> result.path("name").asString())
                .containsExactly("1 of them", "2 of them", "3 of them");
        assertThat(results)
                .extracting(result -> result.path("passed").asBoolean())
                .containsExactly(true, true, false);
        assertThat(results.getFirst().path("file").asString()).isEqualTo("table.js");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            const a = 1;                                      | default export                 | 0
            export default [].missing.length;                 | undefined                      | 1
            const a = 1;;export default [{];                  | Expected                       | 1
            export default Array.of(Java.type('x.Y'));        | Java is not defined            | 1
            import {a} from 'other@1';;export default [a];    | other@1                        | 0
            export default () => 1;                           | value of JSON                  | 0
            while (true) {}                                   | longer than 10 s               | 0
            """)
    void moduleWithAMistake_isNamedWithItsPlace(String code, String message, int line) throws IOException {
        List<JsonNode> results = run(directoryWithModule(code));

        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.path("file").asString()).isEqualTo("table.js");
            assertThat(result.path("mistake").asString()).contains(message);
            assertThat(result.path("line").asInt()).isEqualTo(line);
        });
    }

    private FunctionDirectory directoryWithModule(String module) throws IOException {
        FunctionDirectory directory = FunctionDirectory.create(
                home.resolve("f"),
                "function OnUpdate(doc, meta) { totals[meta.id] = {total: doc.quantity * 2}; }",
                definition(),
                JsonNodeFactory.instance.arrayNode());
        Path tests = Files.createDirectories(directory.path().resolve(FunctionDirectory.TESTS));
        Files.writeString(tests.resolve("table.js"), module);
        return directory;
    }

    private JsonNode single(String code, String test) {
        List<JsonNode> results =
                run(code, definition(), JsonNodeFactory.instance.arrayNode().add(JSON.readTree(test)));
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    private static ObjectNode definition() {
        return (ObjectNode) JSON.readTree("""
                {"appname": "f", "depcfg": {"source_bucket": "orders", "metadata_bucket": "eventing",
                  "buckets": [{"alias": "totals", "bucket_name": "totals", "access": "rw"}]}}""");
    }

    /** Runs the program on a directory and returns its lines. */
    private List<JsonNode> run(String code, JsonNode definition, JsonNode tests) {
        return run(FunctionDirectory.create(home.resolve("f"), code, definition, tests));
    }

    private List<JsonNode> run(String name, String code, JsonNode definition, JsonNode tests) {
        FunctionDirectory created = FunctionDirectory.create(home.resolve(name + "-new"), code, definition, tests);
        created.writeLibraries(new FunctionDirectory(home.resolve(name)).libraries());
        return run(created);
    }

    private List<JsonNode> run(FunctionDirectory directory) {
        return CaseLines.of(ENGINE, directory);
    }
}
