package io.millrace.launcher.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

@Command(name = "up", description = "runs Millrace until Ctrl-C, building it first if needed")
final class UpCommand implements Callable<Integer> {

    private final Workspace workspace;
    private final Output output;

    UpCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        new Up(workspace, output).run();
        return ExitCode.OK;
    }
}
