package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Plural;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "test",
        description = {
            "runs the tests of functions on documents in memory; a running suite is not needed",
            "The tests are in tests/*.json of each directory, or exported by the modules tests/*.js. The exit status is 1 if a"
                    + " test fails."
        })
final class TestCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "directories of functions")
    private List<Path> directories = new ArrayList<>();

    @Option(names = "--all", description = "each DIR holds directories of functions")
    private boolean all;

    @Option(names = "--junit", paramLabel = "FILE", description = "writes the results as JUnit's XML")
    private @Nullable Path junit;

    TestCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() throws IOException {
        for (Path path : directories) {
            if (!Files.isDirectory(path)) {
                throw new LauncherException(path + " is not a directory");
            }
        }
        List<FunctionDirectory> functions = directories.stream()
                .flatMap(path -> all ? FunctionDirectory.below(path).stream() : Stream.of(new FunctionDirectory(path)))
                .toList();
        if (functions.isEmpty()) {
            throw new LauncherException(FunctionDirectory.noneBelow(directories) + ", so there is nothing to test.");
        }
        List<FunctionDirectory> untested =
                functions.stream().filter(each -> each.tests().isEmpty()).toList();
        if (!all && !untested.isEmpty()) {
            throw new LauncherException(
                    untested.getFirst().path() + " has no tests; add a file such as tests/handler.json with"
                            + " [{\"name\": ..., \"given\": ..., \"when\": [...], \"then\": ...}]");
        }
        List<String> arguments = new ArrayList<>(List.of("test"));
        functions.stream()
                .filter(each -> !untested.contains(each))
                .forEach(each -> arguments.add(each.path().toString()));
        List<JsonNode> results = new ArrayList<>();
        if (arguments.size() > 1) {
            cli.trials().run(arguments, "", result -> {
                print(result, results.isEmpty() ? null : results.getLast());
                results.add(result);
            });
        }
        if (junit != null) {
            TestReport.write(junit, results);
        }
        long failed = results.stream()
                .filter(result -> !result.path("passed").asBoolean())
                .count();
        cli.data()
                .println(cli.style()
                        .string("@|bold %s, %s|@"
                                .formatted(
                                        Plural.of(results.size(), "test"),
                                        failed == 0 ? "all passed" : failed + " failed")));
        return failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void print(JsonNode result, @Nullable JsonNode before) {
        String function = result.path("function").asString();
        if (before == null || !before.path("function").asString().equals(function)) {
            cli.data().println(function);
        }
        if (result.has("mistake")) {
            cli.data().println("  " + cli.style().string("@|red error|@ ") + TestReport.mistake(result));
            return;
        }
        boolean passed = result.path("passed").asBoolean();
        cli.data()
                .println("  " + cli.style().string(passed ? "@|green ok|@    " : "@|red FAIL|@  ")
                        + result.path("name").asString());
        result.path("failures")
                .forEach(failure ->
                        failure.asString().lines().forEach(line -> cli.data().println("        " + line)));
    }
}
