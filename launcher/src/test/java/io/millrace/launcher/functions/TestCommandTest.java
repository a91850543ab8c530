package io.millrace.launcher.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.Template;
import io.millrace.functionfiles.Templates;
import io.millrace.launcher.functions.FunctionCommands.Trials;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.json.JsonMapper;

/** {@code fn test} and {@code fn run} with results that are given. */
class TestCommandTest {

    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final ByteArrayOutputStream talk = new ByteArrayOutputStream();
    private final List<String> asked = new ArrayList<>();

    @TempDir
    private Path home;

    private int fn(List<String> results, String... arguments) {
        PrintStream err = new PrintStream(talk, true, StandardCharsets.UTF_8);
        Trials trials = (what, input, consumer) -> {
            asked.addAll(what);
            asked.add(input);
            results.forEach(result -> consumer.accept(JsonMapper.shared().readTree(result)));
        };
        CommandLine line = FunctionCommands.of(new FunctionCommands.Cli(
                () -> {
                    throw new AssertionError("There is no suite");
                },
                trials,
                new PrintStream(data, true, StandardCharsets.UTF_8),
                err,
                Ansi.OFF));
        line.setExecutionExceptionHandler((failure, command, result) -> {
            err.println(failure.getMessage());
            return 1;
        });
        return line.execute(arguments);
    }

    private String data() {
        return data.toString(StandardCharsets.UTF_8);
    }

    private Path function() {
        Template template = Templates.find("enrich").orElseThrow();
        return FunctionDirectory.create(home.resolve("f"), template.code(), template.definition(), template.tests())
                .path();
    }

    @Test
    void directoryThatDoesNotExist_isSaid() {
        Path absent = home.resolve("absent");

        assertThat(fn(List.of(), "test", absent.toString())).isEqualTo(1);

        assertThat(talk.toString(StandardCharsets.UTF_8)).isEqualTo(absent + " is not a directory\n");
    }

    @Test
    void testAll_withoutAFunction_isNoSuccess() {
        assertThat(fn(List.of(), "test", "--all", home.toString())).isEqualTo(1);

        assertThat(talk.toString(StandardCharsets.UTF_8))
                .isEqualTo("No directory below " + home + " has a function.json, so there is nothing to test.\n");
    }

    @Test
    void test_whenAllPass_endsWithZero() {
        String passed = "{\"function\": \"f\", \"file\": \"a.json\", \"name\": \"adds\", \"passed\": true}";

        int status = fn(List.of(passed), "test", function().toString());

        assertThat(status).isZero();
        assertThat(asked).containsExactly("test", home.resolve("f").toString(), "");
        assertThat(data()).contains("ok    adds", "1 test, all passed");
    }

    @Test
    void test_whenOneFails_saysWhyAndEndsWithOne() {
        String failed = "{\"function\": \"f\", \"file\": \"a.json\", \"name\": \"adds\", \"passed\": false,"
                + " \"failures\": [\"total: expected 3, but it is 4\"]}";

        int status = fn(List.of(failed), "test", function().toString());

        assertThat(status).isEqualTo(1);
        assertThat(data()).contains("FAIL  adds", "total: expected 3, but it is 4", "1 test, 1 failed");
    }

    @Test
    void test_withAMistakeInTheCode_failsWithItsPlace() {
        String mistake = "{\"function\": \"f\", \"file\": \"handler.js\", \"mistake\": \"Expected ;\", \"line\": 4,"
                + " \"column\": 2}";

        int status = fn(List.of(mistake), "test", function().toString());

        assertThat(status).isEqualTo(1);
        assertThat(data()).contains("error handler.js:4:2: Expected ;");
    }

    @Test
    void test_ofAFunctionWithoutTests_saysHowToAddOne() throws IOException {
        Path function = function();
        Files.delete(function.resolve("tests/handler.json"));

        int status = fn(List.of(), "test", function.toString());

        assertThat(status).isEqualTo(1);
        assertThat(talk.toString(StandardCharsets.UTF_8)).contains("has no tests; add a file");
    }

