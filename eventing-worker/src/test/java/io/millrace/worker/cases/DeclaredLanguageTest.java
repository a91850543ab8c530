package io.millrace.worker.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.Types;
import io.millrace.handler.HandlerEngine;
import io.millrace.worker.bindings.QueryBinding;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** The declarations, from which editors and the console complete code, name what handlers have, and nothing else. */
class DeclaredLanguageTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HandlerEngine ENGINE = HandlerEngine.start(QueryBinding::read, why -> {});
    private static final String DECLARED = Types.declaration(JsonNodeFactory.instance.objectNode());

    private static final String COMPARE = """
            function same(what, object, declared, optional = []) {
              const there = Reflect.ownKeys(object).filter((name) => typeof name === 'string');
              const more = there.filter((name) => !declared.includes(name));
              const less = declared.filter((name) => !there.includes(name) && !optional.includes(name));
              if (more.length + less.length > 0) {
                throw new Error(`${what} has [${more}] that is not declared, and has not [${less}] that is`);
              }
            }
            """;

    @TempDir
    private Path home;

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    @Test
    void globalsAndTheirMembers_areThoseThatAreDeclared() {
        List<String> globals = names("(?m)^declare (?:const|function|class) (\\w+)", DECLARED);
        assertThat(globals).contains("log", "couchbase", "N1qlQuery", "KVError");
        String code = COMPARE
                + """
                function OnUpdate(doc, meta, xattrs, options) {
                  const missing = %s.filter((name) => typeof globalThis[name] === 'undefined');
                  if (missing.length > 0) { throw new Error('declared, but not there: ' + missing); }
                  same('couchbase', couchbase, [...%s, 'n1qlStatement']); // the one that embedded statements become
                  same('MutateInSpec', couchbase.MutateInSpec, %s);
                  same('LookupInSpec', couchbase.LookupInSpec, %s);
                  same('console', console, %s);
                  same('meta', meta, %s, ['docid', 'expiry', 'expiry_date']);
                  same('options', options, %s);
                }
                function OnDelete(meta, options) {
                  same('options', options, %s);
                }
                function OnRequest(request) {
                  same('request', request, %s);
                }
                """.formatted(
                                list(globals),
                                list(membersOf("declare const couchbase: {", "")),
                                list(membersOf("readonly MutateInSpec: {", "  ")),
                                list(membersOf("readonly LookupInSpec: {", "  ")),
                                list(membersOf("declare const console: {", "")),
                                list(membersOf("interface EventMeta {", "")),
                                list(membersOf("interface UpdateOptions {", "")),
                                list(membersOf("interface DeleteOptions {", "")),
                                list(membersOf("interface FunctionRequest {", "")));

        List<JsonNode> results = run("\"source_bucket\": \"orders\"", code, """
                [{"when": [{"update": {"id": "1", "document": {}}}, {"delete": {"id": "1"}},
                           {"request": {"method": "POST", "path": "/a", "body": {"b": 1}}}], "then": {"log": []}}]""");

        assertPassed(results);
    }

    @Test
    void metadataOfAnEvent_isThatWhichIsDeclared() {
        String code = COMPARE + """
                function OnEvent(event, meta) {
                  same('meta', meta, %s);
                }
                """.formatted(list(membersOf("interface StreamEventMeta {", "")));

        List<JsonNode> results = run("\"source_category\": \"Cart\"", code, """
                [{"when": [{"append": {"stream": "Cart-7", "type": "Added", "data": {}, "meta": {"by": "ann"},
                                       "correlationId": "c", "causationId": "d"}}], "then": {"log": []}}]""");

        assertPassed(results);
    }

    private static void assertPassed(List<JsonNode> results) {
        assertThat(results)
                .singleElement()
                .satisfies(result -> assertThat(result.path("passed").asBoolean())
                        .as(result.toString())
                        .isTrue());
    }

    private List<JsonNode> run(String source, String code, String tests) {
        JsonNode definition = JSON.readTree(
                "{\"appname\": \"f\", \"depcfg\": {%s, \"metadata_bucket\": \"meta\"}}".formatted(source));
        return CaseLines.of(
                ENGINE, FunctionDirectory.create(home.resolve("f"), code, definition, JSON.readTree(tests)));
    }

    /** Returns the names that are declared between a line and the one that closes it, which is indented so far. */
    private static List<String> membersOf(String begin, String indent) {
        int from = DECLARED.indexOf(begin);
        assertThat(from).as(begin).isNotNegative();
        String block = DECLARED.substring(from, DECLARED.indexOf("\n" + indent + "}", from));
        return names("(?m)^" + indent + "  (?:readonly )?(\\w+)\\??[(<:]", block);
    }

    private static List<String> names(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String list(List<String> names) {
        assertThat(names).isNotEmpty();
        return JSON.writeValueAsString(names);
    }
}
