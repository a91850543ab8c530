package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace query}: runs one N1QL statement and prints its rows as a table, or as JSON with one row per line. */
final class QueryShell {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    /** Longer values are truncated in tables. */
    private static final int WIDEST_COLUMN_CHARS = 60;

    private final GatewayClient gateway;
    private final PrintStream out;
    private final PrintStream err;

    QueryShell(GatewayClient gateway, PrintStream out, PrintStream err) {
        this.gateway = gateway;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs a statement with parameters {@code NAME=VALUE}; a value that is not valid JSON is a string.
     *
     * @return whether the statement succeeded
     */
    boolean run(String statement, List<String> parameters, boolean json) {
        ObjectNode request = MAPPER.createObjectNode().put("statement", statement);
        for (String parameter : parameters) {
            int at = parameter.indexOf('=');
            if (at < 1) {
                throw new LauncherException("Not a query parameter: " + parameter + "; use NAME=VALUE");
            }
            request.set("$" + parameter.substring(0, at), value(parameter.substring(at + 1)));
        }
        JsonNode answer = gateway.post("/query/service", request.toString()).json();
        List<JsonNode> rows = new ArrayList<>();
        answer.path("results").forEach(rows::add);
        if (json) {
            rows.forEach(out::println);
        } else {
            table(rows);
            figures(answer);
        }
        answer.path("warnings").forEach(warning -> err.println("warning: " + message(warning)));
        answer.path("errors").forEach(error -> {
            err.println("error " + message(error));
            caret(error, statement);
        });
        if (!answer.has("results")) {
            err.println("error: " + answer);
        }
        return answer.has("results") && !answer.has("errors");
    }

    private static JsonNode value(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            return MAPPER.stringNode(text);
        }
    }

    private static String message(JsonNode failure) {
        return failure.path("code").asInt() + ": " + failure.path("msg").asString();
    }

    /** Prints the line with the error and a caret below its position. */
    private void caret(JsonNode error, String statement) {
        int line = error.path("line").asInt(0);
        int column = error.path("column").asInt(0);
        List<String> lines = statement.lines().toList();
        if (line >= 1 && line <= lines.size() && column >= 1) {
            err.println("  " + lines.get(line - 1));
            err.println("  " + " ".repeat(column - 1) + "^");
        }
    }

    private void table(List<JsonNode> rows) {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.isObject() ? row.propertyNames() : List.of("")));
        if (rows.isEmpty()) {
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(new ArrayList<>(columns));
        for (JsonNode row : rows) {
            lines.add(columns.stream()
                    .map(column -> cell(row.isObject() ? row.path(column) : row))
                    .toList());
        }
        int[] widths = new int[columns.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (int i = 0; i < lines.size(); i++) {
            print(lines.get(i), widths);
            if (i == 0) {
                StringBuilder rule = new StringBuilder();
                for (int width : widths) {
                    rule.append(rule.isEmpty() ? "" : "-+-").append("-".repeat(width));
                }
                out.println(rule);
            }
        }
    }

    private void print(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            line.append(i == 0 ? "" : " | ").append(cell).append(" ".repeat(widths[i] - cell.length()));
        }
        out.println(line.toString().stripTrailing());
    }

    /** Returns the text of a value; a missing one is empty. */
    private static String cell(JsonNode value) {
        String text = value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
        String line = text.replace('\n', ' ');
        return line.length() > WIDEST_COLUMN_CHARS ? line.substring(0, WIDEST_COLUMN_CHARS - 3) + "..." : line;
    }

    private void figures(JsonNode answer) {
        JsonNode metrics = answer.path("metrics");
        String changed = metrics.has("mutationCount")
                ? ", " + metrics.path("mutationCount").asInt() + " changed"
                : "";
        out.println("(" + metrics.path("resultCount").asInt() + " rows" + changed + ", "
                + metrics.path("elapsedTime").asString("") + ")");
    }
}
