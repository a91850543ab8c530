package io.millrace.metakv;

import org.jspecify.annotations.Nullable;

/** Why MetaKV could not do what was asked. Messages are fit to be shown to the user who asked. */
public final class MetakvException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        INVALID_PATH,
        INVALID_REQUEST,
        VALUE_TOO_LARGE,
        TOO_MANY_WATCHERS,
        /** Another process is registered under the id of this node. */
        NODE_ID_TAKEN,
        /** The service or its Redis cannot be reached or did not answer in time; a write may have happened. */
        UNAVAILABLE,
        /** Redis refuses writes: out of memory, read-only replica, failed persistence. */
        REFUSED,
        /** The service answered something that this client does not understand. */
        UNEXPECTED
    }

    private final Code code;

    private MetakvException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** Returns true when the same call may succeed later without anything being changed. */
    public boolean unavailable() {
        return code == Code.UNAVAILABLE || code == Code.TOO_MANY_WATCHERS;
    }

    public static MetakvException of(Code code, String message) {
        return new MetakvException(code, message, null);
    }

    public static MetakvException unavailable(String message, Throwable cause) {
        return new MetakvException(Code.UNAVAILABLE, message, cause);
    }

    /** Refuses a value that is too large. */
    public static void checkValue(byte[] value) {
        if (value.length > MetakvLimits.MAX_VALUE_BYTES) {
            throw of(
                    Code.VALUE_TOO_LARGE,
                    "The value has %d bytes; the most is %d.".formatted(value.length, MetakvLimits.MAX_VALUE_BYTES));
        }
    }
}
