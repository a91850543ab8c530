package io.millrace.launcher.shell;

import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints the rows of one result as they arrive. */
interface RowPrinter {

    /** The name of the only column of rows that are not objects; N1QL's name for an expression without an alias. */
    String ONLY_COLUMN = "$1";

    void row(JsonNode row);

    /** Prints what was held back. */
    void end();

    /** Returns a printer that prints each row as JSON on a line. */
    static RowPrinter json(PrintWriter out) {
        return new RowPrinter() {
            @Override
            public void row(JsonNode row) {
                out.println(row);
            }

            @Override
            public void end() {}
        };
    }

    static List<String> columns(JsonNode row) {
        return row.isObject() ? List.copyOf(row.propertyNames()) : List.of(ONLY_COLUMN);
    }

    static JsonNode field(JsonNode row, String column) {
        return row.isObject() ? row.path(column) : column.equals(ONLY_COLUMN) ? row : row.path(column);
    }
}
