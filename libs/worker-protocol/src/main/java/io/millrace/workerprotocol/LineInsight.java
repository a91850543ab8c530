package io.millrace.workerprotocol;

/**
 * What happened on one line of the user's code.
 *
 * @param line from 1
 * @param calls how often the line called something outside: buckets, queries, curl
 * @param micros how long these calls took, in microseconds
 * @param errors how many invocations ended there with an error
 * @param lastError the newest of these errors, "" for none
 * @param lastLog what the line logged last, "" for nothing
 * @param lastTrace the id of the newest trace of which something happened there, "" for none
 */
public record LineInsight(
        int line, long calls, long micros, long errors, String lastError, String lastLog, String lastTrace) {

    /** Returns this and what happened later on the same line. */
    public LineInsight plus(LineInsight later) {
        return new LineInsight(
                line,
                calls + later.calls,
                micros + later.micros,
                errors + later.errors,
                later.lastError.isEmpty() ? lastError : later.lastError,
                later.lastLog.isEmpty() ? lastLog : later.lastLog,
                later.lastTrace.isEmpty() ? lastTrace : later.lastTrace);
    }
}
