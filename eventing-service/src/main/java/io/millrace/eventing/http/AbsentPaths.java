package io.millrace.eventing.http;

import io.millrace.eventing.definition.ErrorCode;
import java.util.Map;
import java.util.regex.Pattern;

/** What clients of Couchbase may call and Millrace does not have, with what to use instead. */
final class AbsentPaths {

    private static final String DEBUGGER =
            "Addresses of debuggers are not written by clients: GET /getDebuggerUrl has that of a function.";
    private static final String BACKUP =
            "Backups of functions are exports: GET /api/v1/export and POST /api/v1/import, or ./millrace fn export.";

    private static final Map<String, String> PATHS = Map.of(
            "/writeDebuggerURL", DEBUGGER,
            "/api/v1/backup", BACKUP,
            "/getSeqsProcessed",
                    "Positions in the feed are not listed by vbucket. GET /api/v1/stats/{name} has the backlog and the lag.",
            "/getUserInfo", "Roles are managed by the gateway: GET /api/v1/session says which a user has.",
            "/logLevel", "The log level of a function is its setting log_level; of the service, its environment.");

    private static final Pattern RETRY = Pattern.compile("/api/v1/functions/[^/]+/retry");

    private AbsentPaths() {}

    /** Returns the error for a path that does not exist: the debugger is disabled, anything else is not found. */
    static ErrorCode code(String path) {
        return DEBUGGER.equals(PATHS.get(trimmed(path)))
                ? ErrorCode.ERR_DEBUGGER_DISABLED
                : ErrorCode.ERR_INVALID_REQUEST;
    }

    /** Returns what to say about a path that does not exist. */
    static String words(String path) {
        String known = PATHS.get(trimmed(path));
        if (known != null) {
            return known;
        }
        return RETRY.matcher(path).matches()
                ? "Changes that failed are retried by the settings retries and retry_pause. Replay dead letters with POST"
                        + " /api/v1/functions/{name}/dead-letters/replay."
                : "There is no path %s here. /v3/api-docs describes all paths.".formatted(path);
    }

    private static String trimmed(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
