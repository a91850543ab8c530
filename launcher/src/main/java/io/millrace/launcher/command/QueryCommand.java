package io.millrace.launcher.command;

import io.millrace.launcher.gateway.GatewayClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "query",
        description = {
            "runs a N1QL statement and prints its rows",
            "For example: ./millrace query 'SELECT * FROM orders WHERE total > $least' least=100"
        })
final class QueryCommand implements Callable<Integer> {

    private final Workspace workspace;
    private final Output output;

    @Parameters(index = "0", paramLabel = "STATEMENT", description = "the statement")
    private String statement = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "NAME=VALUE",
            description = "named parameters; a value that is not valid JSON is a string")
    private List<String> parameters = new ArrayList<>();

    @Option(names = "--json", description = "prints each row as one line of JSON")
    private boolean json;

    QueryCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        try (GatewayClient gateway = workspace.connect()) {
            return new QueryShell(gateway, output.data(), output.talk()).run(statement, parameters, json)
                    ? ExitCode.OK
                    : ExitCode.SOFTWARE;
        }
    }
}
