package io.millrace.n1ql.function.date;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations in nanoseconds as text: {@code 1h2m3.5s} as in Go, and {@code 1:02:03.5}. */
final class Durations {

    private static final Pattern PIECE = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern CLOCK = Pattern.compile("(?:(?:([0-9]+):)?([0-9]+):)?([0-9]+(?:\\.[0-9]+)?)");
    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);
    private static final long SECOND = 1_000_000_000L;

    private Durations() {}

    /** Parses a duration in either form, or returns null. */
    static @Nullable Long read(String text) {
        boolean negative = text.startsWith("-");
        String digits = negative || text.startsWith("+") ? text.substring(1) : text;
        Long nanos = digits.equals("0") ? Long.valueOf(0) : pieces(digits);
        nanos = nanos == null ? clock(digits) : nanos;
        return nanos == null ? null : negative ? -nanos : nanos;
    }

    private static @Nullable Long pieces(String text) {
        Matcher matcher = PIECE.matcher(text);
        BigDecimal total = BigDecimal.ZERO;
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                return null;
            }
            Long unit = UNITS.get(matcher.group(2));
            total = total.add(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit == null ? 1 : unit)));
            at = matcher.end();
        }
        return at == 0 ? null : Long.valueOf(total.longValue());
    }

    private static @Nullable Long clock(String text) {
        Matcher matcher = CLOCK.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long hours = matcher.group(1) == null ? 0 : Long.parseLong(matcher.group(1));
        long minutes = matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2));
        BigDecimal seconds = new BigDecimal(matcher.group(3)).add(BigDecimal.valueOf(hours * 3600 + minutes * 60));
        return seconds.multiply(BigDecimal.valueOf(SECOND)).longValue();
    }

    /** Writes a duration as Go does: the largest units, and only one unit below a second. */
    static String write(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        long size = Math.abs(nanos);
        String sign = nanos < 0 ? "-" : "";
        if (size < 1_000) {
            return sign + size + "ns";
        }
        if (size < 1_000_000) {
            return sign + decimal(size, 3) + "µs";
        }
        return size < SECOND ? sign + decimal(size, 6) + "ms" : sign + withSeconds(size);
    }

    /** Writes a duration with seconds as its smallest unit. */
    static String writeSeconds(long nanos) {
        return (nanos < 0 ? "-" : "") + withSeconds(Math.abs(nanos));
    }

    private static String withSeconds(long nanos) {
        long minutes = nanos / (60 * SECOND);
        String seconds = decimal(nanos % (60 * SECOND), 9) + "s";
        if (minutes == 0) {
            return seconds;
        }
        return minutes < 60 ? minutes + "m" + seconds : minutes / 60 + "h" + minutes % 60 + "m" + seconds;
    }

    private static String decimal(long value, int places) {
        return BigDecimal.valueOf(value, places).stripTrailingZeros().toPlainString();
    }

    /** Writes a duration as hours, minutes and seconds with colons. */
    static String writeClock(long nanos) {
        long size = Math.abs(nanos);
        long seconds = size / SECOND;
        return (nanos < 0 ? "-" : "")
                + String.format(
                        java.util.Locale.ROOT,
                        "%d:%02d:%s",
                        seconds / 3600,
                        seconds / 60 % 60,
                        decimal(size % (60 * SECOND), 9));
    }
}
