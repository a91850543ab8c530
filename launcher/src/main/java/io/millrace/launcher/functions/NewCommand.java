package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.Template;
import io.millrace.functionfiles.Templates;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.functions.FunctionCommands.Cli;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "new",
        description = {
            "creates a directory with a function from a template",
            "For example: ./millrace fn new order_totals --template enrich. A running suite is not needed."
        })
final class NewCommand implements Callable<Integer> {

    private final Cli cli;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "the directory; its name is the name of the function")
    private String directory = "";

    @Option(
            names = {"-t", "--template"},
            paramLabel = "NAME",
            description = "the template (default: blank); --list lists them")
    private String template = "blank";

    @Option(names = "--typescript", description = "writes handler.ts in place of handler.js")
    private boolean typescript;

    @Option(names = "--list", description = "lists the templates")
    private boolean list;

    NewCommand(Cli cli) {
        this.cli = cli;
    }

    @Override
    public Integer call() {
        if (list) {
            for (Template each : Templates.all()) {
                cli.data().printf("%-15s %s%n", each.name(), each.description());
            }
            return ExitCode.OK;
        }
        if (directory.isEmpty()) {
            throw new LauncherException("The name of the directory is missing: ./millrace fn new DIR");
        }
        Template chosen = Templates.find(template)
                .orElseThrow(() -> new LauncherException("There is no template " + template + "; the templates are "
                        + Templates.all().stream().map(Template::name).collect(Collectors.joining(", "))));
        Path path = Path.of(directory);
        ObjectNode definition = ((ObjectNode) chosen.definition()).deepCopy();
        definition.put(
                "appname", path.toAbsolutePath().normalize().getFileName().toString());
        if (typescript) {
            definition.withObject("/settings").put("language", "typescript");
        }
        FunctionDirectory.create(path, typescript ? chosen.typescript() : chosen.code(), definition, chosen.tests())
                .writeEditorFiles();
        cli.data().println(path);
        cli.talk()
                .printf(
                        "Next: ./millrace fn test %s runs its tests, ./millrace fn dev %s deploys it at each save and shows its"
                                + " log.%n",
                        path, path);
        return ExitCode.OK;
    }
}
