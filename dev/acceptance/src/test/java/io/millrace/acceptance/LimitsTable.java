package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The constants of every class of limits, as tables for people. */
final class LimitsTable {

    private static final Pattern CONSTANT =
            Pattern.compile("(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public )?static final \\w+ (\\w+) =");

    private static final Pattern OF_A_PART =
            Pattern.compile("/\\*\\*\\s+(?:\\* )?(?:The limits|Limits) of (?:the |a )?([^.,:]+)[.,:]");

    private LimitsTable() {}

    static String markdown() {
        StringBuilder page = new StringBuilder("""
                # Limits

                Everything has a limit with a name. What exceeds one waits, or is refused with an error that says so. This page
                is made from the code.
                """);
        sections().forEach((part, section) -> page.append("\n## ").append(part).append(section));
        return page.toString();
    }

    /** Returns what is below each heading, in the order of the headings. */
    private static Map<String, String> sections() {
        Map<String, String> sections = new TreeMap<>();
        for (Path source : Repository.files("Limits.java")) {
            List<String> rows = Repository.name(source).contains("src/main/") ? rows(source) : List.of();
            if (!rows.isEmpty()) {
                String before = sections.put(
                        part(Repository.read(source)),
                        "\n\n%s\n\n| limit | value | meaning |\n|---|---|---|\n%s\n"
                                .formatted(
                                        MarkdownTable.link(
                                                "`"
                                                        + String.valueOf(source.getFileName())
                                                                .replace(".java", "") + "`",
                                                source),
                                        String.join("\n", rows)));
                assertThat(before)
                        .as("two classes have the limits of the same part; say the part in the Javadoc of %s", source)
                        .isNull();
            }
        }
        return sections;
    }

    /** Returns what a class has the limits of: {@code The limits of bulk loads, each with its unit.} are those of Bulk loads. */
    static String part(String text) {
        Matcher javadoc = OF_A_PART.matcher(text);
        assertThat(javadoc.find())
                .as("the Javadoc of a class of limits begins with 'The limits of'")
                .isTrue();
        String part = javadoc.group(1).replaceAll("\\s+(\\* )?", " ");
        return part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1);
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
                    rows.add("| `" + field.getName() + "` | " + value(field.getName(), field.get(null)) + " | "
                            + firstSentence(matcher.group(1)) + " |");
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
