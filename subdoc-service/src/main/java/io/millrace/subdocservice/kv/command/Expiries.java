package io.millrace.subdocservice.kv.command;

import io.millrace.documents.Expiry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Expiry as the protocol has it: 0 for never, up to 30 days of seconds from now, beyond that seconds since 1970. */
final class Expiries {

    private static final long LONGEST_RELATIVE_SECONDS = 30L * 24 * 60 * 60;

    private Expiries() {}

    /** Returns what a write does to the expiry of its document. */
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

    /** Returns seconds since 1970, 0 for never. */
    static int seconds(@Nullable Instant time) {
        return time == null ? 0 : (int) time.getEpochSecond();
    }
}
