package io.millrace.subdoc.requests;

import io.millrace.json.JsonSkip;
import io.millrace.subdoc.SubdocLimits;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** The members of a small JSON object. */
final class Members {

    private Members() {}

    /** Adds the keys of an object as they are spelt, quotes included. Adds none for text that is not an object. */
    static void keys(byte[] object, Collection<String> keys) {
        int end = object.length;
        int at = JsonSkip.blanks(object, 0, end) + 1;
        at = JsonSkip.blanks(object, at, end);
        while (at < end && object[at] == '"') {
            int stop = JsonSkip.string(object, at, end);
            if (stop < 0) {
                return;
            }
            keys.add(new String(object, at, stop - at, StandardCharsets.UTF_8));
            at = JsonSkip.blanks(object, stop, end) + 1;
            at = JsonSkip.value(object, JsonSkip.blanks(object, at, end), end, 1, SubdocLimits.MAX_DEPTH_LEVELS);
            if (at < 0) {
                return;
            }
            at = JsonSkip.blanks(object, at, end) + 1;
            at = JsonSkip.blanks(object, at, end);
        }
    }
}
