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
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "demo",
        description = {
            "shows a function at work",
            "Uses the running suite, or starts one for the demo and stops it afterwards."
        })
final class DemoCommand implements Callable<Integer> {

    private final Workspace workspace;
    private final Output output;

    @Option(names = "--json", description = "prints how long the function took for an order as one line of JSON")
    private boolean json;

    DemoCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        try (GatewayClient gateway = workspace.connect()) {
            if (gateway.isReady()) {
                output.say("Using the running Millrace at " + gateway.url());
                show(gateway);
                output.say("Try:");
                Demo.thingsToTry("curl -K " + workspace.loginFile() + " " + gateway.url())
                        .forEach(output::say);
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
                GatewayClient gateway = new GatewayClient(suite.url(Service.GATEWAY), suite.login())) {
            show(gateway);
            output.say("Stopping Millrace. './millrace up' starts it until Ctrl-C.");
        } finally {
            FileTree.delete(scratch);
        }
    }

    private void show(GatewayClient gateway) {
        long millis = new Demo(gateway, samples(), json ? output.talk() : output.data()).run();
        if (json) {
            output.data()
                    .println(JsonMapper.shared()
                            .createObjectNode()
                            .put("gateway", gateway.url().toString())
                            .put("handled_after_ms", millis));
        }
    }

    private Path samples() {
        return workspace.root().resolve("examples/orders");
    }
}
