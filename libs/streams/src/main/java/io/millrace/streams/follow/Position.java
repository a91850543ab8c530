package io.millrace.streams.follow;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a reader of many streams has come.
 *
 * @param base the reader has had every event up to this seqno
 * @param scanned the reader has had every event, up to the time of reading, of the streams whose latest change was at a seqno
 *     up to this one; at least {@code base}
 */
public record Position(long base, long scanned) {

    /** Before the first event. */
    public static final Position START = new Position(0, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,16})-(\\d{1,16})");

    public Position {
        if (base < 0 || scanned < base) {
            throw new IllegalArgumentException(
                    "A position must not be below 0 or below its base: " + base + '-' + scanned);
        }
    }

    /** Parses what {@link #toString} returned; throws {@link IllegalArgumentException} for anything else. */
    public static Position parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "A position has the form <number>-<number>, as in an id of the feed: " + text);
        }
        return new Position(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
    }

    @Override
    public String toString() {
        return base + "-" + scanned;
    }
}
