package io.millrace.workerprotocol;

/**
 * @param level {@code ERROR}, {@code WARNING}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 * @param epochMillis when it was written, in milliseconds since 1970
 * @param version the number of the version that wrote it; 0 for the one that is deployed
 * @param trace the id of the trace of the change that was handled, "" if it is not traced
 */
public record LogLine(String level, long epochMillis, String text, long version, String trace) {

    /** A line about nothing that is traced. */
    public LogLine(String level, long epochMillis, String text, long version) {
        this(level, epochMillis, text, version, "");
    }

    /** A line of the version that is deployed. */
    public LogLine(String level, long epochMillis, String text) {
        this(level, epochMillis, text, 0);
    }
}
