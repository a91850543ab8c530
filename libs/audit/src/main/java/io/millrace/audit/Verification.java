package io.millrace.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The result of checking a trail.
 *
 * @param lines how many lines are valid
 * @param head the hash of the last valid line, "" if there is none: it grows old with the trail, so a copy of it kept
 *     elsewhere shows whether lines were cut off at the end
 * @param defect the first line that is not as it was written, and why, or null
 */
public record Verification(
        long lines, String head, @Nullable String defect) {

    private static final Pattern TRAIL = Pattern.compile("audit-.*\\.jsonl");

    /** Checks the lines of a trail from its first one on. */
    public static Verification of(Iterable<String> lines) {
        ChainedLine last = null;
        for (String text : lines) {
            String defect = defect(last, text);
            if (defect != null) {
                return new Verification(count(last), head(last), "line " + (count(last) + 1) + ": " + defect);
            }
            last = ChainedLine.parse(text);
        }
        return new Verification(count(last), head(last), null);
    }

    /**
     * Checks a trail in files.
     *
     * @param current the file that is written; the full ones before it are next to it
     */
    public static Verification of(Path current) throws IOException {
        ChainedLine last = null;
        for (Path file : FileSink.files(current.toAbsolutePath())) {
            try (BufferedReader reader = Files.newBufferedReader(file)) {
                long number = 0;
                for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                    number++;
                    String defect = defect(last, text);
                    if (defect != null) {
                        return new Verification(
                                count(last), head(last), file.getFileName() + " line " + number + ": " + defect);
                    }
                    last = ChainedLine.parse(text);
                }
            }
        }
        return new Verification(count(last), head(last), null);
    }

    /** Returns the trails in a directory, and in those directly below it, as the files that are written. */
    public static List<Path> trails(Path directory) throws IOException {
        try (var found = Files.find(
                directory,
                2,
                (file, attributes) ->
                        TRAIL.matcher(file.getFileName().toString()).matches())) {
            return found.sorted().toList();
        }
    }

    private static @Nullable String defect(@Nullable ChainedLine last, String text) {
        try {
            ChainedLine line = ChainedLine.parse(text);
            String expected = last == null ? ChainedLine.START : last.hash();
            if (!line.previous().equals(expected) || line.sequence() != count(last) + 1) {
                return "it does not follow the line before it: lines are missing, or were added or moved";
            }
            return null;
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static long count(@Nullable ChainedLine last) {
        return last == null ? 0 : last.sequence();
    }

    private static String head(@Nullable ChainedLine last) {
        return last == null ? "" : last.hash();
    }
}
