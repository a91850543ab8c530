package io.millrace.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowPrinterTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final PrintWriter printer = new PrintWriter(out);

    private List<String> printed(RowPrinter rows, String... json) {
        Arrays.stream(json).map(StatementRun.MAPPER::readTree).forEach(rows::row);
        rows.end();
        return out.toString().lines().toList();
    }

    private GridPrinter grid(GridStyle style, int width) {
        return new GridPrinter(printer, style, width);
    }

    @Test
    void table_alignsNumbersAndLeavesMissingFieldsEmpty() {
        assertThat(printed(grid(GridStyle.TABLE, 0), "{\"name\":\"a\",\"n\":7}", "{\"n\":1200.50}", "{\"name\":null}"))
                .containsExactly("name |       n", "-----+--------", "a    |       7", "     | 1200.50", "null |");
    }

    @Test
    void box_hasFrames() {
        assertThat(printed(grid(GridStyle.BOX, 0), "{\"id\":\"é\",\"漢\":\"字x\"}"))
                .containsExactly("┌────┬─────┐", "│ id │ 漢  │", "├────┼─────┤", "│ é  │ 字x │", "└────┴─────┘");
    }

    @Test
    void markdown_escapesWhatWouldEndACell() {
        assertThat(printed(grid(GridStyle.MARKDOWN, 20), "{\"a\":\"x|y\\nz\",\"b\":\"" + "w".repeat(80) + "\"}"))
                .containsExactly(
                        "| a      | b" + " ".repeat(79) + " |",
                        "| ------ | " + "-".repeat(80) + " |",
                        "| x\\|y z | " + "w".repeat(80) + " |");
    }

    @Test
    void table_isMadeAsNarrowAsTheScreen() {
        List<String> lines = printed(
                grid(GridStyle.TABLE, 40),
                "{\"a\":\"" + "x".repeat(50) + "\",\"b\":\"short\",\"c\":\"" + "y".repeat(30) + "\"}");

        assertThat(lines).allMatch(line -> line.length() <= 40);
        assertThat(lines.getLast())
                .startsWith("xxx")
                .contains("... | short | yyy")
                .endsWith("...");
    }

    @Test
    void controlCharacters_areShownAndNotSentToTheTerminal() {
        String row = "{\"a\":\"\\u001b[2J\\u202e\\r\\n\\tx\"}";

        assertThat(printed(grid(GridStyle.TABLE, 0), row).getLast()).isEqualTo("\\u001b[2J\\u202e  x");
        assertThat(printed(new ExpandedPrinter(printer), row).getLast()).isEqualTo("a | \\u001b[2J\\u202e  x");
    }

    @Test
    void values_withoutAName_haveTheirColumn() {
        assertThat(printed(grid(GridStyle.TABLE, 0), "1", "\"b\"", "[1]"))
                .containsExactly("$1", "---", "1", "b", "[1]");
    }

    @Test
    void rowWithAFurtherField_afterTheFirstThousand_beginsAnotherTable() {
        String[] rows = new String[1_002];
        Arrays.fill(rows, "{\"a\":1}");
        rows[1_001] = "{\"a\":1,\"b\":2}";

        assertThat(printed(grid(GridStyle.TABLE, 0), rows))
                .hasSize(2 + 1_001 + 1 + 3)
                .endsWith("", "a | b", "--+--", "1 | 2");
    }

    @Test
    void csv_quotesWhereNeeded() {
        assertThat(printed(
                        new CsvPrinter(printer, new PrintWriter(err)),
                        "{\"a\":\"x,y\",\"b\":\"say \\\"hi\\\"\"}",
                        "{\"c\":[1,2]}"))
                .containsExactly("a,b,c", "\"x,y\",\"say \"\"hi\"\"\",", ",,\"[1,2]\"");
    }

    @Test
    void csv_namesFieldsThatCameTooLate() {
        String[] rows = new String[1_001];
        Arrays.fill(rows, "{\"a\":1}");
        rows[1_000] = "{\"a\":1,\"b\":2}";

        assertThat(printed(new CsvPrinter(printer, new PrintWriter(err)), rows))
                .hasSize(1_002)
                .endsWith("1");
        assertThat(err.toString()).contains("row 1000").contains(": b;");
    }

    @Test
    void json_keepsDigits() {
        assertThat(printed(RowPrinter.json(printer), "{\"a\":0.1234567890123456789,\"b\":1.10}", "7"))
                .containsExactly("{\"a\":0.1234567890123456789,\"b\":1.10}", "7");
    }

    @Test
    void expanded_printsEachFieldComplete() {
        assertThat(printed(new ExpandedPrinter(printer), "{\"id\":1,\"text\":\"" + "x".repeat(90) + "\"}", "{}"))
                .containsExactly(
                        "-[ row 1 ]--------------------",
                        "id   | 1",
                        "text | " + "x".repeat(90),
                        "-[ row 2 ]--------------------");
    }
}
