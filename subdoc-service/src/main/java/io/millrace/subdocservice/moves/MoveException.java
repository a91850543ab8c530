package io.millrace.subdocservice.moves;

/** A move cannot start or end. The message says why and what to do. */
public final class MoveException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What stands in the way. */
    public enum Kind {
        /** A move is running. */
        RUNNING,
        /** There was no move. */
        NONE,
        /** The present state does not allow it. */
        IMPOSSIBLE,
        /** The address is not a valid URL of a Redis. */
        BAD_ADDRESS
    }

    private final Kind kind;

    MoveException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
