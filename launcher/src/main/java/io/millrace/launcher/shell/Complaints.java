package io.millrace.launcher.shell;

import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints errors and warnings of the server, with the place in the statement. */
final class Complaints {

    /** A longer line is shown from a place before the error. */
    private static final int SHOWN_COLUMNS = 100;

    private static final int SHOWN_BEFORE = 60;

    private final PrintWriter err;

    Complaints(PrintWriter err) {
        this.err = err;
    }

    /**
     * Prints the errors and warnings of a response.
     *
     * @param file the file of the statement, or empty if a person typed it
     * @param firstLine the line of the file on which the statement begins
     */
    void print(Answer answer, String statement, String file, int firstLine) {
        answer.warnings().forEach(warning -> err.println("warning: " + message(warning)));
        for (JsonNode error : answer.errors()) {
            int line = firstLine + Math.max(0, error.path("line").asInt(1) - 1);
            String place = file.isEmpty() ? "" : file + ":" + line + ": ";
            err.println(place + "error " + message(error));
            caret(error, statement);
        }
        if (!answer.rest().has("results") && answer.errors().isEmpty()) {
            err.println("error: HTTP " + answer.status() + " " + problem(answer.rest()));
        }
    }

    private static String message(JsonNode failure) {
        return failure.path("code").asInt() + ": "
                + Cells.printable(failure.path("msg").asString(""));
    }

    /** Returns the message of a response that does not come from the query service (RFC 9457). */
    private static String problem(JsonNode body) {
        String detail = body.path("detail").asString(body.path("title").asString(""));
        return Cells.printable(detail.isEmpty() ? body.toString() : detail);
    }

    /** Prints the line with the error and a caret below its position. */
    private void caret(JsonNode error, String statement) {
        int line = error.path("line").asInt(0);
        int column = error.path("column").asInt(0);
        List<String> lines = statement.lines().toList();
        if (line < 1 || line > lines.size() || column < 1) {
            return;
        }
        String text = lines.get(line - 1);
        int at = text.offsetByCodePoints(0, Math.min(column - 1, text.codePointCount(0, text.length())));
        int from = Math.max(0, at - SHOWN_BEFORE);
        if (text.length() <= SHOWN_COLUMNS) {
            from = 0;
        }
        int to = Math.min(text.length(), from + SHOWN_COLUMNS);
        String before = (from > 0 ? "..." : "") + Cells.printable(text.substring(from, at));
        err.println("  " + before + Cells.printable(text.substring(at, to)) + (to < text.length() ? "..." : ""));
        err.println("  " + " ".repeat(Cells.width(before)) + "^");
    }
}
