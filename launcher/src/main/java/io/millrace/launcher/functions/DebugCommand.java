package io.millrace.launcher.functions;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "debug",
        description = {
            "runs a function on a copy of a change, step by step in Chrome DevTools or VS Code",
            "Prints the address of the debugger, and what the code would have done when it has run. Nothing takes effect, and"
                    + " the function handles its changes meanwhile. The debugger listens on the loopback address of the machine"
                    + " that runs the suite."
        })
final class DebugCommand implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(500);

    private final Cli cli;

    @Parameters(paramLabel = "NAME", description = "the function")
    private String name = "";

    @Option(names = "--id", paramLabel = "ID", description = "a document of the source, as it is now")
    private @Nullable String id;

    @Option(names = "--next", description = "the next change, or event, of the source")
    private boolean next;

    @Mixin
    private DryOptions.Code code = new DryOptions.Code();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "when the debugger ends by itself, 1 to 60 (default: ${DEFAULT-VALUE})")
    private int minutes = 15;

    DebugCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        FunctionId function = FunctionId.parse(name);
        try (FunctionServer server = cli.server()) {
            JsonNode state = server.debug(function, request());
            cli.data().println(state.path("url").asString());
            cli.talk()
                    .printf(
                            "Open %s in Chrome, or attach VS Code (type node, attach) to the first address. The debugger ends by"
                                    + " itself at %s.%n",
                            state.path("devtools").asString(),
                            state.path("ends").asString());
            while (!state.path("state").asString().equals("ended")) {
                LockSupport.parkNanos(POLL.toNanos());
                if (Thread.interrupted()) {
                    return ExitCode.OK;
                }
                state = server.debugger(function);
            }
            if (!state.has("invocation")) {
                throw new LauncherException(
                        "The debugger has ended: " + state.path("error").asString("it was stopped"));
            }
            new EffectsPrinter(cli.data(), cli.style()).print(state.path("invocation"));
            return ExitCode.OK;
        }
    }

    private ObjectNode request() {
        if (Stream.of(id != null, code.namesChange(), next)
                        .filter(chosen -> chosen)
                        .count()
                != 1) {
            throw new LauncherException(
                    "Name what the function is to handle: one of --id, --letter, --event and --next");
        }
        ObjectNode request = JsonNodeFactory.instance.objectNode().put("minutes", minutes);
        if (id != null) {
            request.putObject("document").put("id", id);
        } else if (next) {
            request.put("next", true);
        }
        code.describe(request);
        return request;
    }
}
