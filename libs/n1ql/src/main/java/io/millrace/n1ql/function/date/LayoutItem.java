package io.millrace.n1ql.function.date;

/**
 * One piece of a layout.
 *
 * @param min fewest digits read
 * @param max most digits read, and the width when written with zeros
 * @param text what a literal is, or how something is written
 */
record LayoutItem(Kind kind, int min, int max, Style style, String text) {

    enum Kind {
        LITERAL,
        ANY_CHARACTER,
        YEAR,
        CENTURY,
        YEAR_OF_CENTURY,
        MONTH,
        MONTH_NAME,
        MONTH_SHORT,
        DAY,
        DAY_OF_YEAR,
        ORDINAL,
        WEEKDAY_NAME,
        WEEKDAY_SHORT,
        WEEKDAY_NUMBER,
        QUARTER,
        ISO_WEEK,
        ISO_YEAR,
        WEEK_FROM_SUNDAY,
        WEEK_FROM_MONDAY,
        HOUR,
        HOUR_OF_HALF,
        HALF,
        MINUTE,
        SECOND,
        /** Digits of a fraction of a second; {@code text} has the point in front of them, if any. */
        FRACTION,
        /** A fraction that may be left out, without zeros at its end. */
        OPTIONAL_FRACTION,
        MILLIS,
        ZONE,
        ZONE_NAME,
        EPOCH_SECONDS
    }

    /** How letters are written and numbers filled up. */
    enum Style {
        PLAIN,
        UPPER,
        LOWER,
        ANY_CASE,
        SPACES,
        UNPADDED
    }

    static LayoutItem literal(String text) {
        return new LayoutItem(Kind.LITERAL, 0, 0, Style.PLAIN, text);
    }

    static LayoutItem of(Kind kind) {
        return new LayoutItem(kind, 0, 0, Style.PLAIN, "");
    }

    static LayoutItem of(Kind kind, Style style) {
        return new LayoutItem(kind, 0, 0, style, "");
    }

    static LayoutItem number(Kind kind, int min, int max) {
        return new LayoutItem(kind, min, max, Style.PLAIN, "");
    }

    static LayoutItem zone(String form) {
        return new LayoutItem(Kind.ZONE, 0, 0, Style.PLAIN, form);
    }

    /** The form of a zone that is read in any spelling and written as {@code +hhmm}. */
    static final String ANY_ZONE = "any";

    /** An offset in any spelling, or a zone's name, when read; written as an offset without a colon. */
    static LayoutItem anyZone() {
        return zone(ANY_ZONE);
    }
}
