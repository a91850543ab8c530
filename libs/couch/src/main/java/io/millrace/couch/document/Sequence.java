package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Positions in a changes feed, in a form that sorts as text (CouchDB RFC 003): the incarnation of the database and the
 * number of the change within it, as 14 hexadecimal digits.
 */
public final class Sequence {

    private static final int DIGITS = 14;
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT.*");

    private Sequence() {}

    public static String text(long seqno) {
        return HexFormat.of().toHexDigits(seqno, DIGITS);
    }

    public static boolean isTime(String since) {
        return TIME.matcher(since).matches();
    }

    public static Instant time(String since) {
        try {
            return OffsetDateTime.parse(since).toInstant();
        } catch (DateTimeParseException e) {
            throw CouchException.badRequest("invalid_time_format");
        }
    }

    /** Parses a position; throws a {@link CouchException} if the text is not valid. */
    public static long parse(String text) {
        if (text.equals("0")) {
            return 0;
        }
        if (text.length() == DIGITS && HexFormat.isHexDigit(text.charAt(0))) {
            try {
                return HexFormat.fromHexDigitsToLong(text);
            } catch (IllegalArgumentException e) {
                // reported below
            }
        }
        throw CouchException.badRequest("Malformed sequence supplied in 'since' parameter.");
    }
}
