package io.millrace.n1ql;

import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a statement fails. Has a code of {@link ErrorCode} and, if a place in the text caused it, its line and
 * column, both from 1.
 */
public final class QueryException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private static final int EXCERPT_LETTERS = 120;

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

    /** The statement holds more rows, groups or values than it may. */
    public static QueryException holdsTooMuch(long most) {
        return of(
                ErrorCode.MEMORY,
                "The statement holds more than the " + (most >> 20) + " MiB of memory that one statement may hold."
                        + " Ask for fewer rows, or for fewer fields of them.");
    }

    /** Rows that do not fit into memory could not be written to a file. */
    public static QueryException noSpill(String why) {
        return of(ErrorCode.MEMORY, "Rows that do not fit into memory could not be written to a file: " + why);
    }

    public static QueryException outOfRange(String function) {
        return of(ErrorCode.RANGE, "Out of range evaluating " + function + ".");
    }

    public static QueryException evaluation(String message) {
        return of(ErrorCode.EVALUATION, "Error evaluating expression - cause: " + message);
    }

    /** The roles of the user do not allow what the statement does with a keyspace. */
    public static QueryException notAllowed(Need need, KeyspaceName name, StatementRights rights) {
        String kind = switch (need) {
            case SELECT, INSERT, UPDATE, DELETE -> need.name();
            case MANAGE_INDEX -> "index";
            case USE_SEQUENCES, MANAGE_SEQUENCES -> "sequence";
            case MANAGE_COLLECTIONS -> "scope and collection";
            case MANAGE_BUCKET -> "bucket";
        };
        String role = switch (need) {
            case SELECT, INSERT, UPDATE, DELETE, MANAGE_INDEX, USE_SEQUENCES, MANAGE_SEQUENCES ->
                "query_" + need.name().toLowerCase(Locale.ROOT);
            case MANAGE_COLLECTIONS -> "scope_admin";
            case MANAGE_BUCKET -> "bucket_admin";
        };
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to run %s queries on %s. %s"
                        .formatted(kind, name, rights.remedy(role + " on " + name)));
    }

    /** The roles of the user do not allow to change a function. */
    public static QueryException functionNotAllowed(String function, boolean global, StatementRights rights) {
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to create or drop the function %s. %s"
                        .formatted(function, rights.remedy(global ? "cluster_admin" : "scope_admin on its scope")));
    }

    /** The roles of the user do not allow tables of the system. */
    public static QueryException systemNotAllowed(StatementRights rights) {
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to run queries accessing the system tables. "
                        + rights.remedy("query_system_catalog"));
    }

    /** A prepared statement of others may not be replaced. */
    static QueryException preparedByOthers(String name, StatementRights rights) {
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to replace the prepared statement %s: only the user who alone has prepared it"
                                .formatted(name)
                        + " may, or one who may delete it from system:prepareds; choose another name. "
                        + rights.remedy("query_system_catalog"));
    }

    /** The run may not list users. */
    public static QueryException usersNotAllowed(StatementRights rights) {
        return of(
                ErrorCode.NO_CREDENTIALS,
                "User does not have credentials to list users and their roles; system:my_user_info has those of the user"
                        + " itself. " + rights.remedy("security_admin or ro_admin"));
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

    /**
     * Returns the line of the statement in which the error is, and below it a caret at its column; empty without a place. A
     * long line is cut.
     */
    public Optional<String> excerpt(String statement) {
        List<String> lines = statement.lines().toList();
        if (line < 1 || line > lines.size() || column < 1) {
            return Optional.empty();
        }
        int[] letters = lines.get(line - 1).codePoints().toArray();
        int at = Math.min(column - 1, letters.length);
        int from = letters.length <= EXCERPT_LETTERS ? 0 : Math.max(0, at - EXCERPT_LETTERS / 2);
        int length = Math.min(letters.length - from, EXCERPT_LETTERS);
        StringBuilder caret = new StringBuilder();
        for (int i = from; i < at; i++) {
            caret.append(letters[i] == '\t' ? '\t' : ' ');
        }
        return Optional.of(new String(letters, from, length) + "\n" + caret + "^");
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
