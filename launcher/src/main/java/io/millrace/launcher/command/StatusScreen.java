package io.millrace.launcher.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints what {@link StatusCommand} found, for people: one screen. */
record StatusScreen(Output output) {

    private static final int SPACE = 2;

    void print(JsonNode status) {
        String running = status.has("pid")
                ? " has run for " + duration(status.path("up_seconds").asLong()) + ", process " + status.path("pid")
                : " runs";
        output.print("@|bold Millrace " + status.path("version").asString() + "|@" + running);
        output.data().println();
        List<List<String>> services = new ArrayList<>(List.of(List.of("SERVICE", "STATE", "ADDRESS")));
        for (JsonNode service : status.path("services")) {
            boolean ready = service.path("ready").asBoolean();
            services.add(List.of(
                    service.path("name").asString(),
                    ready ? "ready" : "not ready",
                    service.path("url").asString()));
        }
        table(services);
        output.data().println();
        functions(status.path("functions"));
        for (String name : List.of("sdk", "data", "logs")) {
            if (status.has(name)) {
                output.data().printf("%-6s%s%n", name, status.path(name).asString());
            }
        }
    }

    private void functions(JsonNode functions) {
        if (functions.isEmpty()) {
            output.data().println("No functions. './millrace demo' shows one at work.");
        } else if (functions.path(0).has("error")) {
            output.data().println(functions.path(0).path("error").asString());
        } else {
            List<List<String>> rows =
                    new ArrayList<>(List.of(List.of("FUNCTION", "STATE", "BACKLOG", "LAG", "HANDLED", "FAILURES")));
            for (JsonNode function : functions) {
                rows.add(List.of(
                        function.path("name").asString(),
                        function.path("state").asString(),
                        "%,d".formatted(function.path("backlog").asLong()),
                        "%.1f s".formatted(function.path("lag_seconds").asDouble()),
                        "%,d".formatted(function.path("handled").asLong()),
                        "%,d".formatted(function.path("failures").asLong())));
            }
            table(rows);
        }
        output.data().println();
    }

    private void table(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length() + SPACE);
            }
        }
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = rows.get(r).get(i);
                line.append(styled(cell, r == 0)).append(" ".repeat(widths[i] - cell.length()));
            }
            output.data().println(line.toString().stripTrailing());
        }
    }

    private String styled(String cell, boolean heading) {
        String style = heading
                ? "bold"
                : switch (cell) {
                    case "ready", "deployed" -> "green";
                    case "not ready" -> "red";
                    default -> "";
                };
        return style.isEmpty() ? cell : output.dataStyle().string("@|" + style + " " + cell + "|@");
    }

    private static String duration(long seconds) {
        Duration time = Duration.ofSeconds(seconds);
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toMinutes() > 0 ? time.toMinutes() + " min" : seconds + " s";
    }
}
