package io.millrace.eventing.consumer;

/** The worker has rejected the handler because it cannot run. */
public final class HandlerRejected extends Exception {

    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    HandlerRejected(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /** Returns the line in the user's code, from 1; 0 when there is none. */
    public int line() {
        return line;
    }

    /** Returns the column, likewise. */
    public int column() {
        return column;
    }
}
