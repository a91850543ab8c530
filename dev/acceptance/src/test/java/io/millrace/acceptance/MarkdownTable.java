package io.millrace.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the generated tables of {@code docs/reference} share. */
final class MarkdownTable {

    static final Path DIRECTORY = Repository.ROOT.resolve("docs/reference");

    private MarkdownTable() {}

    /** A link from a page in {@link #DIRECTORY} to a file. */
    static String link(String text, Path file) {
        return "[" + text + "](" + DIRECTORY.relativize(file) + ")";
    }

    /** What a cell may contain: one line, without the character that ends it. */
    static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ").strip();
    }

    /** The last cell of each row of a page by its first one: what people have written, which a new version keeps. */
    static Map<String, String> writtenByHand(String page) {
        Map<String, String> cells = new HashMap<>();
        Path file = DIRECTORY.resolve(page);
        if (Files.exists(file)) {
            Repository.read(file)
                    .lines()
                    .map(line -> line.split("(?<!\\\\)\\|"))
                    .filter(row -> row.length > 2)
                    .forEach(row -> cells.put(row[1].strip(), row[row.length - 1].strip()));
        }
        return cells;
    }
}
