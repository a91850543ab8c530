package io.millrace.launcher.shell;

import io.millrace.launcher.LauncherException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Runs N1QL: what a user types in a terminal, or a script. */
public final class QueryShell {

    private static final String PROMPT = "millrace> ";

    private final QueryGateway gateway;
    private final RowFormat format;
    private final Map<String, JsonNode> parameters;

    /**
     * Makes a shell.
     *
     * @param format how rows are printed at first
     * @param parameters the named parameters of all statements, as {@link #parameters} reads them
     */
    public QueryShell(QueryGateway gateway, RowFormat format, Map<String, JsonNode> parameters) {
        this.gateway = gateway;
        this.format = format;
        this.parameters = parameters;
    }

    /**
     * Reads named parameters. A value that is not valid JSON is a string.
     *
     * @param arguments each {@code NAME=VALUE}
     * @throws IllegalArgumentException if one has no name
     */
    public static Map<String, JsonNode> parameters(List<String> arguments) {
        Map<String, JsonNode> named = new LinkedHashMap<>();
        for (String argument : arguments) {
            int at = argument.indexOf('=');
            if (at < 1) {
                throw new IllegalArgumentException("not a query parameter: " + argument + "; use NAME=VALUE");
            }
            named.put(argument.substring(0, at), value(argument.substring(at + 1)));
        }
        return named;
    }

    /**
     * Runs the statements and commands of a script up to the first that fails. If the process is told to end meanwhile, the
     * running statement is cancelled.
     *
     * @param name what messages call the script; empty for the text of a command line
     * @param screenWidth the width of the terminal that {@code out} writes to; 0 without a terminal
     * @return whether all succeeded
     */
    public boolean script(Reader script, String name, PrintWriter out, PrintWriter err, int screenWidth) {
        Vocabulary vocabulary = new Vocabulary(gateway, System::nanoTime);
        try (Session session = new Session(gateway, format, parameters, vocabulary, out, err, () -> screenWidth);
                CancelAtExit ignored = new CancelAtExit(session);
                BufferedReader lines = new BufferedReader(script)) {
            ScriptScanner scanner = new ScriptScanner();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!runAll(session, scanner.feed(line), name)) {
                    return false;
                }
                if (session.isOver()) {
                    return true;
                }
            }
            return runAll(session, scanner.end().stream().toList(), name);
        } catch (IOException e) {
            throw new LauncherException("Cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private static boolean runAll(Session session, List<ScriptScanner.Piece> pieces, String name) {
        for (ScriptScanner.Piece piece : pieces) {
            if (session.isOver()) {
                return true;
            }
            if (!session.run(piece, name)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Reads statements from this process' terminal until the user ends the shell.
     *
     * @param greeting what to print first
     * @throws LauncherException if the terminal cannot be used
     */
    public void interact(String greeting, Map<String, String> environment) {
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty();
        try (Terminal terminal = TerminalBuilder.builder()
                .system(true)
                .dumb(true)
                .nativeSignals(true)
                .color(colours)
                .build()) {
            interact(greeting, terminal, HistoryFile.of(environment));
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot use this terminal (" + e.getMessage() + "); pass a statement, or -f FILE", e);
        }
    }

    void interact(String greeting, Terminal terminal, Path history) {
        HistoryFile.secure(history);
        Vocabulary vocabulary = new Vocabulary(gateway, System::nanoTime);
        PrintWriter screen = terminal.writer();
        LineReader reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("millrace")
                .parser(new ShellParser())
                .completer(new ShellCompleter(vocabulary))
                .variable(LineReader.HISTORY_FILE, history)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P -> ")
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                .build();
        screen.println(greeting);
        try (Session session =
                        new Session(gateway, format, parameters, vocabulary, screen, screen, terminal::getWidth);
                CancelAtExit ignored = new CancelAtExit(session)) {
            Optional<String> input = read(reader);
            while (input.isPresent() && !session.isOver()) {
                carryOut(session, terminal, ScriptScanner.pieces(input.get()));
                input = session.isOver() ? Optional.empty() : read(reader);
            }
        }
        screen.flush();
        HistoryFile.secure(history);
    }

    /** Returns what the user entered, nothing after Ctrl-C, or empty at the end of the input. */
    private static Optional<String> read(LineReader reader) {
        try {
            return Optional.of(reader.readLine(PROMPT));
        } catch (UserInterruptException e) {
            return Optional.of("");
        } catch (EndOfFileException e) {
            return Optional.empty();
        }
    }

    /** Carries out the pieces up to the first that fails; Ctrl-C cancels the running one, a second Ctrl-C does not wait for it. */
    private static void carryOut(Session session, Terminal terminal, List<ScriptScanner.Piece> pieces) {
        Thread runner = Thread.currentThread();
        AtomicBoolean cancelling = new AtomicBoolean();
        Terminal.SignalHandler before = terminal.handle(Signal.INT, signal -> {
            if (cancelling.getAndSet(true)) {
                runner.interrupt();
            } else {
                terminal.writer().println(); // behind the ^C
                Thread.ofVirtual().name("cancel").start(() -> cancel(session));
            }
        });
        try {
            runAll(session, pieces, "");
        } finally {
            terminal.handle(Signal.INT, before);
            Thread.interrupted(); // of a second Ctrl-C
        }
    }

    private static void cancel(Session session) {
        try {
            session.cancel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static JsonNode value(String text) {
        try {
            return StatementRun.MAPPER.readTree(text);
        } catch (JacksonException e) {
            return StatementRun.MAPPER.stringNode(text);
        }
    }
}
