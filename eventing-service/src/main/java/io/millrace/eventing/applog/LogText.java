package io.millrace.eventing.applog;

import io.millrace.eventing.applog.FunctionLogs.WrittenLine;
import io.millrace.workerprotocol.LogLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;

/** Formats log lines for files: always one line each, whatever the handler logged. */
final class LogText {

    private static final List<String> LEVELS = List.of("ERROR", "WARNING", "INFO", "DEBUG", "TRACE");
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private LogText() {}

    /** Returns true when a line of this level is written where {@code least} is the least severe level. */
    static boolean wanted(String level, String least) {
        return LEVELS.indexOf(level) <= LEVELS.indexOf(least);
    }

    static byte[] bytes(WrittenLine written, boolean json) {
        LogLine line = written.line();
        String time = time(Instant.ofEpochMilli(line.epochMillis()));
        String text = json
                ? "{\"time\":\"%s\",\"level\":\"%s\",\"version\":%d,%s\"text\":\"%s\"}\n"
                        .formatted(time, line.level(), written.version(), about(line.about()), quoted(line.text()))
                : "%s [%s] %s\n".formatted(time, line.level(), oneLine(line.text()));
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String about(LogLine.About about) {
        String trace = about.trace().isEmpty() ? "" : "\"trace\":\"%s\",".formatted(about.trace());
        String subject = about.ofDocument() ? "document" : "stream";
        return about.id().isEmpty() ? trace : "%s\"%s\":\"%s\",".formatted(trace, subject, quoted(about.id()));
    }

    static String time(Instant time) {
        return TIME.format(time);
    }

    private static String oneLine(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replace("\r", "\\r").replace("\n", "\\n");
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 16);
        text.chars().forEach(character -> {
            switch (character) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (character < 0x20) {
                        quoted.append("\\u%04x".formatted(character));
                    } else {
                        quoted.append((char) character);
                    }
                }
            }
        });
        return quoted.toString();
    }
}
