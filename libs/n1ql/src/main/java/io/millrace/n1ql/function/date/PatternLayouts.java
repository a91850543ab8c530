package io.millrace.n1ql.function.date;

import io.millrace.n1ql.function.date.LayoutItem.Kind;
import io.millrace.n1ql.function.date.LayoutItem.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Layouts in words: {@code YYYY-MM-DD hh:mm:ss.s TZD}. A space matches any character. */
final class PatternLayouts {

    private static final Map<String, LayoutItem> WORDS = Map.ofEntries(
            Map.entry("YYYY", LayoutItem.number(Kind.YEAR, 4, 4)),
            Map.entry("CC", LayoutItem.number(Kind.CENTURY, 2, 2)),
            Map.entry("YY", LayoutItem.number(Kind.YEAR_OF_CENTURY, 2, 2)),
            Map.entry("MM", LayoutItem.number(Kind.MONTH, 1, 2)),
            Map.entry("DD", LayoutItem.number(Kind.DAY, 1, 2)),
            Map.entry("hh", LayoutItem.number(Kind.HOUR, 1, 2)),
            Map.entry("HH24", LayoutItem.number(Kind.HOUR, 1, 2)),
            Map.entry("HH", LayoutItem.number(Kind.HOUR_OF_HALF, 1, 2)),
            Map.entry("HH12", LayoutItem.number(Kind.HOUR_OF_HALF, 1, 2)),
            Map.entry("mm", LayoutItem.number(Kind.MINUTE, 1, 2)),
            Map.entry("MI", LayoutItem.number(Kind.MINUTE, 1, 2)),
            Map.entry("ss", LayoutItem.number(Kind.SECOND, 1, 2)),
            Map.entry("SS", LayoutItem.number(Kind.SECOND, 1, 2)),
            Map.entry("s", LayoutItem.of(Kind.MILLIS)),
            Map.entry("sss", new LayoutItem(Kind.FRACTION, 1, 9, Style.PLAIN, "")),
            Map.entry("PP", new LayoutItem(Kind.HALF, 0, 0, Style.ANY_CASE, "upper")),
            Map.entry("AM", new LayoutItem(Kind.HALF, 0, 0, Style.ANY_CASE, "upper")),
            Map.entry("PM", new LayoutItem(Kind.HALF, 0, 0, Style.ANY_CASE, "upper")),
            Map.entry("pp", new LayoutItem(Kind.HALF, 0, 0, Style.ANY_CASE, "lower")),
            Map.entry("am", new LayoutItem(Kind.HALF, 0, 0, Style.ANY_CASE, "lower")),
            Map.entry("pm", new LayoutItem(Kind.HALF, 0, 0, Style.ANY_CASE, "lower")),
            Map.entry("TZD", LayoutItem.zone("")),
            Map.entry("TZN", LayoutItem.of(Kind.ZONE_NAME)),
            Map.entry("MONTH", word(Kind.MONTH_NAME, "MONTH")),
            Map.entry("Month", word(Kind.MONTH_NAME, "Month")),
            Map.entry("month", word(Kind.MONTH_NAME, "month")),
            Map.entry("MON", word(Kind.MONTH_SHORT, "MON")),
            Map.entry("Mon", word(Kind.MONTH_SHORT, "Mon")),
            Map.entry("mon", word(Kind.MONTH_SHORT, "mon")),
            Map.entry("DAY", word(Kind.WEEKDAY_NAME, "DAY")),
            Map.entry("Day", word(Kind.WEEKDAY_NAME, "Day")),
            Map.entry("day", word(Kind.WEEKDAY_NAME, "day")),
            Map.entry("DY", word(Kind.WEEKDAY_SHORT, "DY")),
            Map.entry("Dy", word(Kind.WEEKDAY_SHORT, "Dy")),
            Map.entry("dy", word(Kind.WEEKDAY_SHORT, "dy")));

    private static final int LONGEST_WORD = 5;

    private PatternLayouts() {}

    private static LayoutItem word(Kind kind, String spelling) {
        return new LayoutItem(kind, 0, 0, Style.ANY_CASE, spelling);
    }

    /** Returns the layout, or null if the text has none of the words. */
    static @Nullable Layout compile(String format) {
        List<LayoutItem> items = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        boolean found = false;
        int at = 0;
        while (at < format.length()) {
            String word = wordAt(format, at);
            if (word.isEmpty()) {
                if (format.charAt(at) == ' ') {
                    GoLayouts.flush(literal, items);
                    items.add(LayoutItem.of(Kind.ANY_CHARACTER));
                } else {
                    literal.append(format.charAt(at));
                }
                at++;
                continue;
            }
            GoLayouts.flush(literal, items);
            items.add(WORDS.getOrDefault(word, LayoutItem.literal(word)));
            found = true;
            at += word.length();
        }
        GoLayouts.flush(literal, items);
        return found ? new Layout(items, format.length()) : null;
    }

    private static String wordAt(String format, int at) {
        for (int length = Math.min(LONGEST_WORD, format.length() - at); length > 0; length--) {
            String candidate = format.substring(at, at + length);
            // a single s is a fraction only on its own
            boolean fits = !candidate.equals("s")
                    || (at == 0 || !Character.isLetter(format.charAt(at - 1)))
                            && (at + 1 == format.length() || !Character.isLowerCase(format.charAt(at + 1)));
            if (fits && WORDS.containsKey(candidate)) {
                return candidate;
            }
        }
        return "";
    }
}
