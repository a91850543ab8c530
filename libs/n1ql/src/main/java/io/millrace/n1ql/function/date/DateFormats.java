package io.millrace.n1ql.function.date;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the layout for a format. A format has one of four styles: percent signs as in Unix date; words such as YYYY; a
 * Go layout; or an example, which is a date in one of the standard formats.
 */
final class DateFormats {

    static final Layout DEFAULT = GoLayouts.compile("2006-01-02T15:04:05.999Z07:00");

    private static final List<Layout> STANDARD = standard();
    /** The most cached layouts; statements have few formats, but formats may come from data. */
    private static final int MOST_CACHED = 1000;

    private static final Map<String, Layout> CACHE = new ConcurrentHashMap<>();

    private DateFormats() {}

    private static List<Layout> standard() {
        List<Layout> layouts = new ArrayList<>();
        for (String fraction : List.of(".999", "")) {
            for (String zone : List.of("Z07:00", "Z0700", "Z07")) {
                for (String date : List.of("2006-01-02T", "2006-01-02 ", "2006/01/02T", "2006/01/02 ")) {
                    layouts.add(GoLayouts.compile(date + "15:04:05" + fraction + zone));
                }
            }
        }
        for (String fraction : List.of(".999", "")) {
            for (String date : List.of("2006-01-02T", "2006-01-02 ", "2006/01/02T", "2006/01/02 ")) {
                layouts.add(GoLayouts.compile(date + "15:04:05" + fraction));
            }
        }
        for (String format : List.of(
                "2006-01-02",
                "2006/01/02",
                "15:04:05.999Z07:00",
                "15:04:05Z07:00",
                "15:04:05.000000000",
                "15:04:05.000000",
                "15:04:05.999",
                "15:04:05")) {
            layouts.add(GoLayouts.compile(format));
        }
        return layouts;
    }

    /** Parses a date, in any standard format if none is given; returns null if the text is not a date. */
    static @Nullable ZonedDateTime read(String text, @Nullable String format, ZoneId zone) {
        if (format == null || format.isBlank()) {
            return readStandard(text, zone);
        }
        Layout layout = find(format);
        return layout == null ? null : layout.read(text, zone);
    }

    private static @Nullable ZonedDateTime readStandard(String text, ZoneId zone) {
        for (Layout layout : STANDARD) {
            ZonedDateTime date = layout.length() == text.length() ? layout.read(text, zone) : null;
            if (date != null) {
                return date;
            }
        }
        for (Layout layout : STANDARD) {
            ZonedDateTime date = layout.length() != text.length() ? layout.read(text, zone) : null;
            if (date != null) {
                return date;
            }
        }
        return null;
    }

    /** Writes a date; an unknown format is replaced by the default format. */
    static String write(ZonedDateTime date, @Nullable String format) {
        Layout layout = format == null || format.isBlank() ? DEFAULT : find(format);
        return (layout == null ? DEFAULT : layout).write(date);
    }

    /** Writes a date in the standard format of an example. */
    static String writeLike(ZonedDateTime date, String example) {
        return closest(example).write(date);
    }

    private static @Nullable Layout find(String format) {
        Layout known = CACHE.get(format);
        if (known != null) {
            return known;
        }
        Layout layout = compile(format);
        if (layout != null && CACHE.size() < MOST_CACHED) {
            CACHE.put(format, layout);
        }
        return layout;
    }

    private static @Nullable Layout compile(String format) {
        String trimmed = format.strip();
        if (format.indexOf('%') >= 0) {
            return PercentLayouts.compile(format);
        }
        if (trimmed.replace("HH24", "").replace("HH12", "").chars().noneMatch(Character::isDigit)) {
            return PatternLayouts.compile(format);
        }
        return isGo(trimmed) ? GoLayouts.compile(format) : closest(trimmed);
    }

    /** Standard formats begin with a digit; an example does not begin with a number of the reference time. */
    private static boolean isGo(String format) {
        int end = 0;
        while (end < format.length() && Character.isDigit(format.charAt(end))) {
            end++;
        }
        String number = format.substring(0, end);
        return end == 0 || number.equals("2006") || number.equals("15") || number.matches("0?[1-6]");
    }

    /** Returns the standard layout that parses an example and is closest to it in length. */
    private static Layout closest(String example) {
        Layout best = DEFAULT;
        int distance = Integer.MAX_VALUE;
        // all styles write UTC as Z, so the plain style is used
        String shown = example.endsWith("Z")
                ? example.substring(0, example.length() - 1).replaceFirst("\\.[0-9]+", ".999") + "+00:00"
                : example;
        for (Layout layout : STANDARD) {
            int off = Math.abs(layout.length() - shown.length());
            if (off < distance && layout.read(example, java.time.ZoneOffset.UTC) != null) {
                best = layout;
                distance = off;
            }
        }
        return best;
    }
}
