package io.millrace.n1ql.function.date;

import io.millrace.n1ql.function.date.LayoutItem.Kind;
import io.millrace.n1ql.function.date.LayoutItem.Style;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Parses one date. Absent parts are those of January 1 of the year 0, midnight, in the local zone. */
final class LayoutReader {

    private static final int NOT_SAID = -1;
    /** Two-digit years below 69 are 20xx, the others 19xx (as POSIX strptime). */
    private static final int FIRST_YEAR_OF_1900 = 69;

    private static final int LONGEST_ZONE_NAME = 40;

    private final String text;
    private final List<LayoutItem> items;
    private int at;

    private int century = NOT_SAID;
    private int year;
    private boolean twoDigitYear;
    private int month = 1;
    private int day = 1;
    private int dayOfYear = NOT_SAID;
    private int hour;
    private boolean twelveHours;
    private boolean afternoon;
    private int minute;
    private int second;
    private int nanos;
    private @Nullable ZoneId zone;
    private @Nullable Instant instant;

    LayoutReader(String text, List<LayoutItem> items) {
        this.text = text;
        this.items = items;
    }

    @Nullable
    ZonedDateTime read(ZoneId local) {
        for (int i = 0; i < items.size(); i++) {
            if (!item(items.get(i), i + 1 < items.size() ? items.get(i + 1) : null)) {
                return null;
            }
        }
        return at == text.length() ? result(local) : null;
    }

