package io.millrace.n1ql.function.date;

import io.millrace.n1ql.function.date.LayoutItem.Style;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;

/** Writes dates. */
final class LayoutWriter {

    private static final int NANOS_PER_MILLI = 1_000_000;

    private LayoutWriter() {}

    static String write(ZonedDateTime date, List<LayoutItem> items) {
        StringBuilder out = new StringBuilder();
        for (LayoutItem item : items) {
            write(date, item, out);
        }
        return out.toString();
    }

    private static void write(ZonedDateTime date, LayoutItem item, StringBuilder out) {
        switch (item.kind()) {
            case LITERAL -> out.append(item.text());
            case ANY_CHARACTER -> out.append(' ');
            case YEAR -> number(date.getYear(), 4, item, out);
            case CENTURY -> number(date.getYear() / 100, 2, item, out);
            case YEAR_OF_CENTURY -> number(date.getYear() % 100, 2, item, out);
            case MONTH -> number(date.getMonthValue(), 2, item, out);
            case MONTH_NAME -> text(date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH), item, out);
            case MONTH_SHORT -> text(date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH), item, out);
            case DAY -> number(date.getDayOfMonth(), 2, item, out);
            case DAY_OF_YEAR -> number(date.getDayOfYear(), 3, item, out);
            case ORDINAL -> text(ordinal(date.getDayOfMonth()), item, out);
            case WEEKDAY_NAME -> text(date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH), item, out);
            case WEEKDAY_SHORT -> text(date.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH), item, out);
            case HOUR -> number(date.getHour(), 2, item, out);
            case HOUR_OF_HALF -> number((date.getHour() + 11) % 12 + 1, 2, item, out);
            case HALF -> out.append(half(date, item));
            case MINUTE -> number(date.getMinute(), 2, item, out);
            case SECOND -> number(date.getSecond(), 2, item, out);
            case FRACTION, OPTIONAL_FRACTION, MILLIS -> fraction(date, item, out);
            case ZONE -> out.append(offset(date, item.text()));
            case ZONE_NAME -> out.append(zoneName(date));
            case EPOCH_SECONDS -> out.append(date.toEpochSecond());
            default -> week(date, item, out);
        }
    }

    private static void week(ZonedDateTime date, LayoutItem item, StringBuilder out) {
        int weekday = date.getDayOfWeek().getValue();
        int dayOfYear = date.getDayOfYear();
        switch (item.kind()) {
            case WEEKDAY_NUMBER -> out.append(item.text().equals("iso") ? weekday : weekday % 7);
            case QUARTER -> out.append(date.get(IsoFields.QUARTER_OF_YEAR));
            case ISO_WEEK -> number(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, item, out);
            case ISO_YEAR -> number(date.get(IsoFields.WEEK_BASED_YEAR), 4, item, out);
            case WEEK_FROM_SUNDAY -> number((dayOfYear + 6 - weekday % 7) / 7, 2, item, out);
            default -> number((dayOfYear + 6 - (weekday + 6) % 7) / 7, 2, item, out);
        }
    }

    private static void number(int value, int width, LayoutItem item, StringBuilder out) {
        String digits = Integer.toString(value);
        int wanted = item.style() == Style.UNPADDED ? 0 : item.max() > 0 ? item.max() : width;
        out.repeat(item.style() == Style.SPACES ? ' ' : '0', Math.max(0, wanted - digits.length()));
        out.append(digits);
    }

    private static void text(String text, LayoutItem item, StringBuilder out) {
        out.append(
                switch (item.style()) {
                    case UPPER, ANY_CASE -> item.text().isEmpty() ? text.toUpperCase(Locale.ROOT) : cased(text, item);
                    case LOWER -> text.toLowerCase(Locale.ROOT);
                    default -> text;
                });
    }

    /** The case of a word in the pattern is the case in which it is written. */
    private static String cased(String text, LayoutItem item) {
        String shown = item.text();
        if (shown.equals(shown.toUpperCase(Locale.ROOT))) {
            return text.toUpperCase(Locale.ROOT);
        }
        return shown.equals(shown.toLowerCase(Locale.ROOT)) ? text.toLowerCase(Locale.ROOT) : text;
    }

    private static String ordinal(int day) {
        return switch (day) {
            case 1, 21, 31 -> "st";
            case 2, 22 -> "nd";
            case 3, 23 -> "rd";
            default -> "th";
        };
    }

    private static String half(ZonedDateTime date, LayoutItem item) {
        String half = date.getHour() < 12 ? "AM" : "PM";
        boolean lower = item.style() == Style.LOWER || item.text().equals("lower");
        return lower ? half.toLowerCase(Locale.ROOT) : half;
    }

    private static void fraction(ZonedDateTime date, LayoutItem item, StringBuilder out) {
        String digits = String.format(Locale.ROOT, "%09d", date.getNano());
        switch (item.kind()) {
            case MILLIS -> {
                int millis = (date.getNano() + NANOS_PER_MILLI / 2) / NANOS_PER_MILLI;
                out.append(String.format(Locale.ROOT, "%03d", Math.min(999, millis)));
            }
            case OPTIONAL_FRACTION -> {
                String kept = digits.substring(0, item.max()).replaceFirst("0+$", "");
                out.append(kept.isEmpty() ? "" : item.text() + kept);
            }
            default -> out.append(item.text()).append(digits, 0, item.max());
        }
    }

    /** Uses Go's forms: those that begin with Z write UTC as Z; the default is +hh:mm or Z. */
    private static String offset(ZonedDateTime date, String wanted) {
        String form = wanted.equals(LayoutItem.ANY_ZONE) ? "-0700" : wanted;
        int seconds = date.getOffset().getTotalSeconds();
        if (form.equals("MST")) {
            return zoneName(date);
        }
        if (seconds == 0 && (form.isEmpty() || form.startsWith("Z"))) {
            return "Z";
        }
        int minutes = Math.abs(seconds) / 60;
        String sign = seconds < 0 ? "-" : "+";
        String hours = String.format(Locale.ROOT, "%02d", minutes / 60);
        String rest = String.format(Locale.ROOT, "%02d", minutes % 60);
        return switch (form.length()) {
            case 3 -> sign + hours;
            case 5 -> sign + hours + rest;
            case 9 -> sign + hours + ":" + rest + ":" + String.format(Locale.ROOT, "%02d", Math.abs(seconds) % 60);
            default -> sign + hours + ":" + rest;
        };
    }

    private static String zoneName(ZonedDateTime date) {
        if (date.getOffset().getTotalSeconds() == 0 && date.getZone().getRules().isFixedOffset()) {
            return "UTC";
        }
        boolean summer = date.getZone().getRules().isDaylightSavings(date.toInstant());
        return java.util.TimeZone.getTimeZone(date.getZone())
                .getDisplayName(summer, java.util.TimeZone.SHORT, Locale.ENGLISH);
    }
}
