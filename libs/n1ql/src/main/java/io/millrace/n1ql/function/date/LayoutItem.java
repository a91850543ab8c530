package io.millrace.n1ql.function.date;

/**
 * An item of a layout.
 *
 * @param min the fewest digits to parse
 * @param max the most digits to parse, and the width when written with zeros
 * @param text the text of a literal, or the form in which a value is written
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
        /** An optional fraction without trailing zeros. */
        OPTIONAL_FRACTION,
        MILLIS,
        ZONE,
        ZONE_NAME,
        EPOCH_SECONDS
    }

    /** The case of letters and the padding of numbers. */
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

    /** The form of a zone that is parsed in any form and written as {@code +hhmm}. */
    static final String ANY_ZONE = "any";

    /** Parsed as an offset in any form or a zone name; written as an offset without a colon. */
    static LayoutItem anyZone() {
        return zone(ANY_ZONE);
    }
}
