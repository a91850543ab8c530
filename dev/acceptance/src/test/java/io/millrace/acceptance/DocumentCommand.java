package io.millrace.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command that a document shows: curl, or {@code ./millrace query}. */
interface DocumentCommand {

    /**
     * What a command printed.
     *
     * @param succeeded whether the reader would call it a success
     */
    record Printed(boolean succeeded, String text) {}

    /** Runs it against {@code gateway} in the place of {@code localhost:8080}. */
    Printed run(HttpClient client, URI gateway) throws IOException, InterruptedException;

    /** Every command of a shell block; {@code @file} is read below {@code directory}. */
    static List<DocumentCommand> parseAll(String block, Path directory) throws IOException {
        List<DocumentCommand> commands = new ArrayList<>();
        for (List<String> words : words(block)) {
            if (words.getFirst().equals("curl")) {
                commands.add(CurlCommand.parse(words, directory));
            } else if (words.size() > 2 && words.subList(0, 2).equals(List.of("./millrace", "query"))) {
                commands.add(new QueryCommand(words));
            } else {
                throw new AssertionError("A document may show curl and ./millrace query in bash blocks, not: "
                        + String.join(" ", words));
            }
        }
        return commands;
    }

    /** {@code ./millrace query} with its arguments, as the script runs it once everything is built. */
    record QueryCommand(List<String> words) implements DocumentCommand {

        @Override
        public Printed run(HttpClient client, URI gateway) throws IOException, InterruptedException {
            String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
            try (LauncherProcess query = LauncherProcess.start(RunningSuite.environment(), arguments)) {
                int exit = query.awaitExit(60);
                return new Printed(exit == 0, query.output());
            }
        }

        @Override
        public String toString() {
            return String.join(" ", words);
        }
    }

    /** Words as a shell splits them: quotes, continued lines. */
    private static List<List<String>> words(String block) {
        List<List<String>> commands = new ArrayList<>();
        List<String> command = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        for (int i = 0; i < block.length(); i++) {
            char c = block.charAt(i);
            if (c == '\'' || c == '"') {
                int end = block.indexOf(c, i + 1);
                word.append(block, i + 1, end);
                inWord = true;
                i = end;
            } else if (c == '\\' && block.charAt(i + 1) == '\n') {
                i++;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    command.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
                if (c == '\n' && !command.isEmpty()) {
                    commands.add(command);
                    command = new ArrayList<>();
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        return commands;
    }
}