    private @Nullable ZonedDateTime result(ZoneId local) {
        if (instant != null) {
            return instant.plusNanos(nanos).atZone(zone == null ? ZoneOffset.UTC : zone);
        }
        if (twoDigitYear && century == NOT_SAID) {
            century = year >= FIRST_YEAR_OF_1900 ? 19 : 20;
        }
        int fullYear = century == NOT_SAID ? year : century * 100 + year;
        int fullHour = !twelveHours ? hour : afternoon ? hour % 12 + 12 : hour % 12;
        try {
            LocalDate date = dayOfYear == NOT_SAID
                    ? LocalDate.of(fullYear, month, day)
                    : LocalDate.ofYearDay(fullYear, dayOfYear);
            LocalDateTime dateTime = LocalDateTime.of(date, LocalTime.of(fullHour, minute, second, nanos));
            return dateTime.atZone(zone == null ? local : zone);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private boolean item(LayoutItem item, @Nullable LayoutItem next) {
        return switch (item.kind()) {
            case LITERAL -> literal(item.text());
            case ANY_CHARACTER -> at++ < text.length();
            case YEAR, CENTURY, YEAR_OF_CENTURY, MONTH, DAY, DAY_OF_YEAR, HOUR, HOUR_OF_HALF, MINUTE -> number(item);
            case SECOND -> number(item) && unannouncedFraction(item, next);
            case MONTH_NAME -> name(item, 12, i -> Month.of(i).getDisplayName(TextStyle.FULL, Locale.ENGLISH), true);
            case MONTH_SHORT -> name(item, 12, i -> Month.of(i).getDisplayName(TextStyle.SHORT, Locale.ENGLISH), true);
            case WEEKDAY_NAME ->
                name(item, 7, i -> DayOfWeek.of(i).getDisplayName(TextStyle.FULL, Locale.ENGLISH), false);
            case WEEKDAY_SHORT ->
                name(item, 7, i -> DayOfWeek.of(i).getDisplayName(TextStyle.SHORT, Locale.ENGLISH), false);
            case ORDINAL -> ordinal(item);
            case HALF -> half(item);
            case FRACTION -> fraction(item);
            case OPTIONAL_FRACTION -> optionalFraction(item);
            case MILLIS -> fraction(LayoutItem.number(Kind.FRACTION, 1, 9));
            case ZONE, ZONE_NAME -> zone(item);
            case EPOCH_SECONDS -> epoch();
            case WEEKDAY_NUMBER, QUARTER, ISO_WEEK, ISO_YEAR, WEEK_FROM_SUNDAY, WEEK_FROM_MONDAY ->
                digits(1, 4, false) >= 0;
        };
    }

    private boolean literal(String literal) {
        if (!text.startsWith(literal, at)) {
            return false;
        }
        at += literal.length();
        return true;
    }

    /** Parses digits and returns their value, or -1; leading padding spaces count as digits. */
    private int digits(int min, int max, boolean spaces) {
        int start = at;
        while (spaces && at < text.length() && at - start < max && text.charAt(at) == ' ') {
            at++;
        }
        int first = at;
        while (at < text.length() && at - start < max && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at == first || at - start < min ? -1 : Integer.parseInt(text.substring(first, at));
    }

    private boolean number(LayoutItem item) {
        int value = digits(item.min(), item.max(), item.style() == Style.SPACES);
        if (value < 0) {
            return false;
        }
        switch (item.kind()) {
            case YEAR -> {
                century = value / 100;
                year = value % 100;
            }
            case CENTURY -> century = value;
            case YEAR_OF_CENTURY -> {
                year = value;
                twoDigitYear = true;
            }
            case MONTH -> month = value;
            case DAY -> day = value;
            case DAY_OF_YEAR -> dayOfYear = value;
            case HOUR, HOUR_OF_HALF -> {
                hour = value;
                twelveHours = item.kind() == Kind.HOUR_OF_HALF;
                return twelveHours ? value >= 1 && value <= 12 : value <= 23;
            }
            case MINUTE -> minute = value;
            default -> second = value;
        }
        return true;
    }

    /** Go layouts parse a fraction after the seconds even if they have none. */
    private boolean unannouncedFraction(LayoutItem item, @Nullable LayoutItem next) {
        boolean announced = next != null && (next.kind() == Kind.FRACTION || next.kind() == Kind.OPTIONAL_FRACTION);
        if (item.text().equals("go")
                && !announced
                && at + 1 < text.length()
                && text.charAt(at) == '.'
                && Character.isDigit(text.charAt(at + 1))) {
            at++;
            return fraction(LayoutItem.number(Kind.FRACTION, 1, 9));
        }
        return true;
    }

    private boolean name(LayoutItem item, int count, IntFunction<String> names, boolean ofMonth) {
        for (int i = 1; i <= count; i++) {
            String name = names.apply(i);
            if (text.regionMatches(item.style() == Style.ANY_CASE, at, name, 0, name.length())) {
                at += name.length();
                month = ofMonth ? i : month;
                return true;
            }
        }
        return false;
    }

    private boolean ordinal(LayoutItem item) {
        String suffix = text.substring(at, Math.min(text.length(), at + 2));
        String compared = item.style() == Style.ANY_CASE ? suffix.toLowerCase(Locale.ROOT) : suffix;
        if (List.of("st", "nd", "rd", "th").contains(compared)) {
            at += 2;
        }
        return true;
    }

    private boolean half(LayoutItem item) {
        boolean anyCase = item.style() == Style.ANY_CASE;
        String am = item.style() == Style.LOWER ? "am" : "AM";
        String pm = item.style() == Style.LOWER ? "pm" : "PM";
        boolean isAm = text.regionMatches(anyCase, at, am, 0, 2);
        boolean isPm = text.regionMatches(anyCase, at, pm, 0, 2);
        at += 2;
        afternoon = isPm;
        return isAm || isPm;
    }

    private boolean fraction(LayoutItem item) {
        if (!literal(item.text())) {
            return false;
        }
        int start = at;
        int value = digits(item.min(), Math.min(9, item.max()), item.style() == Style.SPACES);
        int count = at - start;
        for (int i = count; i < 9; i++) {
            value *= 10;
        }
        nanos = value;
        return count > 0 && value >= 0;
    }

    private boolean optionalFraction(LayoutItem item) {
        boolean there = at + 1 < text.length()
                && (text.charAt(at) == '.' || text.charAt(at) == ',')
                && Character.isDigit(text.charAt(at + 1));
        if (!there) {
            return true;
        }
        at++;
        if (!fraction(LayoutItem.number(Kind.FRACTION, 1, 9))) {
            return false;
        }
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            at++;
        }
        return true;
    }

    private boolean epoch() {
        int start = at;
        while (at < text.length() && at - start < 10 && Character.isDigit(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            return false;
        }
        instant = Instant.ofEpochSecond(Long.parseLong(text.substring(start, at)));
        return true;
    }

    // ---- zones

    private boolean zone(LayoutItem item) {
        if (at >= text.length()) {
            return false;
        }
        String form = item.text().equals(LayoutItem.ANY_ZONE) ? "" : item.text();
        boolean strict = !form.isEmpty();
        if (text.charAt(at) == 'Z' && (!strict || form.startsWith("Z"))) {
            at++;
            zone = ZoneOffset.UTC;
            return true;
        }
        char sign = text.charAt(at);
        if (sign == '+' || sign == '-') {
            return offset(form, sign == '-');
        }
        return strict && !form.equals("MST") ? false : zoneName();
    }

    /** Accepts exactly the form or, without one, any of +hh:mm:ss, +hh:mm, +hhmm and +hh. */
    private boolean offset(String form, boolean negative) {
        int start = at + 1;
        int length;
        if (form.isEmpty()) {
            length = matches(start, "dd:dd:dd") ? 8 : matches(start, "dd:dd") ? 5 : matches(start, "dddd") ? 4 : 2;
        } else {
            length = form.length() - 1;
        }
        String shape = switch (length) {
            case 8 -> "dd:dd:dd";
            case 5 -> "dd:dd";
            case 4 -> "dddd";
            default -> "dd";
        };
        if (!matches(start, shape)) {
            return false;
        }
        int hours = Integer.parseInt(text.substring(start, start + 2));
        int minutesAt = start + (length == 4 ? 2 : 3);
        int minutes = length > 2 ? Integer.parseInt(text.substring(minutesAt, minutesAt + 2)) : 0;
        at = start + length;
        int seconds = hours * 3600 + minutes * 60;
        if (seconds > 18 * 3600 || minutes > 59) {
            return false;
        }
        zone = ZoneOffset.ofTotalSeconds(negative ? -seconds : seconds);
        return true;
    }

    private boolean matches(int start, String shape) {
        if (start + shape.length() > text.length()) {
            return false;
        }
        for (int i = 0; i < shape.length(); i++) {
            char c = text.charAt(start + i);
            if (shape.charAt(i) == 'd' ? c < '0' || c > '9' : c != shape.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean zoneName() {
        int end = at;
        while (end < text.length()
                && end - at < LONGEST_ZONE_NAME
                && (Character.isLetterOrDigit(text.charAt(end)) || "/_+-".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        ZoneId named = Zones.find(text.substring(at, end));
        at = end;
        zone = named;
        return named != null;
    }
}
