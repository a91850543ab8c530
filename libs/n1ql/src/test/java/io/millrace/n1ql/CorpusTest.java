package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.CorpusFile.Case;
import io.millrace.n1ql.CorpusFile.Row;
import io.millrace.n1ql.CorpusFile.Step;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the statements of {@code corpus}, one file for each feature of the language. */
class CorpusTest {

    private static final List<String> FILES = List.of(
            "where",
            "paths_and_collections",
            "projection_and_order",
            "grouping",
            "windows",
            "joins",
            "subqueries",
            "recursion",
            "functions",
            "changes",
            "indexes",
            "errors",
            "prepared",
            "applications");
    private static final List<String> KEYSPACES = List.of("bike", "shop", "rental");

    @TestFactory
    Stream<DynamicTest> everyCase_returnsItsRows() {
        return FILES.stream()
                .flatMap(file -> CorpusFile.parse(resource(file + ".n1ql")).cases().stream()
                        .map(one -> DynamicTest.dynamicTest(file + ": " + one.title(), () -> run(one))));
    }

    @Test
    void files_areAllRun() throws IOException, URISyntaxException {
        Path corpus = Path.of(
                Objects.requireNonNull(CorpusTest.class.getResource("corpus")).toURI());

        try (Stream<Path> files = Files.list(corpus)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".n1ql")))
                    .containsExactlyInAnyOrderElementsOf(
                            FILES.stream().map(file -> file + ".n1ql").toList());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT RAW 1          |                | 1 rows instead of 0",
                "SELECT RAW 1          | -> 2           | row 0 is 1",
                "SELECT RAW 1          | -> 1,-> 1      | 1 rows instead of 2",
                "SELECT RAW 1          | !! 3000        | 1 rows instead of error 3000",
                "SELEC                 | -> 1           | error 3000",
                "SELECT RAW 'ab'       | -> lacks \"ab\" | row 0 is \"ab\"",
                "SELECT RAW v FROM [2, 1] AS v ORDER BY v | -> 2,-> 1 | row 0 is 1",
            })
    void mismatch_isFound(String statement, String marks, String mismatch) {
        String text = "== t\n" + statement + "\n" + (marks == null ? "" : marks.replace(",", "\n"));
        Step step = CorpusFile.parse(text).cases().getFirst().steps().getFirst();

        assertThat(mismatch(new QueryTester(), step)).startsWith(mismatch);
    }

    private static void run(Case given) {
        QueryTester tester = new QueryTester();
        for (String keyspace : KEYSPACES) {
            List<String> documents = new ArrayList<>();
            resource("data/" + keyspace + ".jsonl").lines().forEach(line -> {
                ObjectValue document = (ObjectValue) CorpusFile.value(line);
                documents.add(text(document.get("key")));
                documents.add(document.get("body").toJson());
            });
            tester.keyspace(keyspace, documents.toArray(String[]::new));
        }
        for (Step step : given.steps()) {
            assertThat(mismatch(tester, step)).as(step.statement()).isEmpty();
        }
    }

    private static String text(Value value) {
        return ((StringValue) value).text();
    }

    /** Returns how the rows of a statement differ from those that are expected; empty when they do not. */
    private static String mismatch(QueryTester tester, Step step) {
        List<String> rows;
        try {
            rows = tester.rows(step.statement(), QueryOptions.DEFAULT.withNamed(step.parameters()));
        } catch (QueryException e) {
            return e.code() == step.error() ? "" : "error " + e.code() + " " + e.getMessage();
        }
        if (step.error() != 0) {
            return rows.size() + " rows instead of error " + step.error();
        }
        if (rows.size() != step.rows().size()) {
            return rows.size() + " rows instead of " + step.rows().size() + ": " + rows;
        }
        List<String> left = new ArrayList<>(rows);
        for (int i = 0; i < rows.size(); i++) {
            Row row = step.rows().get(i);
            int at = 0;
            while (at < left.size() && !row.matches(left.get(at))) {
                at++;
            }
            if (at == left.size() || step.ordered() && at > 0) {
                return "row " + i + " is " + rows.get(i) + ", not " + row.text() + "; all rows: " + rows;
            }
            left.remove(at);
        }
        return "";
    }

    private static String resource(String name) {
        try (InputStream in = CorpusTest.class.getResourceAsStream("corpus/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }
}
