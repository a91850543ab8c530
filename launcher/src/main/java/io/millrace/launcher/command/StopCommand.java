package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.suite.SuiteState;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "stop",
        description = {
            "stops the running suite",
            "It makes no difference whether it runs in the background or in another terminal. The data is kept."
        })
final class StopCommand implements Callable<Integer> {

    /** The services have 4 s, then Redis 20 s to write what it has acknowledged. */
    private static final int LIMIT_SECONDS = 30;

    private final Workspace workspace;
    private final Output output;

    @Option(names = "--json", description = "prints what was stopped as one line of JSON")
    private boolean json;

    StopCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<SuiteState> running = workspace.running();
        running.ifPresentOrElse(
                state -> output.say(
                        "Stopping the Millrace at " + state.gateway() + " (process " + state.pid() + ") ..."),
                () -> output.say("Millrace does not run in the data directory " + workspace.data()));
        if (running.isPresent()) {
            end(running.get());
            output.say("Stopped; the data is kept.");
        }
        if (json) {
            output.data().println(JsonMapper.shared().createObjectNode().put("stopped", running.isPresent()));
        }
        return ExitCode.OK;
    }

    private void end(SuiteState state) throws InterruptedException {
        Optional<ProcessHandle> process = ProcessHandle.of(state.pid());
        if (process.isEmpty()) {
            return;
        }
        process.get().destroy();
        try {
            process.get().onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new LauncherException(
                    "Process " + state.pid() + " still runs after " + LIMIT_SECONDS + " s; see the logs in "
                            + state.logs(),
                    e);
        }
    }
}
