package io.millrace.subdocservice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.access.Subject;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.sandbox.SharedEngine;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.traces.TraceSampler;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The log line of statements that take long. */
@ExtendWith(OutputCaptureExtension.class)
class SlowStatementLogTest {

    private static void run(long slowMillis, String statement) {
        FollowedWork work = new FollowedWork(new HttpTraces(
                new WriteTraces(new TraceSampler(0, 100, System::nanoTime), spans -> {}),
                request -> Subject.anonymous(),
                "query"));
        try (JavaScriptFunctions functions =
                new JavaScriptFunctions(new SharedEngine(), QueryLimits.FUNCTION_TIMEOUT)) {
            QueryEngine engine = new QueryConfiguration()
                    .queryEngine(
                            new MemoryDocumentStore(InstantSource.system()),
                            work,
                            ReadRoom.UNLIMITED,
                            InstantSource.system(),
                            functions,
                            ServiceCatalog.NONE,
                            slowMillis);
            try (Rows rows = engine.execute(statement, QueryOptions.DEFAULT)) {
                while (rows.next() != null) {
                    rows.count();
                }
            }
        }
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains("event=statement_slow"))
                .toList();
    }

    @Test
    void statementOfTheThresholdOrMore_isLogged(CapturedOutput output) {
        run(0, "SELECT a FROM [1, 2] AS a");

        assertThat(lines(output))
                .singleElement()
                .asString()
                .containsPattern(
                        "event=statement_slow request=[0-9a-f-]{36} elapsed_ms=\\d+ rows=2 state=completed user=\\S*"
                                + " statement=\"SELECT a FROM \\[1, 2] AS a\"");
    }

    @Test
    void statementThatFails_isLoggedWithItsState(CapturedOutput output) {
        assertThatThrownBy(() -> run(0, "SELECT $unknown")).isInstanceOf(QueryException.class);

        assertThat(lines(output)).singleElement().asString().contains("rows=0 state=errors");
    }

    @Test
    void longStatement_isLoggedWithItsBeginning(CapturedOutput output) {
        String text = "x".repeat(QueryLimits.LOGGED_CHARACTERS);

        run(0, "SELECT '" + text + "'");

        assertThat(lines(output))
                .singleElement()
                .asString()
                .endsWith("statement=\"SELECT '" + text.substring(0, QueryLimits.LOGGED_CHARACTERS - 8) + "\"");
    }

    @Test
    void fasterStatement_isNotLogged(CapturedOutput output) {
        run(60_000, "SELECT 1");

        assertThat(lines(output)).isEmpty();
    }
}
