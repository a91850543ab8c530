package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "run",
        description = {
            "runs a function on a change and shows what it would do; HTTP requests are shown and not sent, except with --record",
            "With a directory, it runs on documents in memory, and a running suite is not needed. With --dry and the"
                    + " name of a function, it runs in the suite, on the documents there, and changes nothing."
        })
final class RunCommand implements Callable<Integer> {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** What {@code --given} may have for a dry run, which finds the documents and the time of the suite. */
    private static final List<String> ANSWERS = List.of("responses", "rows", "sql", "secrets");

    private final Cli cli;

    @Parameters(paramLabel = "DIR|NAME", description = "the directory of the function; with --dry its name")
    private String target = "";

    @Mixin
    private DryOptions dry = new DryOptions();

    @Option(names = "--id", paramLabel = "ID", description = "the id of the document that changes (default: 1)")
    private String id = "1";

    @Option(
            names = "--document",
            paramLabel = "JSON",
            description = "the document after the change (default: {}, with --dry as it is)")
    private @Nullable String document;

    @Option(names = "--file", paramLabel = "FILE", description = "a file with the document")
    private @Nullable Path file;

    @Option(names = "--delete", description = "the document is deleted instead")
    private boolean delete;

    @Option(
            names = "--step",
            paramLabel = "JSON",
            description = "a step of a test in place of the change, such as message, append or request")
    private @Nullable String step;

    @Option(
            names = "--given",
            paramLabel = "FILE",
            description = "documents, responses, rows, sql, secrets and the time that the code finds: given of a test")
    private @Nullable Path given;

    @Option(names = "--advance", paramLabel = "TIME", description = "then lets time pass, for timers; 3d, 1h30m")
    private @Nullable String advance;

    @Option(names = "--json", description = "prints JSON, a line for each invocation")
    private boolean json;

    RunCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        return dry.chosen() ? runInSuite() : runInMemory();
    }

    private int runInSuite() {
        if (step != null) {
            throw new LauncherException("--step works with a directory only, without --dry");
        }
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        JsonNode answers = given == null ? JsonNodeFactory.instance.objectNode() : FunctionDirectory.read(given);
        ANSWERS.stream().filter(answers::has).forEach(member -> request.set(member, answers.path(member)));
        if (!dry.namesChanges()) {
            ObjectNode change = request.putObject(delete || document != null || file != null ? "change" : "document")
                    .put("id", id);
            if (delete) {
                change.put("deleted", true);
            } else if (document != null || file != null) {
                change.set("document", document());
            }
        }
        dry.describe(request);
        try (FunctionServer server = cli.server()) {
            JsonNode response = server.dryRun(FunctionId.parse(target), request);
            if (json) {
                cli.data().println(response);
            } else {
                show(response);
            }
            dry.write(answers, response.path("answers")).ifPresent(cli.talk()::println);
            return ExitCode.OK;
        }
    }

    private void show(JsonNode response) {
        EffectsPrinter printer = new EffectsPrinter(cli.data(), cli.style());
        response.path("invocations").forEach(printer::print);
        for (JsonNode difference : response.path("differences")) {
            printer.print(difference.path("invocation"));
            cli.data().print("  other: ");
            printer.print(difference.path("compared"));
        }
        if (response.has("differences")) {
            cli.data()
                    .printf(
                            "%d of %d changes are handled differently%n",
                            response.path("differences").size(),
                            response.path("changes").asInt());
        }
    }

    private int runInMemory() {
        Path path = Path.of(target);
        if (!FunctionDirectory.isAt(path)) {
            throw new LauncherException(path + " has no function.json; name the directory of a function");
        }
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.set("given", given == null ? JsonNodeFactory.instance.objectNode() : FunctionDirectory.read(given));
        request.set("when", steps());
        List<JsonNode> results = new ArrayList<>();
        EffectsPrinter printer = new EffectsPrinter(cli.data(), cli.style());
        cli.trials().run(List.of("run", path.toString()), request.toString(), result -> {
            results.add(result);
            if (result.has("mistake")) {
                cli.talk().println(TestReport.mistake(result));
            } else if (json) {
                cli.data().println(result);
            } else {
                printer.print(result);
            }
        });
        boolean failed = results.stream().anyMatch(result -> result.has("mistake") || result.has("line"));
        return failed ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private ArrayNode steps() {
        ArrayNode steps = JsonNodeFactory.instance.arrayNode();
        steps.add(step == null ? change() : step(step));
        if (advance != null) {
            steps.addObject().put("advance", advance);
        }
        return steps;
    }

    private ObjectNode change() {
        ObjectNode step = JsonNodeFactory.instance.objectNode();
        ObjectNode change = step.putObject(delete ? "delete" : "update").put("id", id);
        if (!delete) {
            change.set("document", document());
        }
        return step;
    }

    private JsonNode step(String text) {
        if (delete || document != null || file != null) {
            throw new LauncherException("--step takes the place of --document, --file and --delete");
        }
        return json("--step", text);
    }

    private JsonNode document() {
        if (file != null) {
            return FunctionDirectory.read(file);
        }
        return json("--document", document == null ? "{}" : document);
    }

    private static JsonNode json(String option, String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            throw new LauncherException(option + " is not valid JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Handles the dead letters of a function again. */
    @Command(
            name = "replay",
            description = {
                "handles all dead letters of a function again",
                "The deployed code handles them in the background. A draft handles them at once, for up to 30 s: what it writes is"
                        + " written, and what it cannot handle stays a dead letter. Exits with 1 unless a draft handled all."
            })
    static final class Replay implements Callable<Integer> {

        private final Cli cli;

        @Parameters(paramLabel = "NAME", description = "the function")
        private String name = "";

        @Option(
                names = "--draft",
                paramLabel = "DIR",
                description = "the code of a directory in place of the deployed code")
        private @Nullable Path draft;

        Replay(Cli cli) {
            this.cli = cli;
        }

        @Override
        public Integer call() {
            FunctionId id = FunctionId.parse(name);
            try (FunctionServer server = cli.server()) {
                if (draft == null) {
                    JsonNode begun = server.replay(id, null);
                    cli.data()
                            .printf(
                                    "%d dead letters of %s are replayed%n",
                                    begun.path("replaying").asInt(), id);
                    return ExitCode.OK;
                }
                JsonNode done = server.replay(id, new FunctionDirectory(draft).code());
                cli.data()
                        .printf(
                                "%s: %d dead letters handled, %d failed, %d left%n",
                                id,
                                done.path("handled").asInt(),
                                done.path("failed").asInt(),
                                done.path("left").asInt());
                done.path("failures")
                        .forEach(failure -> cli.data()
                                .printf(
                                        "  %s: %s (%d:%d)%n",
                                        failure.path("letter").asString(),
                                        failure.path("error").asString(),
                                        failure.path("line").asInt(),
                                        failure.path("column").asInt()));
                boolean all = done.path("failed").asInt() + done.path("left").asInt() == 0;
                return all ? ExitCode.OK : ExitCode.SOFTWARE;
            }
        }
    }
}
