package io.millrace.subdocservice.moves;

/** Why a move is not begun or not ended. The message says what to do. */
public final class MoveException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of refusal. */
    public enum Kind {
        /** One is going on. */
        RUNNING,
        /** There is none. */
        NONE,
        /** Something stands in its way. */
        IMPOSSIBLE,
        /** The address is none. */
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
