package io.millrace.n1ql;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended.
 *
 * @param statement its text, cut to {@link StatementLimits#KEPT_CHARACTERS}: thousands of requests are kept
 * @param user who made it, empty if that is not known
 * @param elapsed from its beginning to its last row
 * @param rows how many were returned
 * @param failure why it ended early, or null if it succeeded
 * @param wholly whether all rows were read; a caller may stop before
 */
public record CompletedRequest(
        String id,
        String statement,
        @Nullable String clientContextId,
        String user,
        Instant begun,
        Duration elapsed,
        long rows,
        long mutations,
        long sorted,
        @Nullable QueryException failure,
        boolean wholly) {

    private static final String CUT = "...";

    public CompletedRequest {
        if (statement.length() > StatementLimits.KEPT_CHARACTERS) {
            statement = statement.substring(0, StatementLimits.KEPT_CHARACTERS - CUT.length()) + CUT;
        }
    }

    /** Returns how it ended, in Couchbase's words. */
    public String state() {
        if (failure == null) {
            return wholly ? "completed" : "closed";
        }
        return switch (failure.errorCode()) {
            case TIMEOUT -> "timeout";
            case CANCELLED -> "stopped";
            default -> "errors";
        };
    }
}
