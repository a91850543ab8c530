package io.millrace.couch.document;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a body that a client asks for (RFC 9110, section 14); several parts at once get the whole body. */
final class ByteRange {

    private static final Pattern ONE = Pattern.compile("bytes=(\\d*)-(\\d*)");

    private ByteRange() {}

    /** @param range the header, or null */
    static CouchResponse answer(@Nullable String range, Map<String, String> headers, byte[] bytes) {
        headers.put("Accept-Ranges", "bytes");
        Matcher asked = ONE.matcher(range == null ? "" : range.strip());
        if (!asked.matches() || asked.group(1).isEmpty() && asked.group(2).isEmpty()) {
            return new CouchResponse.Whole(200, headers, bytes);
        }
        long from;
        long to = bytes.length - 1L;
        try {
            if (asked.group(1).isEmpty()) {
                from = Math.max(0, bytes.length - Long.parseLong(asked.group(2)));
            } else {
                from = Long.parseLong(asked.group(1));
                to = asked.group(2).isEmpty() ? to : Math.min(to, Long.parseLong(asked.group(2)));
            }
        } catch (NumberFormatException e) {
            from = bytes.length;
        }
        if (from > to) {
            throw CouchException.of(
                    416,
                    "requested_range_not_satisfiable",
                    "The attachment has %d bytes; ask for a range within them.".formatted(bytes.length));
        }
        headers.put("Content-Range", "bytes %d-%d/%d".formatted(from, to, bytes.length));
        return new CouchResponse.Whole(206, headers, Arrays.copyOfRange(bytes, (int) from, (int) to + 1));
    }
}
