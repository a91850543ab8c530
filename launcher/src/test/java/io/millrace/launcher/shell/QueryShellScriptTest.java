package io.millrace.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryShellScriptTest {

    private static final String FAILURE =
            "{\"results\":[],\"errors\":[{\"code\":3000,\"msg\":\"syntax error\",\"line\":2,\"column\":6}]}";

    private final StandInGateway gateway = new StandInGateway();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private boolean run(RowFormat format, String name, String script, String... parameters) {
        return new QueryShell(gateway, format, QueryShell.parameters(List.of(parameters)))
                .script(new StringReader(script), name, new PrintWriter(out), new PrintWriter(err), 0);
    }

    @Test
    void statements_runInOrder_withFiguresBelowTables() {
        gateway.answer("SELECT a", "{\"results\":[{\"a\":1}],\"metrics\":{\"elapsedTime\":\"1.204500ms\"}}")
                .answer("UPDATE", "{\"results\":[],\"metrics\":{\"elapsedTime\":\"2ms\",\"mutationCount\":3}}");

        assertThat(run(RowFormat.TABLE, "a.n1ql", "SELECT a;\nUPDATE b SET c = ';';"))
                .isTrue();

        assertThat(out.toString().lines()).containsExactly("a", "-", "1", "(1 row, 1.2ms)", "(0 rows, 3 changed, 2ms)");
        assertThat(gateway.statements()).containsExactly("SELECT a", "UPDATE b SET c = ';'");
    }

    @Test
    void parameters_belongToEveryStatement() {
        run(RowFormat.JSON, "", "SELECT 1; SELECT 2", "n=5", "name=Ann", "list=[1]", "at=a=b");

        assertThat(gateway.requests)
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.toString())
                        .contains("\"$n\":5,\"$name\":\"Ann\",\"$list\":[1],\"$at\":\"a=b\""));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void failure_endsTheScript_andNamesItsPlace() {
        gateway.answer("SELECT 1", FAILURE);

        assertThat(run(RowFormat.TABLE, "a.n1ql", "\n\nSELECT 1\nFROM WHERE;\nSELECT 2;"))
                .isFalse();

        assertThat(err.toString().lines())
                .containsExactly("a.n1ql:4: error 3000: syntax error", "  FROM WHERE", "       ^");
        assertThat(gateway.statements()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void failure_inALongLine_isShownWithItsSurroundings() {
        gateway.answer("SELECT", "{\"errors\":[{\"code\":3000,\"msg\":\"syntax error\",\"line\":1,\"column\":301}]}");

        run(RowFormat.TABLE, "", "SELECT " + "x".repeat(293) + "!" + "y".repeat(300));

        List<String> lines = err.toString().lines().toList();
        assertThat(lines.get(1).length()).isLessThan(120);
        assertThat(lines.get(1).charAt(lines.get(2).indexOf('^'))).isEqualTo('!');
    }

    @Test
    void answer_thatIsNotOfTheQueryService_isReported() {
        gateway.answer("SELECT", "{\"status\":503,\"title\":\"Unavailable\",\"detail\":\"try again\"}");

        assertThat(run(RowFormat.TABLE, "", "SELECT 1")).isFalse();

        assertThat(err.toString()).contains("error: HTTP 200 try again");
    }

    @Test
    void answer_thatEndsEarly_isReportedAfterItsRows() {
        gateway.answer("SELECT", "{\"results\":[{\"a\":1},{\"a\":2},");

        assertThat(run(RowFormat.JSON, "", "SELECT 1")).isFalse();

        assertThat(out.toString().lines()).containsExactly("{\"a\":1}", "{\"a\":2}");
        assertThat(err.toString()).contains("ended early, after 2 rows");
    }

    @Test
    void explain_isATreeInTables_andJsonInJson() {
        gateway.answer(
                "EXPLAIN",
                "{\"results\":[{\"plan\":{\"#operator\":\"A\",\"~child\":{\"#operator\":\"B\"}}}],\"metrics\":{}}");

        run(RowFormat.BOX, "", "explain SELECT 1; EXPLAIN SELECT 1; \n\\f json\n EXPLAIN SELECT 1");

        assertThat(out.toString()).contains("A\n└─ B\n").contains("{\"plan\":{\"#operator\":\"A\"");
    }

    @Test
    void output_goesToAFileAndBack(@TempDir Path directory) throws IOException {
        gateway.answer("SELECT", "{\"results\":[{\"a\":1}],\"metrics\":{}}");
        Path file = directory.resolve("rows.csv");

        run(RowFormat.CSV, "", "\\o " + file + "\nSELECT 1;\n\\o\nSELECT 2;\n");

        assertThat(file).hasContent("a\n1");
        assertThat(out.toString().lines())
                .containsExactly("Rows are written to " + file + ".", "Rows are printed here.", "a", "1");
    }

    @Test
    void description_listsKeyspacesAndTheFieldsOfOne() {
        gateway.answer(
                        "SELECT k.",
                        "{\"results\":[{\"bucket\":\"orders\",\"scope\":\"_default\",\"name\":\"_default\"}]}")
                .answer("SELECT RAW i", """
                    {"results":[{"name":"by_total","keyspace_id":"orders","index_key":["total DESC"],"state":"online"}]}\
                    """)
                .answer("SELECT RAW d", "{\"results\":[{\"total\":1,\"lines\":[]},{\"total\":\"x\"}]}");

        assertThat(run(RowFormat.TABLE, "", "\\d\n\\d orders")).isTrue();

        assertThat(out.toString().lines())
                .containsExactly(
                        "keyspace | indexes",
                        "---------+---------",
                        "orders   | by_total",
                        "index    | keys       | condition | state",
                        "---------+------------+-----------+-------",
                        "by_total | total DESC |           | online",
                        "",
                        "field | type           | in",
                        "------+----------------+-------",
                        "lines | array          | 1 of 2",
                        "total | number, string | 2 of 2");
    }

    @Test
    void mistakes_sayWhatToUse() {
        assertThat(run(RowFormat.TABLE, "", "\\z")).isFalse();
        assertThat(run(RowFormat.TABLE, "", "\\f xml")).isFalse();
        assertThat(err.toString()).contains("\\? lists the commands").contains("table, json, csv, markdown, box");
        assertThatThrownBy(() -> run(RowFormat.TABLE, "", "SELECT 1", "=5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NAME=VALUE");
    }

    @Test
    void quit_endsTheScript_andTimingTellsTheTime() {
        assertThat(run(RowFormat.TABLE, "", "\\timing\nSELECT 1;\\x\n\\q\nSELECT 2;"))
                .isTrue();

        assertThat(out.toString()).contains("Time: ").contains("of which the server took 1ms");
        assertThat(gateway.statements()).containsExactly("SELECT 1");
    }
}
