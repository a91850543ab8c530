package io.millrace.subdocservice.kv.command;

import io.millrace.documents.Expiry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Expiry in the encoding of the protocol: 0 for never, up to 30 days in seconds from now, larger numbers are Unix times in seconds. */
final class Expiries {

    private static final long LONGEST_RELATIVE_SECONDS = 30L * 24 * 60 * 60;

    private Expiries() {}

    /** Returns the expiry of a write. */
    static Expiry of(int seconds, boolean preserve, Instant now) {
        Instant time = time(seconds, now);
        if (preserve) {
            return Expiry.preserveOr(time);
        }
        return time == null ? Expiry.NEVER : Expiry.at(time);
    }

    private static @Nullable Instant time(int seconds, Instant now) {
        long unsigned = Integer.toUnsignedLong(seconds);
        if (unsigned == 0) {
            return null;
        }
        return Instant.ofEpochSecond(unsigned <= LONGEST_RELATIVE_SECONDS ? now.getEpochSecond() + unsigned : unsigned);
    }

    /** Returns the Unix time in seconds, 0 for never. */
    static int seconds(@Nullable Instant time) {
        return time == null ? 0 : (int) time.getEpochSecond();
    }
}
