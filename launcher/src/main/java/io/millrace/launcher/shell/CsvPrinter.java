package io.millrace.launcher.shell;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Prints rows as comma-separated values. The columns are the fields of the first rows; a field that appears only later has no
 * column, which {@code err} says once.
 */
final class CsvPrinter implements RowPrinter {

    private static final int HELD_BACK_ROWS = 1_000;

    private final PrintWriter out;
    private final PrintWriter err;
    private final List<JsonNode> held = new ArrayList<>();
    private final Set<String> columns = new LinkedHashSet<>();
    private final Set<String> left = new LinkedHashSet<>();
    private boolean begun;

    CsvPrinter(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public void row(JsonNode row) {
        if (begun) {
            print(row);
            return;
        }
        held.add(row);
        columns.addAll(RowPrinter.columns(row));
        if (held.size() == HELD_BACK_ROWS) {
            release();
        }
    }

    @Override
    public void end() {
        release();
        if (!left.isEmpty()) {
            err.println("warning: these fields first appear after row " + HELD_BACK_ROWS + " and have no column: "
                    + String.join(", ", left) + "; name the columns in the SELECT, or use the format json");
        }
    }

    private void release() {
        if (!begun && !held.isEmpty()) {
            out.println(columns.stream().map(CsvPrinter::quoted).collect(Collectors.joining(",")));
        }
        begun = true;
        held.forEach(this::print);
        held.clear();
    }

    private void print(JsonNode row) {
        RowPrinter.columns(row).stream()
                .filter(column -> !columns.contains(column))
                .forEach(left::add);
        out.println(columns.stream()
                .map(column -> quoted(Cells.text(RowPrinter.field(row, column))))
                .collect(Collectors.joining(",")));
    }

    private static String quoted(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
