package io.millrace.n1ql.function.date;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Time zones by name. */
final class Zones {

    private Zones() {}

    /** Returns a zone of the IANA database, UTC, or an offset; null if the name is unknown. */
    static @Nullable ZoneId find(String name) {
        if (name.isEmpty() || name.equals("UTC") || name.equals("Z")) {
            return ZoneOffset.UTC;
        }
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneId.SHORT_IDS.containsKey(name) ? ZoneId.of(name, ZoneId.SHORT_IDS) : null;
        }
    }
}
