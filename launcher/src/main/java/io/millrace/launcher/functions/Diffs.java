package io.millrace.launcher.functions;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/** Prints differences of definitions as the server sends them. */
final class Diffs {

    private Diffs() {}

    /** Returns the lines: the unified diff of the code, then bindings and settings, each before and after. */
    static List<String> lines(JsonNode diff, Ansi style) {
        List<String> lines = new ArrayList<>();
        diff.path("code").asString("").lines().forEach(line -> lines.add(coloured(line, style)));
        row(lines, diff.path("bindings"), "binding", style);
        row(lines, diff.path("settings"), "setting", style);
        return lines;
    }

    private static void row(List<String> lines, JsonNode rows, String kind, Ansi style) {
        for (JsonNode row : rows) {
            lines.add(kind + " " + row.path(kind).asString());
            if (row.has("before")) {
                lines.add(coloured("-  " + row.path("before"), style));
            }
            if (row.has("after")) {
                lines.add(coloured("+  " + row.path("after"), style));
            }
        }
    }

    private static String coloured(String line, Ansi style) {
        String colour =
                line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : line.startsWith("@") ? "cyan" : "";
        // markup of picocli in the code must stay as it is
        return colour.isEmpty() || !style.enabled()
                ? line
                : style.string("@|" + colour + " %s|@").formatted(line);
    }
}
