package io.millrace.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a file differs from the copy of its lines in the stream.
 *
 * @param equal how many lines are the same in both
 * @param notCopied how many lines at the end of the file the stream does not have yet
 * @param differences the first lines that differ, in words; the copy was made while they were written, so that one of both was
 *     changed afterwards
 */
public record Comparison(long equal, long notCopied, List<String> differences) {

    private static final int MAX_DIFFERENCES = 10;

    public Comparison {
        differences = List.copyOf(differences);
    }

    /** Returns the name by which the stream knows the trail of a file; empty if no line was copied. */
    public static Optional<String> trail(Path current) throws IOException {
        return Optional.ofNullable(FileSink.knownTrail(current.toAbsolutePath()));
    }

    /**
     * Compares a trail with its copy. Lines before the first one of the copy are in the file alone: the stream keeps the newest.
     *
     * @param current the file that is written; the full ones before it are next to it
     * @param copied the lines in the stream, in order
     */
    public static Comparison of(Path current, Iterator<String> copied) throws IOException {
        Walk walk = new Walk(copied);
        for (Path file : FileSink.files(current.toAbsolutePath())) {
            try (var lines = Files.lines(file)) {
                lines.forEachOrdered(walk::line);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return walk.end();
    }

    /** Goes through both in the order of their sequences. */
    private static final class Walk {

        private final Iterator<String> copied;
        private final List<String> differences = new ArrayList<>();
        private @Nullable String next;
        private boolean begun;
        private long equal;
        private long notCopied;

        Walk(Iterator<String> copied) {
            this.copied = copied;
            advance();
        }

        private void advance() {
            next = copied.hasNext() ? copied.next() : null;
        }

        void line(String text) {
            long sequence = ChainedLine.sequenceOf(text);
            while (next != null && ChainedLine.sequenceOf(next) < sequence) {
                missing(next);
            }
            if (next == null) {
                notCopied++;
            } else if (ChainedLine.sequenceOf(next) > sequence) {
                if (begun) {
                    differ("line " + sequence
                            + " is in the file and not in the stream: it was added, or removed there");
                }
            } else {
                compare(next, text);
            }
        }

        private void missing(String line) {
            begun = true;
            differ("line " + ChainedLine.sequenceOf(line) + " is in the stream and missing in the file");
            advance();
        }

        private void compare(String there, String here) {
            begun = true;
            if (there.equals(here)) {
                equal++;
            } else {
                differ("line " + ChainedLine.sequenceOf(here) + " was altered: the stream has " + there);
            }
            advance();
        }

        private void differ(String what) {
            if (differences.size() < MAX_DIFFERENCES) {
                differences.add(what);
            }
        }

        Comparison end() {
            while (next != null) {
                missing(next);
            }
            return new Comparison(equal, notCopied, differences);
        }
    }
}
