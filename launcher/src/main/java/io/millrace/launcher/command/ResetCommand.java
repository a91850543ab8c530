package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.suite.DataDirectory;
import io.millrace.launcher.suite.SuiteState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "reset",
        description = {
            "deletes all documents, functions and users",
            "Deletes what is in the data directory after you have typed its name. Millrace must not be running. A Redis"
                    + " that REDIS_URL names is left as it is."
        })
final class ResetCommand implements Callable<Integer> {

    private final Workspace workspace;
    private final Output output;
    private final InputStream answers;

    @Option(
            names = "--confirm",
            paramLabel = "NAME",
            description = "the name of the data directory, instead of the question")
    private @Nullable String confirmed;

    @Option(names = "--json", description = "prints what was deleted as one line of JSON")
    private boolean json;

    ResetCommand(Workspace workspace, Output output, InputStream answers) {
        this.workspace = workspace;
        this.output = output;
        this.answers = answers;
    }

    @Override
    public Integer call() throws IOException {
        Path data = workspace.data();
        Optional<SuiteState> running = workspace.running();
        if (running.isPresent()) {
            throw new LauncherException("Millrace runs at " + running.get().gateway() + " and uses " + data
                    + ". Stop it first: ./millrace stop");
        }
        if (!Files.exists(data)) {
            output.say("There is no data directory " + data + "; nothing to delete.");
            return report(data, false);
        }
        // a mistaken MILLRACE_DATA must not delete other files
        if (!DataDirectory.isOne(data)) {
            throw new LauncherException(
                    data + " was not made by Millrace, so it is not deleted. MILLRACE_DATA names the data directory.");
        }
        String name = String.valueOf(data.getFileName());
        String typed = confirmed == null ? ask(data, name) : confirmed;
        if (!typed.equals(name)) {
            throw new LauncherException("Nothing was deleted: the name of the data directory is " + name
                    + (typed.isEmpty() ? "; confirm with --confirm " + name : ", not " + typed));
        }
        DataDirectory.clear(data, output::say);
        output.say("Deleted what was in " + data + "; './millrace up' starts with an empty one.");
        return report(data, true);
    }

    private int report(Path data, boolean deleted) {
        if (json) {
            output.data()
                    .println(JsonMapper.shared()
                            .createObjectNode()
                            .put("data", data.toString())
                            .put("deleted", deleted));
        }
        return ExitCode.OK;
    }

    private String ask(Path data, String name) throws IOException {
        output.talk()
                .println(output.talkStyle()
                        .string("This deletes @|bold all documents, functions and users|@ in " + data + "."));
        output.talk().print("Type " + name + " to confirm: ");
        output.talk().flush();
        String line = new BufferedReader(new InputStreamReader(answers, StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            output.talk().println();
            return "";
        }
        return line.strip();
    }
}
