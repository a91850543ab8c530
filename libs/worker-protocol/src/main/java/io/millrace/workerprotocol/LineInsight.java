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
 */
public record LineInsight(int line, long calls, long micros, long errors, String lastError, String lastLog) {

    /** Returns this and what happened later on the same line. */
    public LineInsight plus(LineInsight later) {
        return new LineInsight(
                line,
                calls + later.calls,
                micros + later.micros,
                errors + later.errors,
                later.lastError.isEmpty() ? lastError : later.lastError,
                later.lastLog.isEmpty() ? lastLog : later.lastLog);
    }
}
