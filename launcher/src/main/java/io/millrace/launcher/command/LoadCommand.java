package io.millrace.launcher.command;

import io.millrace.launcher.gateway.GatewayClient;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "load",
        description = {
            "loads a file of JSON lines into a bucket",
            "Each line is {\"id\": ..., \"value\": ...}. The bucket is created if it does not exist and a"
                    + " line has that form. The exit status is 1 if a line was refused."
        })
final class LoadCommand implements Callable<Integer> {

    private final Workspace workspace;
    private final Output output;

    @Parameters(index = "0", paramLabel = "FILE", description = "the file of JSON lines")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "BUCKET", description = "the bucket, for example orders")
    private String bucket = "";

    @Option(names = "--json", description = "prints the summary of the server as JSON")
    private boolean json;

    LoadCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        try (GatewayClient gateway = workspace.connect()) {
            Load load = new Load(gateway, json ? output.talk() : output.data());
            boolean complete = load.run(file, bucket);
            if (json) {
                output.data().println(load.summary());
            }
            return complete ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }
}
