package io.millrace.couch;

/** An error response: an HTTP status, and CouchDB's error and reason. */
public final class CouchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String error;
    private final String reason;

    private CouchException(int status, String error, String reason) {
        super(error + ": " + reason);
        this.status = status;
        this.error = error;
        this.reason = reason;
    }

    public int status() {
        return status;
    }

    /** Returns the error code for programs. */
    public String error() {
        return error;
    }

    /** Returns the explanation for people. */
    public String reason() {
        return reason;
    }

    public static CouchException badRequest(String reason) {
        return new CouchException(400, "bad_request", reason);
    }

    public static CouchException of(int status, String error, String reason) {
        return new CouchException(status, error, reason);
    }

    static CouchException queryParse(String reason) {
        return new CouchException(400, "query_parse_error", reason);
    }

    public static CouchException docValidation(String reason) {
        return new CouchException(400, "doc_validation", reason);
    }

    public static CouchException conflict() {
        return new CouchException(409, "conflict", "Document update conflict.");
    }

    public static CouchException notImplemented(String reason) {
        return new CouchException(501, "not_implemented", reason);
    }

    public static CouchException missing(String reason) {
        return new CouchException(404, "not_found", reason);
    }

    public static CouchException noDatabase() {
        return missing("Database does not exist.");
    }

    public static CouchException methodNotAllowed(String allowed) {
        return new CouchException(405, "method_not_allowed", "Only " + allowed + " allowed");
    }

    public static CouchException tooLarge(String reason) {
        return new CouchException(413, "too_large", reason);
    }

    public static CouchException contentType(String reason) {
        return new CouchException(415, "bad_content_type", reason);
    }
}
