package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "diff",
        description = {
            "compares a directory with the suite, or two versions of a function",
            "The exit status is 0 if there is no difference, and 1 if there is one."
        })
final class DiffCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "DIR|NAME", description = "a directory, or with --version the name of a function")
    private String subject = "";

    @Option(
            names = {"-v", "--version"},
            paramLabel = "N",
            description = "shows what this version of the function changed")
    private @Nullable Long version;

    @Option(names = "--from", paramLabel = "M", description = "compares with this version (default: the one before)")
    private @Nullable Long from;

    @Option(names = "--json", description = "prints the differences as JSON")
    private boolean json;

    DiffCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        try (FunctionServer server = cli.server()) {
            JsonNode diff = version == null ? ofDirectory(server) : ofVersions(server, version);
            if (json) {
                cli.data().println(diff);
            } else {
                List<String> lines = lines(diff, cli.style());
                lines.forEach(cli.data()::println);
            }
            return diff.path("changed").isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private JsonNode ofDirectory(FunctionServer server) {
        ObjectNode definition = new FunctionDirectory(Path.of(subject)).definition();
        FunctionId id = FunctionId.of(definition);
        server.state(id);
        return server.compare(id, definition);
    }

    private JsonNode ofVersions(FunctionServer server, long to) {
        return server.diff(FunctionId.parse(subject), to, from == null ? to - 1 : from);
    }

    /** Returns the lines: the unified diff of the code, then bindings and settings, each before and after. */
    private static List<String> lines(JsonNode diff, Ansi style) {
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
