package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** The text that {@code ./millrace help} prints before the first build; {@code ./millrace docs} writes it. */
class HelpTextTest {

    private static final Path FILE = Path.of("help.txt");

    @Test
    void helpBeforeTheBuild_isThatOfTheLauncher() throws IOException {
        Output output = new Output(System.out, System.err, Ansi.OFF, Ansi.OFF, 80);
        String help =
                Commands.of(new Workspace(Path.of(".."), Map.of()), output).getUsageMessage();

        if (Boolean.getBoolean("millrace.docs.update")) {
            Files.writeString(FILE, help);
        }
        assertThat(FILE)
                .as("launcher/help.txt is stale; ./millrace docs updates it")
                .hasContent(help);
    }
}
