package io.millrace.launcher.command;

import java.nio.file.Path;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = {
            "prints the completion of a shell: bash, zsh or fish",
            "bash, zsh:  source <(./millrace completion bash)",
            "fish:       ./millrace completion fish | source"
        })
final class CompletionCommand implements Runnable {

    private enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Output output;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.BASH;

    CompletionCommand(Output output) {
        this.output = output;
    }

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        // the script that picocli makes is for bash and for zsh
        output.data().print(shell == Shell.FISH ? fish(root) : AutoComplete.bash("millrace", root));
    }

    private static String fish(CommandLine root) {
        StringBuilder script = new StringBuilder("complete -c millrace -f\n");
        root.getSubcommands().forEach((name, command) -> {
            CommandSpec model = command.getCommandSpec();
            String[] description = model.usageMessage().description();
            script.append("complete -c millrace -n __fish_use_subcommand -a ")
                    .append(name)
                    .append(" -d ")
                    .append(quoted(description.length == 0 ? "" : description[0]))
                    .append('\n');
            String condition = "complete -c millrace -n '__fish_seen_subcommand_from " + name + "'";
            model.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> script.append(condition)
                            .append(names(option))
                            .append(option.arity().max() > 0 ? " -r" : "")
                            .append(" -d ")
                            .append(quoted(String.join(" ", option.description())))
                            .append('\n'));
            model.positionalParameters().forEach(parameter -> script.append(words(condition, parameter)));
        });
        return script.toString();
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return names.toString();
    }

    /** The words that a parameter accepts, or else files. */
    private static String words(String condition, ArgSpec parameter) {
        if (parameter.completionCandidates() != null) {
            return condition + " -a '" + String.join(" ", parameter.completionCandidates()) + "'\n";
        }
        return parameter.type().equals(Path.class) ? condition + " -F\n" : "";
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
