package io.millrace.launcher.shell;

import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints each field of a row on a line of its own, complete. */
final class ExpandedPrinter implements RowPrinter {

    private static final int RULE_CHARS = 30;

    private final PrintWriter out;
    private long rows;

    ExpandedPrinter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void row(JsonNode row) {
        rows++;
        String title = "-[ row " + rows + " ]";
        out.println(title + "-".repeat(Math.max(1, RULE_CHARS - title.length())));
        List<String> columns = RowPrinter.columns(row);
        int width = columns.stream()
                .mapToInt(column -> Cells.width(Cells.printable(column)))
                .max()
                .orElse(0);
        for (String column : columns) {
            String value = Cells.printable(Cells.text(RowPrinter.field(row, column)));
            out.println((Cells.fit(Cells.printable(column), width, false) + " | " + value).stripTrailing());
        }
    }

    @Override
    public void end() {}
}
