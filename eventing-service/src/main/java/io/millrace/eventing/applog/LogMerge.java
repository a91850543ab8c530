package io.millrace.eventing.applog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Merges the logs of one function on several nodes. */
public final class LogMerge {

    private static final int TIME_CHARS = "2026-01-01T00:00:00.000Z".length();
    private static final String JSON_START = "{\"time\":\"";

    private LogMerge() {}

    /**
     * Merges the results of {@link FunctionLogs#newestFirst} on several nodes: the newest lines that fit into this many
     * bytes, newest first, and at least one.
     */
    public static String newestFirst(List<String> logs, int maxBytes) {
        List<String> lines = logs.stream()
                .flatMap(String::lines)
                .sorted(Comparator.comparing(LogMerge::time).reversed())
                .collect(Collectors.toCollection(ArrayList::new));
        int bytes = 0;
        int fitting = 0;
        while (fitting < lines.size()) {
            bytes += lines.get(fitting).getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes > maxBytes && fitting > 0) {
                break;
            }
            fitting++;
        }
        return fitting == 0 ? "" : String.join("\n", lines.subList(0, fitting)) + "\n";
    }

    /** Returns a log line that names the nodes whose lines are missing. */
    public static String missing(List<String> nodes, Instant now) {
        return "%s [WARNING] Lines of these nodes are missing because they did not answer: %s\n"
                .formatted(LogText.time(now), String.join(", ", nodes));
    }

    private static String time(String line) {
        int start = line.startsWith(JSON_START) ? JSON_START.length() : 0;
        return line.substring(Math.min(start, line.length()), Math.min(start + TIME_CHARS, line.length()));
    }
}
