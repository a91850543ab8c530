package io.millrace.n1ql.function.date;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Arithmetic by calendar parts. Methods return null for an unknown part. */
final class DateMath {

    private DateMath() {}

    private static String lower(String part) {
        return part.toLowerCase(Locale.ROOT);
    }

    /** Returns a part of a date. */
    static @Nullable Integer part(ZonedDateTime date, String part) {
        int offset = date.getOffset().getTotalSeconds();
        return switch (lower(part)) {
            case "millennium" -> date.getYear() / 1000 + 1;
            case "century" -> date.getYear() / 100 + 1;
            case "decade" -> date.getYear() / 10;
            case "year" -> date.getYear();
            case "quarter" -> (date.getMonthValue() + 2) / 3;
            case "month" -> date.getMonthValue();
            case "day" -> date.getDayOfMonth();
            case "hour" -> date.getHour();
            case "minute" -> date.getMinute();
            case "second" -> date.getSecond();
            case "millisecond" -> date.getNano() / 1_000_000;
            case "week" -> (date.getDayOfYear() + 6) / 7;
            case "day_of_year", "doy" -> date.getDayOfYear();
            case "day_of_week", "dow" -> date.getDayOfWeek().getValue() % 7;
            case "iso_week" -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case "iso_year" -> date.get(IsoFields.WEEK_BASED_YEAR);
            case "iso_dow" -> date.getDayOfWeek().getValue();
            case "timezone" -> offset;
            case "timezone_hour" -> offset / 3600;
            case "timezone_minute" -> offset % 3600 / 60;
            default -> null;
        };
    }

    /**
     * Adds to a date. If the month is too short, the date continues into the next month, but {@code calendar_month}
     * stays in the month, and maps the last day of a month to the last day.
     *
     * @throws ArithmeticException if the date would be too far away
     */
    static @Nullable ZonedDateTime add(ZonedDateTime date, long count, String part) {
        return switch (lower(part)) {
            case "millennium" -> addMonths(date, Math.multiplyExact(count, 12_000));
            case "century" -> addMonths(date, Math.multiplyExact(count, 1200));
            case "decade" -> addMonths(date, Math.multiplyExact(count, 120));
            case "year" -> addMonths(date, Math.multiplyExact(count, 12));
            case "quarter" -> addMonths(date, Math.multiplyExact(count, 3));
            case "month" -> addMonths(date, count);
            case "calendar_month" -> addCalendarMonths(date, count);
            case "week" -> date.plusDays(Math.multiplyExact(count, 7));
            case "day" -> date.plusDays(count);
            case "hour" -> date.plusHours(count);
            case "minute" -> date.plusMinutes(count);
            case "second" -> date.plusSeconds(count);
            case "millisecond" -> date.plus(count, ChronoUnit.MILLIS);
            default -> null;
        };
    }

    private static ZonedDateTime addMonths(ZonedDateTime date, long months) {
        LocalDate first = date.toLocalDate().withDayOfMonth(1).plusMonths(months);
        return date.with(first.plusDays(date.getDayOfMonth() - 1L));
    }

    private static ZonedDateTime addCalendarMonths(ZonedDateTime date, long months) {
        YearMonth month = YearMonth.from(date);
        YearMonth target = month.plusMonths(months);
        boolean last = date.getDayOfMonth() == month.lengthOfMonth();
        int day = last ? target.lengthOfMonth() : Math.min(date.getDayOfMonth(), target.lengthOfMonth());
        return date.with(target.atDay(day));
    }

    /** Sets all parts below the given one to their first value. */
    static @Nullable ZonedDateTime truncate(ZonedDateTime date, String part) {
        ZonedDateTime day = date.truncatedTo(ChronoUnit.DAYS);
        return switch (lower(part)) {
            case "millennium" -> day.withDayOfYear(1).withYear(day.getYear() / 1000 * 1000);
            case "century" -> day.withDayOfYear(1).withYear(day.getYear() / 100 * 100);
            case "decade" -> day.withDayOfYear(1).withYear(day.getYear() / 10 * 10);
            case "year" -> day.withDayOfYear(1);
            case "quarter" -> day.withDayOfMonth(1).withMonth((day.getMonthValue() - 1) / 3 * 3 + 1);
            case "month", "calendar_month" -> day.withDayOfMonth(1);
            case "week" -> day.minusDays(day.getDayOfWeek().getValue() % 7);
            case "iso_week" -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
            case "day" -> day;
            case "hour" -> date.truncatedTo(ChronoUnit.HOURS);
            case "minute" -> date.truncatedTo(ChronoUnit.MINUTES);
            case "second" -> date.truncatedTo(ChronoUnit.SECONDS);
            case "millisecond" -> date.truncatedTo(ChronoUnit.MILLIS);
            default -> null;
        };
    }

    /** Returns how far the first date is after the second, by calendar years, months and days. */
    static @Nullable Long difference(ZonedDateTime first, ZonedDateTime second, String part) {
        boolean negative = first.toInstant().isBefore(second.toInstant());
        ZonedDateTime later = negative ? second : first;
        ZonedDateTime earlier = negative ? first : second;
        Long difference = positive(later, earlier, lower(part));
        return difference == null ? null : negative ? -difference : difference;
    }

    private static @Nullable Long positive(ZonedDateTime later, ZonedDateTime earlier, String part) {
        long years = (long) later.getYear() - earlier.getYear();
        long months = years * 12 + later.getMonthValue() - earlier.getMonthValue();
        long days = later.toLocalDate().toEpochDay() - earlier.toLocalDate().toEpochDay();
        return switch (part) {
            case "millennium" -> years / 1000;
            case "century" -> years / 100;
            case "decade" -> years / 10;
            case "year" -> years;
            case "quarter" -> Math.abs(years * 4 + (later.getMonthValue() + 2) / 3 - (earlier.getMonthValue() + 2) / 3);
            case "month", "calendar_month" -> Math.abs(months);
            case "week" -> days / 7;
            case "day" -> days;
            case "hour" -> days * 24 + later.getHour() - earlier.getHour();
            case "minute" -> minutes(later, earlier, days);
            case "second" -> seconds(later, earlier, days);
            case "millisecond" ->
                seconds(later, earlier, days) * 1000 + (later.getNano() - earlier.getNano()) / 1_000_000;
            default -> null;
        };
    }

    private static long minutes(ZonedDateTime later, ZonedDateTime earlier, long days) {
        return (days * 24 + later.getHour() - earlier.getHour()) * 60 + later.getMinute() - earlier.getMinute();
    }

    private static long seconds(ZonedDateTime later, ZonedDateTime earlier, long days) {
        return minutes(later, earlier, days) * 60 + later.getSecond() - earlier.getSecond();
    }

    /** Returns the least duration of a part in milliseconds. */
    static long leastMillis(String part) {
        return switch (lower(part)) {
            case "millisecond" -> 1;
            case "second" -> 1000;
            case "minute" -> 60_000;
            case "hour" -> 3_600_000;
            case "day" -> 86_400_000;
            default -> 7 * 86_400_000L;
        };
    }
}
