package io.millrace.httpdoor;

/** A request did not fit into the budget of its service in time. Has no stack trace. */
public final class BudgetExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What happened and what to do about it, for clients. */
    public static final String MESSAGE =
            "The service holds as many bytes of requests and responses as it may. Repeat the"
                    + " request later; read responses to their end, and send fewer large requests at a time.";

    BudgetExceededException() {
        super(MESSAGE, null, false, false);
    }
}
