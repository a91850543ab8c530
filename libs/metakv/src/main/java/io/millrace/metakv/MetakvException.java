package io.millrace.metakv;

import org.jspecify.annotations.Nullable;

/** A failed call of MetaKV. Messages are meant for users. */
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
        /** The service or its Redis is unreachable or did not respond in time; a write may have been applied. */
        UNAVAILABLE,
        /** Redis rejects writes: out of memory, read-only replica, failed persistence. */
        REFUSED,
        /** The service sent a response that this client does not understand. */
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

    /** Whether the same call may succeed later. */
    public boolean unavailable() {
        return code == Code.UNAVAILABLE || code == Code.TOO_MANY_WATCHERS;
    }

    public static MetakvException of(Code code, String message) {
        return new MetakvException(code, message, null);
    }

    public static MetakvException unavailable(String message, Throwable cause) {
        return new MetakvException(Code.UNAVAILABLE, message, cause);
    }

    /** Throws if a value is too large. */
    public static void checkValue(byte[] value) {
        if (value.length > MetakvLimits.MAX_VALUE_BYTES) {
            throw of(
                    Code.VALUE_TOO_LARGE,
                    "The value has %d bytes; the maximum is %d.".formatted(value.length, MetakvLimits.MAX_VALUE_BYTES));
        }
    }
}
