package io.millrace.n1ql.function.date;

import io.millrace.n1ql.function.date.LayoutItem.Kind;
import io.millrace.n1ql.function.date.LayoutItem.Style;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Layouts in the style of Unix date: {@code %Y-%m-%d %H:%M:%S}. After the sign, {@code _} pads with spaces, {@code -}
 * does not pad, {@code ^} writes capitals and accepts any case, and digits are a width. A space matches any character.
 */
final class PercentLayouts {

    private final String format;
    private final List<LayoutItem> items = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();
    private int at;
    private Style style = Style.PLAIN;
    private int width;

    private PercentLayouts(String format) {
        this.format = format;
    }

    /** Returns the layout, or null if a letter is unknown. */
    static @Nullable Layout compile(String format) {
        PercentLayouts compiler = new PercentLayouts(format);
        return compiler.compile() ? new Layout(compiler.items, format.length()) : null;
    }

    private boolean compile() {
        while (at < format.length()) {
            char c = format.charAt(at++);
            if (c == ' ') {
                GoLayouts.flush(literal, items);
                items.add(LayoutItem.of(Kind.ANY_CHARACTER));
            } else if (c != '%') {
                literal.append(c);
            } else if (!directive()) {
                return false;
            }
        }
        GoLayouts.flush(literal, items);
        return true;
    }

    private boolean directive() {
        style = Style.PLAIN;
        width = 0;
        if (at < format.length() && "_-0^".indexOf(format.charAt(at)) >= 0) {
            style = switch (format.charAt(at++)) {
                case '_' -> Style.SPACES;
                case '-' -> Style.UNPADDED;
                case '^' -> Style.ANY_CASE;
                default -> Style.PLAIN;
            };
        }
        while (at < format.length() && Character.isDigit(format.charAt(at))) {
            width = Math.min(99, width * 10 + Character.digit(format.charAt(at++), 10));
        }
        if (at < format.length() && "EO".indexOf(format.charAt(at)) >= 0) {
            at++;
        }
        int colons = 0;
        while (at < format.length() && format.charAt(at) == ':') {
            at++;
            colons++;
        }
        if (at == format.length()) {
            return false;
        }
        GoLayouts.flush(literal, items);
        char letter = format.charAt(at++);
        return colons > 0 ? zone(letter, colons) : date(letter) || time(letter) || week(letter);
    }

    private boolean zone(char letter, int colons) {
        items.add(LayoutItem.zone(colons == 2 ? "-07:00:00" : "-07:00"));
        return letter == 'z';
    }

    private void number(Kind kind, int digits) {
        int min = style == Style.UNPADDED ? 1 : digits;
        items.add(new LayoutItem(kind, min, width > 0 ? width : digits, style, ""));
    }

    private boolean date(char letter) {
        switch (letter) {
            case '%' -> items.add(LayoutItem.literal("%"));
            case 'D', 'x' -> items.addAll(GoLayouts.compile("2006-01-02").items());
            case 'F' -> items.addAll(DateFormats.DEFAULT.items());
            case 'Y' -> number(Kind.YEAR, 4);
            case 'C' -> number(Kind.CENTURY, 2);
            case 'y' -> number(Kind.YEAR_OF_CENTURY, 2);
            case 'm' -> number(Kind.MONTH, 2);
            case 'B' -> items.add(LayoutItem.of(Kind.MONTH_NAME, style));
            case 'b', 'h' -> items.add(LayoutItem.of(Kind.MONTH_SHORT, style));
            case 'd' -> number(Kind.DAY, 2);
            case 'e' -> items.add(new LayoutItem(Kind.DAY, 2, 2, Style.SPACES, ""));
            case 'f' -> items.add(LayoutItem.of(Kind.ORDINAL, style));
            case 'A' -> items.add(LayoutItem.of(Kind.WEEKDAY_NAME, style));
            case 'a' -> items.add(LayoutItem.of(Kind.WEEKDAY_SHORT, style));
            case 'j' -> number(Kind.DAY_OF_YEAR, 3);
            case 's' -> items.add(LayoutItem.of(Kind.EPOCH_SECONDS));
            case 'z' -> items.add(LayoutItem.anyZone());
            case 'Z' -> items.add(LayoutItem.of(Kind.ZONE_NAME));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean time(char letter) {
        Style half = letter == 'P' ? Style.LOWER : Style.UPPER;
        switch (letter) {
            case 'H' -> number(Kind.HOUR, 2);
            case 'I' -> number(Kind.HOUR_OF_HALF, 2);
            case 'k' -> items.add(new LayoutItem(Kind.HOUR, 2, 2, Style.SPACES, ""));
            case 'l' -> items.add(new LayoutItem(Kind.HOUR_OF_HALF, 2, 2, Style.SPACES, ""));
            case 'p', 'P' -> items.add(new LayoutItem(Kind.HALF, 0, 0, style == Style.ANY_CASE ? style : half, ""));
            case 'M' -> number(Kind.MINUTE, 2);
            case 'S' -> number(Kind.SECOND, 2);
            case 'N' -> items.add(new LayoutItem(Kind.FRACTION, 1, width > 0 ? Math.min(9, width) : 9, style, ""));
            case 'n' -> items.add(LayoutItem.of(Kind.MILLIS));
            case 'R' -> parts("H:M");
            case 'T', 'X' -> parts("H:M:S");
            case 'r' -> {
                parts("I:M:S");
                items.add(LayoutItem.literal(" "));
                items.add(LayoutItem.of(Kind.HALF, Style.UPPER));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void parts(String letters) {
        for (int i = 0; i < letters.length(); i++) {
            if (letters.charAt(i) == ':') {
                items.add(LayoutItem.literal(":"));
            } else {
                time(letters.charAt(i));
            }
        }
    }

    private boolean week(char letter) {
        switch (letter) {
            case 'V' -> number(Kind.ISO_WEEK, 2);
            case 'G' -> number(Kind.ISO_YEAR, 4);
            case 'q' -> items.add(LayoutItem.of(Kind.QUARTER));
            case 'w' -> items.add(LayoutItem.of(Kind.WEEKDAY_NUMBER));
            case 'u' -> items.add(new LayoutItem(Kind.WEEKDAY_NUMBER, 0, 0, Style.PLAIN, "iso"));
            case 'U' -> number(Kind.WEEK_FROM_SUNDAY, 2);
            case 'W' -> number(Kind.WEEK_FROM_MONDAY, 2);
            default -> {
                return false;
            }
        }
        return true;
    }
}
