package io.millrace.timers;

import io.millrace.redis.RedisFailure;
import org.jspecify.annotations.Nullable;

/** Why something with timers could not be done. The messages are fit to be shown to the user whose code asked. */
public final class TimersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        CONTEXT_TOO_LARGE,
        INVALID_ID,
        INVALID_SCHEDULE,
        /** Redis cannot be reached or did not answer in time; what was asked may or may not have happened. */
        UNAVAILABLE,
        /** Redis refuses: out of memory, read-only replica, failed persistence. */
        REFUSED,
        /** What Redis holds is not what this version writes. */
        CORRUPT
    }

    private final Code code;

    private TimersException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** The context has more bytes than the function's setting {@code timer_context_size} allows. */
    static TimersException contextTooLarge(int limit) {
        return new TimersException(
                Code.CONTEXT_TOO_LARGE,
                "The context payload size is more than the configured size:" + limit + " bytes",
                null);
    }

    static TimersException invalidId(String message) {
        return new TimersException(Code.INVALID_ID, message, null);
    }

    public static TimersException invalidSchedule(String message) {
        return new TimersException(Code.INVALID_SCHEDULE, message, null);
    }

    public static TimersException of(RedisFailure failure) {
        Code code = switch (failure.kind()) {
            case UNAVAILABLE -> Code.UNAVAILABLE;
            case WRONG_TYPE -> Code.CORRUPT;
            case REFUSED -> Code.REFUSED;
        };
        return new TimersException(code, "The call for timers failed. " + failure.message(), failure.cause());
    }

    public static TimersException unavailable(Throwable cause) {
        return new TimersException(Code.UNAVAILABLE, "Timers are not available: " + cause.getMessage(), cause);
    }

    public static TimersException corrupt(String what) {
        return new TimersException(Code.CORRUPT, what, null);
    }
}
