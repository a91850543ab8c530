package io.millrace.subdocservice.query;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations in the notation of Go: {@code 1m30s}, {@code 75000ms}, {@code 0.5s}. */
final class Durations {

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)");
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double LONGEST_NANOS = 9e18;

    private Durations() {}

    /** Returns the duration, or null if the text is not one. A number without a unit is in seconds. */
    static @Nullable Duration parse(String text) {
        boolean negative = text.startsWith("-");
        String rest = negative ? text.substring(1) : text;
        if (rest.matches("\\d+(\\.\\d+)?")) {
            rest += "s";
        }
        Matcher parts = PART.matcher(rest);
        double nanos = 0;
        int at = 0;
        while (at < rest.length() && parts.find(at) && parts.start() == at) {
            nanos += Double.parseDouble(parts.group(1)) * nanosOf(parts.group(2));
            at = parts.end();
        }
        return at == 0 || at < rest.length() ? null : ofNanos(negative ? -nanos : nanos);
    }

    /** Returns the duration, or null if it is longer than can be counted. */
    static @Nullable Duration ofSeconds(double seconds) {
        return ofNanos(seconds * NANOS_PER_SECOND);
    }

    /** Rounds up: zero would be no limit at all. */
    private static @Nullable Duration ofNanos(double nanos) {
        return Math.abs(nanos) > LONGEST_NANOS ? null : Duration.ofNanos((long) Math.ceil(nanos));
    }

    private static double nanosOf(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "ms" -> 1e6;
            case "s" -> NANOS_PER_SECOND;
            case "m" -> 60 * NANOS_PER_SECOND;
            case "h" -> 3600 * NANOS_PER_SECOND;
            default -> 1e3;
        };
    }

    /** Returns a duration as responses show it. */
    static String format(long nanos) {
        if (nanos >= NANOS_PER_SECOND) {
            return decimal(Math.round(nanos / 1e3), 6) + "s";
        }
        return nanos >= 1_000_000 ? decimal(nanos, 6) + "ms" : decimal(nanos, 3) + "\u00b5s";
    }

    /** For every response: a Formatter takes several times as long. */
    private static String decimal(long number, int places) {
        String digits = Long.toString(number);
        String padded = "0".repeat(Math.max(0, places + 1 - digits.length())) + digits;
        int point = padded.length() - places;
        return padded.substring(0, point) + "." + padded.substring(point);
    }
}
