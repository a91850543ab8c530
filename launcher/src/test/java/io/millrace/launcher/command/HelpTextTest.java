package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The texts that are made from the commands; {@code ./millrace docs} writes them. */
class HelpTextTest {

    private final CommandLine commands = Commands.of(
            new Workspace(Path.of(".."), Map.of()), new Output(System.out, System.err, Ansi.OFF, Ansi.OFF, 80));

    @Test
    void helpBeforeTheBuild_isThatOfTheLauncher() throws IOException {
        check(Path.of("help.txt"), commands.getUsageMessage());
    }

    @Test
    void referencePage_isTheHelpOfEveryCommand() throws IOException {
        StringBuilder page = new StringBuilder("""
            # Command line

            `./millrace help COMMAND` prints what this page shows. Data is on standard output, everything else on standard error, so that output can be piped; commands that print data have `--json`. Colours are only for terminals, and never with `NO_COLOR`. A command finds the running suite of its data directory; `MILLRACE_URL` names another one.

            | exit status | meaning |
            |---|---|
            | 0 | success; also `up` and `demo` after Ctrl-C |
            | 1 | failure; standard error says what is wrong and what to do |
            | 2 | wrong arguments |
            | 3 | `status`: Millrace does not run |
            | 130 | Ctrl-C during a build |

            Completion of commands and options:

            ```console not run: changes the shell that it is typed in
            source <(./millrace completion bash)      # bash and zsh; put it into ~/.bashrc or ~/.zshrc
            ./millrace completion fish | source       # fish
            ```
            """);
        append(commands, "", page);
        check(Path.of("../docs/reference/command-line.md"), page.toString());
    }

    private static void append(CommandLine parent, String prefix, StringBuilder page) {
        parent.getSubcommands().forEach((name, command) -> {
            page.append("\n## %s%s\n\n```text\n%s```\n"
                    .formatted(prefix, name, command.getUsageMessage().stripLeading()));
            append(command, prefix + name + " ", page);
        });
    }

    private static void check(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("millrace.docs.update")) {
            Files.writeString(file, expected);
        }
        assertThat(file).as("%s is stale; ./millrace docs updates it", file).hasContent(expected);
    }
}
