package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a statement fails. Has a code of {@link ErrorCode} and, if a place in the text caused it, its line and
 * column, both from 1.
 */
public final class QueryException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final int line;
    private final int column;
    private final boolean retry;
    private final @Nullable String reason;

    private QueryException(
            ErrorCode code, String message, int line, int column, boolean retry, @Nullable String reason) {
        super(message, null, false, false);
        this.code = code;
        this.line = line;
        this.column = column;
        this.retry = retry;
        this.reason = reason;
    }

    /** Creates an error without a place. */
    public static QueryException of(ErrorCode code, String message) {
        return new QueryException(code, message, 0, 0, false, null);
    }

    /** Creates an error at a place in the text. */
    public static QueryException at(ErrorCode code, int line, int column, String message) {
        return new QueryException(
                code, message + " (near line " + line + ", column " + column + ").", line, column, false, null);
    }

    public static QueryException syntax(int line, int column, String message) {
        return new QueryException(
                ErrorCode.SYNTAX,
                "syntax error - line " + line + ", column " + column + ", " + message,
                line,
                column,
                false,
                null);
    }

    public static QueryException timeout(long millis) {
        return of(ErrorCode.TIMEOUT, "Timeout " + millis + "ms exceeded");
    }

    public static QueryException cancelled() {
        return of(ErrorCode.CANCELLED, "Request cancelled");
    }

    /** The process ran out of memory. */
    public static QueryException outOfMemory() {
        return of(
                ErrorCode.MEMORY,
                "The memory of the query service is nearly full, and this statement has used most of it. Ask for fewer rows, "
                        + "for fewer fields of them, or let an index give them in their order.");
    }

    public static QueryException outOfRange(String function) {
        return of(ErrorCode.RANGE, "Out of range evaluating " + function + ".");
    }

    public static QueryException evaluation(String message) {
        return of(ErrorCode.EVALUATION, "Error evaluating expression - cause: " + message);
    }

    /** The roles of the user do not allow what the statement does with a keyspace. */
    public static QueryException notAllowed(Need need, KeyspaceName name) {
        String kind = need == Need.MANAGE_INDEX ? "index" : need.name();
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to run %s queries on %s. Add role query_%s on %s to allow the statement to run."
                        .formatted(kind, name, need.name().toLowerCase(Locale.ROOT), name));
    }

    /** The roles of the user do not allow tables of the system. */
    public static QueryException systemNotAllowed() {
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to run queries accessing the system tables."
                        + " Add role query_system_catalog to allow the statement to run.");
    }

    public static QueryException keyspaceNotFound(String name) {
        return of(ErrorCode.KEYSPACE_NOT_FOUND, "Keyspace not found in CB datastore: " + name);
    }

    /** The statement needs an index, and none exists. */
    public static QueryException noIndex(String keyspace) {
        return of(
                ErrorCode.NO_INDEX,
                "No index available on keyspace " + keyspace + " that matches your query. Use CREATE PRIMARY INDEX ON "
                        + keyspace + " to create a primary index, or check that your expected index is online.");
    }

    /** A document with the key of an INSERT exists. */
    public static QueryException duplicateKey(String key) {
        return new QueryException(
                ErrorCode.DML,
                "DML Error, possible causes include concurrent modification. Failed to perform insert on key " + key
                        + " - cause: Duplicate Key: " + key,
                0,
                0,
                false,
                "{\"code\":17012,\"message\":\"Duplicate Key: "
                        + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"}");
    }

    /** A document changed between reading and writing in each attempt. */
    public static QueryException casMismatch(String key) {
        return new QueryException(
                ErrorCode.DML,
                "DML Error, possible causes include concurrent modification. Failed to change key " + key
                        + " - cause: CAS mismatch",
                0,
                0,
                true,
                "{\"code\":12033,\"message\":\"CAS mismatch\"}");
    }

    /** The store rejected a change. */
    public static QueryException refused(String key, String why) {
        return of(ErrorCode.DML, "DML Error. Failed to change key " + key + " - cause: " + why);
    }

    /** The store does not respond; the statement may succeed later. */
    public static QueryException unavailable(String message) {
        return new QueryException(ErrorCode.UNAVAILABLE, message, 0, 0, true, null);
    }

    public ErrorCode errorCode() {
        return code;
    }

    public int code() {
        return code.code();
    }

    /** Returns the message; never null. */
    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? code.name() : message;
    }

    /** Returns the message without the place, for callers that show the place themselves. */
    public String description() {
        return line == 0
                ? getMessage()
                : getMessage()
                        .replaceFirst("^syntax error - line \\d+, column \\d+, ", "syntax error ")
                        .replaceFirst(" \\(near line \\d+, column \\d+\\)\\.$", "");
    }

    /** Returns the line, or 0 without a place. */
    public int line() {
        return line;
    }

    /** Returns the column, or 0 without a place. */
    public int column() {
        return column;
    }

    /** Returns whether the same statement may succeed later. */
    public boolean retry() {
        return retry;
    }

    /** Returns the cause as JSON, if there is one. */
    public @Nullable String reason() {
        return reason;
    }
}
