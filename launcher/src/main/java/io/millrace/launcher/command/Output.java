package io.millrace.launcher.command;

import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * Where a command writes.
 *
 * @param data standard output: what the command was asked for, and nothing else
 * @param talk standard error: progress, warnings and errors
 * @param dataStyle whether data is coloured
 * @param talkStyle whether talk is coloured
 * @param columns the width of the terminal
 */
record Output(PrintStream data, PrintStream talk, Ansi dataStyle, Ansi talkStyle, int columns) {

    private static final int DEFAULT_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 55;

    /**
     * Returns the output of this process. The script says in {@code millrace.terminals} which of the standard streams are
     * terminals, because a JVM cannot find out for each of them.
     */
    static Output ofProcess(Map<String, String> environment) {
        boolean colours = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new Output(
                System.out,
                System.err,
                style(colours && isTerminal(1)),
                style(colours && isTerminal(2)),
                Math.max(FEWEST_COLUMNS, Integer.getInteger("millrace.columns", DEFAULT_COLUMNS)));
    }

    /** Returns whether standard input (0), output (1) or error (2) is a terminal. */
    static boolean isTerminal(int stream) {
        return System.getProperty("millrace.terminals", "").contains(Integer.toString(stream));
    }

    private static Ansi style(boolean coloured) {
        return coloured ? Ansi.ON : Ansi.OFF;
    }

    /** Prints a line of data, in which {@code @|bold text|@} is markup. */
    void print(String markup) {
        data.println(dataStyle.string(markup));
    }

    /** Tells the user something that is not data. */
    void say(String line) {
        talk.println(line);
    }
}
