package io.millrace.acceptance;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The constants of every class of limits, as a table for people. */
final class LimitsTable {

    private static final Pattern CONSTANT =
            Pattern.compile("(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public )?static final \\w+ (\\w+) =");

    private LimitsTable() {}

    static String markdown() {
        StringBuilder table = new StringBuilder("""
                # Limits

                Every resource has a named limit; exceeding it returns an error that names it. This table is made from the
                code.

                | limit | value | meaning |
                |---|---|---|
                """);
        for (Path source : Repository.files("Limits.java")) {
            if (Repository.name(source).contains("src/main/")) {
                rows(source).forEach(row -> table.append(row).append('\n'));
            }
        }
        return table.toString();
    }

    private static List<String> rows(Path source) {
        String text = Repository.read(source);
        List<String> rows = new ArrayList<>();
        try (BuiltClasses classes = new BuiltClasses()) {
            Class<?> type = classes.load(source);
            Matcher matcher = CONSTANT.matcher(text);
            while (matcher.find()) {
                Field field = type.getDeclaredField(matcher.group(2));
                if (!Modifier.isPrivate(field.getModifiers())) {
                    field.setAccessible(true);
                    rows.add("| " + MarkdownTable.link("`" + field.getName() + "`", source) + " | "
                            + value(field.getName(), field.get(null)) + " | " + firstSentence(matcher.group(1)) + " |");
                }
            }
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError("Cannot read the limits of " + Repository.name(source), e);
        }
        return rows;
    }

    static String value(String name, Object value) {
        if (value instanceof Duration duration) {
            return duration(duration.toMillis());
        }
        if (!(value instanceof Number number)) {
            return String.valueOf(value);
        }
        long amount = number.longValue();
        if (name.contains("BYTES")) {
            return bytes(amount);
        }
        if (name.contains("MILLIS")) {
            return duration(amount);
        }
        return String.format(Locale.ROOT, "%,d", amount);
    }

    private static String bytes(long amount) {
        if (amount >= 1 << 20 && amount % (1 << 20) == 0) {
            return (amount >> 20) + " MiB";
        }
        if (amount >= 1 << 10 && amount % (1 << 10) == 0) {
            return (amount >> 10) + " KiB";
        }
        return String.format(Locale.ROOT, "%,d bytes", amount);
    }

    private static String duration(long millis) {
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + " h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + " min";
        }
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    static String firstSentence(String javadoc) {
        String text = javadoc.replaceAll("(?m)^\\s*\\*", " ")
                .replaceAll("\\s+", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link(?:plain)? [^ }]* ([^}]*)}", "$1")
                .replaceAll("\\{@link [^}]*#([^}]*)}", "`$1`")
                .replaceAll("\\{@link ([^}]*)}", "`$1`")
                .strip();
        Matcher end = Pattern.compile("\\.(?= |$)").matcher(text);
        return end.find() ? text.substring(0, end.start()) : text;
    }
}
