package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.Ports;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Parsing, help and exit statuses; no command is run. */
class CommandsTest {

    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final ByteArrayOutputStream talk = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                | no command was given ('./millrace help' lists the commands)
        querry            | unknown command: querry; did you mean query or user? ('./millrace help' lists the commands)
        frobnicate        | unknown command: frobnicate
        up --jsom         | up: unknown option: --jsom
        query --jsom x    | query: unknown option: --jsom; did you mean --json? ('./millrace help query' explains the command)
        up --port-offset -5    | up: invalid value for option '--port-offset': use a whole number from 0 to 54325, not -5 ('./millrace help up' explains the command)
        up --port-offset 54326 | up: invalid value for option '--port-offset': use a whole number from 0 to 54325, not 54326
        up --port-offset x     | up: invalid value for option '--port-offset': use a whole number from 0 to 54325, not x
        logs -n -5             | logs: invalid value for option '--lines': use a whole number from 0 to 100000, not -5
        fn logs f -n -1        | fn logs: invalid value for option '--lines': use a whole number from 0 to 100000, not -1
        key add k admin --days 0 | key add: invalid value for option '--days': use a whole number from 1 to 36500, not 0
        load a b c        | load: unexpected: c
        load a            | load: missing required parameter: 'BUCKET'
        completion tcsh   | completion: unknown shell: tcsh; use one of bash, zsh, fish ('./millrace help completion' explains the command)
        open nopage       | open: unknown page: nopage; use one of console, docs, nodes, api ('./millrace help open' explains the command)
        fn deploy         | fn deploy: missing required parameter: 'DIR' ('./millrace help fn deploy' explains the command)
        fn library putt   | fn library: unexpected: putt; did you mean put? ('./millrace help fn library' explains the command)
        help querry       | unknown command: querry; did you mean query or user? ('./millrace help' lists the commands)
        help fn deplo     | fn: unexpected: deplo; did you mean deploy or undeploy? ('./millrace help fn' explains the command)
        """)
    void mistake_isSaidInOneLineOnStandardError(String line, String expected) {
        int exit = execute(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(exit).isEqualTo(2);
        assertThat(text(talk)).startsWith("millrace: " + expected).hasLineCount(1);
        assertThat(text(data)).isEmpty();
    }

    @Test
    void everyCommand_hasHelpAndAPlaceInTheList() {
        CommandLine all = commands(Ansi.OFF);
        String list = all.getUsageMessage();

        assertThat(all.getSubcommands()).hasSizeGreaterThan(8).allSatisfy((name, command) -> {
            assertThat(list).containsPattern("(?m)^  " + name + " +\\S");
            assertThat(command.getUsageMessage()).contains("Usage: millrace " + name);
        });
    }

    @Test
    void help_explainsACommandBelowAnother() {
        assertThat(execute("help", "fn", "library", "put")).isZero();

        assertThat(text(data)).startsWith("Usage: millrace fn library put ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "ftp://localhost", "http://", "http://a b"})
    void urlThatIsNotOne_isSaid(String url) {
        Workspace workspace = workspace(Map.of("MILLRACE_URL", url));

        assertThatThrownBy(workspace::gateway)
                .isInstanceOf(LauncherException.class)
                .hasMessage("MILLRACE_URL is not a valid URL: " + url + "; use for example http://127.0.0.1:8080");
    }

    @Test
    void failure_isSaidInOneLineWithExitStatus1() {
        int exit = new CommandLine(new UpCommand(workspace(Map.of("MILLRACE_PORT", "many")), output(Ansi.OFF)))
                .setExecutionExceptionHandler(commands(Ansi.OFF).getExecutionExceptionHandler())
                .execute();

        assertThat(exit).isEqualTo(1);
        assertThat(text(talk))
                .isEqualTo("millrace: MILLRACE_PORT is not a valid port: many; use a number from 0 to 65535\n");
    }

    @Test
    void open_withoutAGatewayThere_leadsNowhere() {
        String url = "http://127.0.0.1:" + Ports.free();

        int exit = Commands.of(workspace(Map.of("MILLRACE_URL", url)), output(Ansi.OFF))
                .execute("open", "docs");

        assertThat(exit).isEqualTo(1);
        assertThat(text(data)).isEmpty();
        assertThat(text(talk))
                .startsWith("millrace: Cannot reach " + url + "/docs (")
                .contains("./millrace up");
    }

    @Test
    void colours_areOnlyForTerminals() {
        commands(Ansi.ON).execute("help");
        assertThat(text(data)).contains("\u001b[");

        data.reset();
        commands(Ansi.OFF).execute("help");
        assertThat(text(data)).doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completion_knowsCommandsAndOptions(String shell) {
        assertThat(execute("completion", shell)).isZero();

        assertThat(text(data)).contains("millrace", "query", "json", "images").doesNotContain("%n", "in-background");
    }

    private int execute(String... arguments) {
        return commands(Ansi.OFF).execute(arguments);
    }

    private CommandLine commands(Ansi style) {
        return Commands.of(workspace(Map.of()), output(style));
    }

    private static Workspace workspace(Map<String, String> environment) {
        return new Workspace(Path.of("target"), environment);
    }

    private Output output(Ansi style) {
        return new Output(new PrintStream(data, true), new PrintStream(talk, true), style, style, 80);
    }

    private static String text(ByteArrayOutputStream printed) {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
