package io.millrace.launcher.command;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A log that another process appends to, and may rotate. */
final class LogFile {

    /** How much of the end is read for the last lines. */
    private static final int TAIL_BYTES = 1024 * 1024;

    /** Lines of services say their time; those of a stack trace or of Redis have that of the line before. */
    private static final Pattern TIME = Pattern.compile("time=(\\S+) ");

    private final String name;
    private final Path path;
    private long read;
    private String time = "";

    /** A line, and the last time that its log said before it or in it. */
    record Line(String log, String time, String text) {}

    LogFile(String name, Path path) {
        this.name = name;
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** Returns the last lines that are complete; {@link #added} goes on behind them. */
    List<Line> last(int count) throws IOException {
        read = Files.exists(path) ? Math.max(0, Files.size(path) - TAIL_BYTES) : 0;
        List<Line> lines = added();
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    /** Returns the lines that were completed since the last call. */
    List<Line> added() throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        byte[] bytes;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            if (file.length() < read) { // rotated
                read = 0;
            }
            bytes = new byte[Math.toIntExact(Math.min(file.length() - read, TAIL_BYTES))];
            file.seek(read);
            file.readFully(bytes);
        }
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (end == 0 && bytes.length == TAIL_BYTES) { // a line longer than what is read at once
            end = bytes.length;
        }
        read += end;
        List<Line> lines = new ArrayList<>();
        for (String line :
                new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList()) {
            Matcher said = TIME.matcher(line);
            if (said.lookingAt()) {
                time = said.group(1);
            }
            lines.add(new Line(name, time, line));
        }
        return lines;
    }
}
