package io.millrace.eventing.runtime;

/** The handler of a function cannot run; nothing of its start is left. */
public final class DeployRejected extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Whether the handler ran and refused, in OnDeploy. */
    private final boolean byHandler;

    private final int line;
    private final int column;

    /**
     * @param message what is wrong with the handler, for its author
     * @param line where in the user's code, from 1; 0 when unknown
     * @param column likewise
     */
    public DeployRejected(String message, int line, int column) {
        this(message, line, column, false);
    }

    private DeployRejected(String message, int line, int column, boolean byHandler) {
        super(message);
        this.byHandler = byHandler;
        this.line = line;
        this.column = column;
    }

    /** OnDeploy failed or took too long. */
    public static DeployRejected byHandler(String message, int line, int column) {
        return new DeployRejected(message, line, column, true);
    }

    public boolean byHandler() {
        return byHandler;
    }

    public int line() {
        return line;
    }

    public int column() {
        return column;
    }
}
