package io.millrace.launcher.command;

import io.millrace.launcher.FileTree;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.launcher.suite.SuiteSettings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

@Command(
        name = "demo",
        description = {
            "shows a function at work",
            "Uses the running suite, or starts one for the demo and stops it afterwards."
        })
final class DemoCommand implements Callable<Integer> {

    private final Workspace workspace;
    private final Output output;

    DemoCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        try (GatewayClient gateway = workspace.connect()) {
            if (gateway.isReady()) {
                output.say("Using the running Millrace at " + gateway.url());
                new Demo(gateway, samples(), output.data()).run();
                output.data().println("Try:");
                Demo.thingsToTry(gateway.url()).forEach(output.data()::println);
                return ExitCode.OK;
            }
        }
        inASuiteOfItsOwn();
        return ExitCode.OK;
    }

    private void inASuiteOfItsOwn() {
        Path scratch = workspace.scratch("demo");
        output.say("Millrace does not run at " + workspace.gateway() + ": starting it for the demo, in " + scratch);
        SuiteSettings settings = SuiteSettings.of(workspace.root(), workspace.home())
                .oneProcess()
                .freePorts()
                .data(scratch.resolve("data"))
                .logs(scratch.resolve("logs"))
                .say(output::say);
        try (Suite suite = Suite.start(settings);
                GatewayClient gateway = workspace.connect(suite.url(Service.GATEWAY))) {
            new Demo(gateway, samples(), output.data()).run();
            output.say("Stopping Millrace. './millrace up' starts it until Ctrl-C.");
        } finally {
            FileTree.delete(scratch);
        }
    }

    private Path samples() {
        return workspace.root().resolve("examples/orders");
    }
}
