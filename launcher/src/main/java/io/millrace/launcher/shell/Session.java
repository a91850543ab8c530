package io.millrace.launcher.shell;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Carries out statements and commands, one after the other, and keeps what the commands set. */
final class Session implements AutoCloseable {

    /** A command of the shell; the argument is empty if it takes none. */
    record Command(String name, String argument, String meaning) {}

    static final List<Command> COMMANDS = List.of(
            new Command("\\d", "[KEYSPACE]", "lists the keyspaces; or the indexes and the fields of one"),
            new Command("\\f", "[FORMAT]", "prints rows as " + RowFormat.names()),
            new Command("\\x", "", "prints each field on a line of its own, or stops that"),
            new Command("\\timing", "", "prints how long statements take, or stops that"),
            new Command("\\o", "[FILE]", "writes rows to a file; without a file, prints them again"),
            new Command("\\?", "", "prints this list"),
            new Command("\\q", "", "ends the shell, as Ctrl-D does"));

    private static final long CANCEL_MILLIS = 5_000;
    private static final int CHECKED_ROWS = 256;
    private static final Pattern EXPLAIN = Pattern.compile("(?is)EXPLAIN\\b.*");
    private static final Pattern CHANGES_KEYSPACES = Pattern.compile("(?is)(CREATE|DROP)\\b.*");

    private final QueryGateway gateway;
    private final Map<String, JsonNode> parameters;
    private final Vocabulary vocabulary;
    private final PrintWriter out;
    private final PrintWriter err;
    private final IntSupplier screenWidth;

    private RowFormat format;
    private boolean expanded;
    private boolean timing;
    private boolean over;
    private @Nullable PrintWriter file;
    private volatile @Nullable StatementRun running;

    /** {@code screenWidth} is asked before each result; 0 stands for any width. */
    Session(
            QueryGateway gateway,
            RowFormat format,
            Map<String, JsonNode> parameters,
            Vocabulary vocabulary,
            PrintWriter out,
            PrintWriter err,
            IntSupplier screenWidth) {
        this.gateway = gateway;
        this.format = format;
        this.parameters = parameters;
        this.vocabulary = vocabulary;
        this.out = out;
        this.err = err;
        this.screenWidth = screenWidth;
    }

    /** Whether the user has ended it. */
    boolean isOver() {
        return over;
    }

    /**
     * Carries out a piece of a script.
     *
     * @param name the name of the script for error messages; empty if a person typed the piece
     * @return whether it succeeded
     */
    boolean run(ScriptScanner.Piece piece, String name) {
        try {
            return piece.isCommand() ? command(piece.text()) : statement(piece.text(), name, piece.line());
        } catch (LauncherException e) {
            err.println("error: " + e.getMessage());
            return false;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** Cancels the running statement, if there is one, on the server; from another thread. */
    void cancel() throws InterruptedException {
        StatementRun run = running;
        if (run != null) {
            run.cancel(CANCEL_MILLIS);
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    // ---- statements

    private boolean statement(String statement, String name, int line) {
        StatementRun run = new StatementRun(gateway);
        RowPrinter printer = printer();
        boolean explained = EXPLAIN.matcher(statement).matches() && format.forPeople() && !expanded;
        PlanTree tree = new PlanTree(rows());
        long[] count = {0};
        long begun = System.nanoTime();
        running = run;
        Answer answer;
        try {
            answer = run.run(statement, parameters, row -> {
                vocabulary.learn(row);
                if (!explained || !tree.print(row)) {
                    printer.row(row);
                }
                count[0]++;
                return count[0] % CHECKED_ROWS != 0 || !rows().checkError(); // a reader such as head has ended
            });
        } finally {
            running = null;
            printer.end();
            rows().flush();
        }
        if (format.forPeople() && (answer.succeeded() || answer.rows() > 0)) {
            out.println("(" + answer.figures() + ")");
        }
        new Complaints(err).print(answer, statement, name, line);
        if (timing) {
            out.println("Time: " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)
                    + " ms, of which the server took " + answer.elapsed());
        }
        if (CHANGES_KEYSPACES.matcher(statement).matches()) {
            vocabulary.keyspacesChanged();
        }
        return answer.succeeded();
    }

    private PrintWriter rows() {
        return file == null ? out : file;
    }

    private RowPrinter printer() {
        int width = file == null ? screenWidth.getAsInt() : 0;
        if (expanded) {
            return new ExpandedPrinter(rows());
        }
        return switch (format) {
            case TABLE -> new GridPrinter(rows(), GridStyle.TABLE, width);
            case BOX -> new GridPrinter(rows(), GridStyle.BOX, width);
            case MARKDOWN -> new GridPrinter(rows(), GridStyle.MARKDOWN, 0);
            case CSV -> new CsvPrinter(rows(), err);
            case JSON -> RowPrinter.json(rows());
        };
    }

    // ---- commands

    private boolean command(String text) {
        String[] parts = text.split("\\s+", 2);
        String argument = parts.length == 1 ? "" : parts[1].strip().replaceFirst(";$", "");
        switch (parts[0].replaceFirst(";$", "").toLowerCase(Locale.ROOT)) {
            case "\\q" -> over = true;
            case "\\?" -> help();
            case "\\d" -> new Catalogue(gateway, vocabulary, out, screenWidth.getAsInt()).print(argument);
            case "\\f" -> format(argument);
            case "\\x" -> {
                expanded = !expanded;
                out.println(
                        expanded
                                ? "Each field is printed on a line of its own."
                                : "Rows are printed as " + format + ".");
            }
            case "\\timing" -> {
                timing = !timing;
                out.println(timing ? "The time of statements is printed." : "The time of statements is not printed.");
            }
            case "\\o" -> output(argument);
            default -> {
                err.println("error: " + parts[0] + " is not a command; \\? lists the commands");
                return false;
            }
        }
        return true;
    }

    private void help() {
        for (Command command : COMMANDS) {
            out.println("  " + Cells.fit(command.name() + " " + command.argument(), 16, false) + command.meaning());
        }
        out.println("Statements end with a semicolon. Ctrl-C cancels the running statement, or clears the input.");
    }

    private void format(String name) {
        if (!name.isEmpty()) {
            format = RowFormat.of(name)
                    .orElseThrow(
                            () -> new LauncherException(name + " is not a format; use one of " + RowFormat.names()));
            expanded = false;
        }
        out.println("Rows are printed as " + format + ".");
    }

    private void output(String path) {
        close();
        file = null;
        if (path.isEmpty()) {
            out.println("Rows are printed here.");
            return;
        }
        try {
            file = new PrintWriter(Files.newBufferedWriter(Path.of(path), StandardCharsets.UTF_8));
            out.println("Rows are written to " + path + ".");
        } catch (IOException e) {
            throw new LauncherException(
                    "Cannot write to " + path + " (" + e + "); name a file in a directory that exists", e);
        }
    }
}
