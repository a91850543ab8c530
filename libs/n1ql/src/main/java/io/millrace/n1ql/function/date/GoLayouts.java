package io.millrace.n1ql.function.date;

import io.millrace.n1ql.function.date.LayoutItem.Kind;
import io.millrace.n1ql.function.date.LayoutItem.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Layouts in the style of Go: the reference time Mon Jan 2 15:04:05 MST 2006 in the wanted format. */
final class GoLayouts {

    /** The items by their text; the longest match counts. */
    private static final Map<String, LayoutItem> PIECES = Map.ofEntries(
            Map.entry("2006", LayoutItem.number(Kind.YEAR, 4, 4)),
            Map.entry("06", LayoutItem.number(Kind.YEAR_OF_CENTURY, 2, 2)),
            Map.entry("January", LayoutItem.of(Kind.MONTH_NAME)),
            Map.entry("Jan", LayoutItem.of(Kind.MONTH_SHORT)),
            Map.entry("01", LayoutItem.number(Kind.MONTH, 2, 2)),
            Map.entry("1", new LayoutItem(Kind.MONTH, 1, 2, Style.UNPADDED, "")),
            Map.entry("Monday", LayoutItem.of(Kind.WEEKDAY_NAME)),
            Map.entry("Mon", LayoutItem.of(Kind.WEEKDAY_SHORT)),
            Map.entry("02", LayoutItem.number(Kind.DAY, 2, 2)),
            Map.entry("_2", new LayoutItem(Kind.DAY, 1, 2, Style.SPACES, "")),
            Map.entry("2", new LayoutItem(Kind.DAY, 1, 2, Style.UNPADDED, "")),
            Map.entry("002", LayoutItem.number(Kind.DAY_OF_YEAR, 3, 3)),
            Map.entry("__2", new LayoutItem(Kind.DAY_OF_YEAR, 1, 3, Style.SPACES, "")),
            Map.entry("15", LayoutItem.number(Kind.HOUR, 1, 2)),
            Map.entry("03", LayoutItem.number(Kind.HOUR_OF_HALF, 2, 2)),
            Map.entry("3", new LayoutItem(Kind.HOUR_OF_HALF, 1, 2, Style.UNPADDED, "")),
            Map.entry("04", LayoutItem.number(Kind.MINUTE, 2, 2)),
            Map.entry("4", new LayoutItem(Kind.MINUTE, 1, 2, Style.UNPADDED, "")),
            Map.entry("05", new LayoutItem(Kind.SECOND, 2, 2, Style.PLAIN, "go")),
            Map.entry("5", new LayoutItem(Kind.SECOND, 1, 2, Style.UNPADDED, "go")),
            Map.entry("PM", LayoutItem.of(Kind.HALF, Style.UPPER)),
            Map.entry("pm", LayoutItem.of(Kind.HALF, Style.LOWER)),
            Map.entry("MST", LayoutItem.zone("MST")),
            Map.entry("Z07:00:00", LayoutItem.zone("Z07:00:00")),
            Map.entry("Z07:00", LayoutItem.zone("Z07:00")),
            Map.entry("Z0700", LayoutItem.zone("Z0700")),
            Map.entry("Z07", LayoutItem.zone("Z07")),
            Map.entry("-07:00:00", LayoutItem.zone("-07:00:00")),
            Map.entry("-07:00", LayoutItem.zone("-07:00")),
            Map.entry("-0700", LayoutItem.zone("-0700")),
            Map.entry("-07", LayoutItem.zone("-07")));

    private static final int LONGEST_PIECE = 9;

    private GoLayouts() {}

    static Layout compile(String format) {
        List<LayoutItem> items = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < format.length()) {
            int fraction = fractionLength(format, at);
            String piece = fraction > 0 ? format.substring(at, at + fraction) : piece(format, at);
            if (piece.isEmpty()) {
                literal.append(format.charAt(at++));
                continue;
            }
            flush(literal, items);
            items.add(fraction > 0 ? fraction(piece) : PIECES.getOrDefault(piece, LayoutItem.literal(piece)));
            at += piece.length();
        }
        flush(literal, items);
        return new Layout(items, format.length());
    }

    static void flush(StringBuilder literal, List<LayoutItem> items) {
        if (literal.length() > 0) {
            items.add(LayoutItem.literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private static String piece(String format, int at) {
        for (int length = Math.min(LONGEST_PIECE, format.length() - at); length > 0; length--) {
            String candidate = format.substring(at, at + length);
            if (PIECES.containsKey(candidate)) {
                return candidate;
            }
        }
        return "";
    }

    /** A point or comma followed by only 0s or only 9s and no other digit. */
    private static int fractionLength(String format, int at) {
        if (format.charAt(at) != '.' && format.charAt(at) != ',' || at + 1 == format.length()) {
            return 0;
        }
        char digit = format.charAt(at + 1);
        int end = at + 1;
        while (end < format.length() && format.charAt(end) == digit) {
            end++;
        }
        boolean closed = end == format.length() || !Character.isDigit(format.charAt(end));
        return (digit == '0' || digit == '9') && closed && end - at <= 10 ? end - at : 0;
    }

    private static LayoutItem fraction(String piece) {
        int digits = piece.length() - 1;
        Kind kind = piece.charAt(1) == '0' ? Kind.FRACTION : Kind.OPTIONAL_FRACTION;
        return new LayoutItem(kind, digits, digits, Style.PLAIN, piece.substring(0, 1));
    }
}