    @Test
    void junit_isXmlWithFailuresAndErrors() throws Exception {
        List<String> results = List.of(
                "{\"function\": \"f\", \"file\": \"a.json\", \"name\": \"1 < 2\", \"passed\": true, \"millis\": 1234}",
                "{\"function\": \"f\", \"file\": \"a.json\", \"name\": \"b\", \"passed\": false,"
                        + " \"failures\": [\"bell \\u0007 & more\"]}",
                "{\"function\": \"g\", \"file\": \"handler.js\", \"mistake\": \"Expected ;\", \"line\": 4, \"column\": 2}");
        Path file = home.resolve("out/report.xml");

        fn(results, "test", function().toString(), "--junit", file.toString());

        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        Element first = (Element) root.getElementsByTagName("testsuite").item(0);
        assertThat(first.getAttribute("tests")).isEqualTo("2");
        assertThat(first.getAttribute("failures")).isEqualTo("1");
        Element passed = (Element) first.getElementsByTagName("testcase").item(0);
        assertThat(passed.getAttribute("name")).isEqualTo("1 < 2");
        assertThat(passed.getAttribute("time")).isEqualTo("1.234");
        assertThat(root.getElementsByTagName("failure").item(0).getTextContent())
                .isEqualTo("bell ? & more");
        assertThat(root.getElementsByTagName("error").item(0).getTextContent()).isEqualTo("handler.js:4:2: Expected ;");
    }

    @Test
    void run_showsWhatTheCodeWouldDo() {
        String invocation = """
                {"entry_point": "OnUpdate", "id": "7", "result": "success", "micros": 1500, "allocated_bytes": 2048,
                 "effects": [
                  {"kind": "write", "bucket": "totals", "scope": "_default", "collection": "_default", "id": "7",
                   "before": {"total": 1, "same": 2}, "after": {"total": 3, "same": 2}},
                  {"kind": "delete", "bucket": "b", "scope": "s", "collection": "c", "id": "8"},
                  {"kind": "timer", "callback": "later", "reference": "r", "due": "2026-01-01T00:00:00Z"},
                  {"kind": "request", "method": "POST", "binding": "hook", "url": "http://h", "path": "/x",
                   "body": {"a": 1}, "status": 200, "assumed": true},
                  {"kind": "statement", "text": "SELECT 1"},
                  {"kind": "log", "level": "INFO", "text": "done"}]}""";

        int status = fn(List.of(invocation), "run", function().toString(), "--id", "7", "--document", "{\"n\": 1}");

        assertThat(status).isZero();
        assertThat(asked.getLast()).contains("{\"update\":{\"id\":\"7\",\"document\":{\"n\":1}}}");
        assertThat(data().lines().map(String::stripTrailing))
                .containsExactly(
                        "OnUpdate of '7': success, 1.5 ms, 2 KiB allocated",
                        "  write     totals / 7",
                        "            - total: 1",
                        "            + total: 3",
                        "  delete    b.s.c / 8",
                        "  timer     later 'r' due 2026-01-01T00:00:00Z, context undefined",
                        "  request   POST http://h/x -> 200 (assumed; not sent)",
                        "            {\"a\":1}",
                        "  statement SELECT 1",
                        "  log       INFO done");
    }

    @Test
    void run_withAnOptionOfDryRuns_saysSo() {
        assertThat(fn(List.of(), "run", function().toString(), "--last", "10")).isEqualTo(1);
        assertThat(talk.toString(StandardCharsets.UTF_8)).contains("work with --dry only");
    }

    @Test
    void run_ofAStep_sendsItInPlaceOfTheChange() {
        String message = "{\"message\":{\"content\":1}}";

        int status = fn(List.of(), "run", function().toString(), "--step", message, "--advance", "1h");

        assertThat(status).isZero();
        assertThat(asked.getLast()).contains("[" + message + ",{\"advance\":\"1h\"}]");
    }

    @ParameterizedTest
    @CsvSource({"--delete,takes the place of", "--dry,works with a directory only"})
    void run_ofAStep_withAnOptionOfChanges_saysSo(String option, String text) {
        int status = fn(List.of(), "run", function().toString(), "--step", "{\"advance\":\"1h\"}", option);

        assertThat(status).isEqualTo(1);
        assertThat(talk.toString(StandardCharsets.UTF_8)).contains(text);
    }

    @Test
    void run_whenTheCodeFails_endsWithOne() {
        String invocation =
                "{\"entry_point\": \"OnUpdate\", \"id\": \"1\", \"result\": \"threw\", \"error\": \"TypeError\","
                        + " \"line\": 3, \"column\": 5, \"effects\": []}";

        int status = fn(List.of(invocation), "run", function().toString());

        assertThat(status).isEqualTo(1);
        assertThat(data()).contains("error     handler.js:3:5: TypeError");
    }
}
