package io.millrace.audit;

/** The audit trail cannot be written; the act that it was to record must be refused. */
public final class AuditException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private AuditException(String message, Throwable cause) {
        super(message, cause);
    }

    static AuditException unwritable(String sink, Throwable cause) {
        return new AuditException(
                "The audit trail %s cannot be written (%s), so the request was refused. Check its disk, then try again."
                        .formatted(sink, cause.getMessage() == null ? cause.toString() : cause.getMessage()),
                cause);
    }
}
