package io.millrace.launcher.functions;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.NumberBetween;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "logs", description = "shows the log of a function, of all nodes")
final class LogCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(paramLabel = "NAME", description = "the function")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "goes on with new lines until Ctrl-C")
    private boolean follow;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            converter = NumberBetween.Lines.class,
            description = "how many lines to show (default: 100)")
    private int lines = 100;

    LogCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException {
        FunctionId id = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            server.log(id, lines).forEach(cli.data()::println);
            if (follow) {
                new LogStream(server.follow(id)).forEach(cli.data()::println);
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "trace",
            description = {
                "shows what changes led to: from the write over the functions that handled it to their effects",
                "Give the name of a function, or one of --document, --request and --id. Few changes are followed unless their"
                        + " writer asks for it with the header traceparent."
            })
    static final class Trace implements Callable<Integer> {

        private static final String TRACES = "/api/v1/traces?";
        private static final double MICROS_PER_MILLI = 1000;

        private final Cli cli;

        @Parameters(arity = "0..1", paramLabel = "NAME", description = "a function: its newest traces")
        private String name = "";

        @Option(
                names = {"-d", "--document"},
                paramLabel = "ID",
                description = "a document: the newest traces that changed it")
        private String document = "";

        @Option(
                names = {"-r", "--request"},
                paramLabel = "ID",
                description = "a request: the traces that it began, by its X-Request-Id")
        private String request = "";

        @Option(names = "--id", paramLabel = "TRACE", description = "one trace: its id, or a traceparent")
        private String trace = "";

        @Option(
                names = {"-n", "--limit"},
                paramLabel = "N",
                description = "how many traces to show (default: 3)")
        private int limit = 3;

        Trace(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            List<String> query = new ArrayList<>();
            if (!name.isEmpty()) {
                FunctionId id = FunctionId.parse(name);
                query.add(id.path(TRACES + "function=", ""));
            }
            add(query, "document", document);
            add(query, "request", request);
            add(query, "trace", trace);
            if (query.size() != 1) {
                throw new LauncherException("Give the name of a function, or one of --document, --request and --id");
            }
            try (FunctionServer server = cli.server()) {
                List<JsonNode> traces = server.traces(query.getFirst(), limit);
                if (traces.isEmpty()) {
                    cli.talk()
                            .println("There is no such trace. Few changes are followed; send the header traceparent to"
                                    + " have one followed.");
                    return ExitCode.SOFTWARE;
                }
                traces.forEach(this::show);
                return ExitCode.OK;
            }
        }

        private static void add(List<String> query, String parameter, String value) {
            if (!value.isEmpty()) {
                query.add(TRACES + parameter + "=" + GatewayClient.segment(value));
            }
        }

        private void show(JsonNode shown) {
            cli.data()
                    .printf(
                            "trace %s, %s, %s%n",
                            shown.path("trace").asString(),
                            shown.path("started").asString(),
                            time(shown));
            Map<String, Integer> depths = new HashMap<>();
            for (JsonNode span : shown.path("spans")) {
                int depth = depths.getOrDefault(span.path("parent").asString(), 0) + 1;
                depths.put(span.path("span").asString(), depth);
                String line = "  ".repeat(depth) + span.path("name").asString();
                cli.data().printf("%-36s %12s  %s%n", line, time(span), about(span));
            }
        }

        private static String time(JsonNode span) {
            return "%.3f ms".formatted(span.path("duration_us").asLong() / MICROS_PER_MILLI);
        }

        private static String about(JsonNode span) {
            Map<String, String> attributes = new TreeMap<>();
            span.path("attributes")
                    .properties()
                    .forEach(each ->
                            attributes.put(each.getKey(), each.getValue().asString()));
            StringBuilder text = new StringBuilder();
            attributes.forEach((attribute, value) -> text.append(text.isEmpty() ? "" : " ")
                    .append(attribute)
                    .append('=')
                    .append(value.replaceAll("\\s+", " ")));
            if (span.has("error")) {
                text.append(" error=").append(span.path("error").asString());
            }
            return text.toString();
        }
    }
}
