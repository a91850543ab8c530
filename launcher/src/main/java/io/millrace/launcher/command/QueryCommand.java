package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.shell.QueryGateway;
import io.millrace.launcher.shell.QueryShell;
import io.millrace.launcher.shell.RowFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
        name = "query",
        description = {
            "runs N1QL statements; without one, opens a shell",
            "For example: ./millrace query 'SELECT * FROM orders WHERE total > $least' least=100"
        })
final class QueryCommand implements Callable<Integer> {

    /** The gateway gives up on a statement before that. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final String STANDARD_INPUT = "-";

    private final Workspace workspace;
    private final Output output;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STATEMENT",
            description = "statements, separated by semicolons; without one, they are read from the terminal or from"
                    + " standard input")
    private String statement = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "NAME=VALUE",
            description = "named parameters; a value that is not valid JSON is a string")
    private List<String> parameters = new ArrayList<>();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "reads the statements from a file, or from standard input if it is -")
    private @Nullable String file;

    @Option(names = "--format", paramLabel = "FORMAT", description = "table (the default), json, csv, markdown or box")
    private RowFormat format = RowFormat.TABLE;

    @Option(names = "--json", description = "prints each row as one line of JSON, as --format json")
    private boolean json;

    QueryCommand(Workspace workspace, Output output) {
        this.workspace = workspace;
        this.output = output;
    }

    @Override
    public Integer call() {
        Map<String, JsonNode> named = named();
        try (GatewayClient gateway = workspace.connect()) {
            QueryShell shell = new QueryShell(through(gateway), json ? RowFormat.JSON : format, named);
            if (file == null && statement.isEmpty() && Output.isTerminal(0) && Output.isTerminal(1)) {
                shell.interact(
                        "Connected to " + gateway.url() + ". Statements end with a semicolon; \\? lists the commands.",
                        System.getenv());
                return ExitCode.OK;
            }
            return script(shell) ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private Map<String, JsonNode> named() {
        List<String> arguments = new ArrayList<>(parameters);
        if (file != null && !statement.isEmpty()) {
            arguments.addFirst(statement); // with a file, all arguments are parameters
        }
        try {
            return QueryShell.parameters(arguments);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private boolean script(QueryShell shell) {
        String name = file == null || file.equals(STANDARD_INPUT) ? "standard input" : file;
        int width = Output.isTerminal(1) ? output.columns() : 0;
        try (Reader script = open()) {
            return shell.script(
                    script,
                    statement.isEmpty() || file != null ? name : "",
                    writer(output.data()),
                    writer(output.talk()),
                    width);
        } catch (NoSuchFileException e) {
            throw new LauncherException("The file " + name + " does not exist; name a file of statements", e);
        } catch (IOException e) {
            throw new LauncherException("Cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private Reader open() throws IOException {
        if (file != null && !file.equals(STANDARD_INPUT)) {
            return Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8);
        }
        return statement.isEmpty() || file != null
                ? new InputStreamReader(System.in, StandardCharsets.UTF_8)
                : new StringReader(statement);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    }

    private static QueryGateway through(GatewayClient gateway) {
        return (method, path, body) -> {
            HttpResponse<InputStream> response = gateway.open(method, path, BodyPublishers.ofString(body), TIMEOUT);
            return new QueryGateway.Reply(response.statusCode(), response.body());
        };
    }
}
