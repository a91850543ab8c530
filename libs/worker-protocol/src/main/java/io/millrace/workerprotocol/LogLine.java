package io.millrace.workerprotocol;

/**
 * @param level {@code ERROR}, {@code WARNING}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 * @param epochMillis when it was written, in milliseconds since 1970
 * @param version the number of the version that wrote it; 0 for the one that is deployed
 */
public record LogLine(String level, long epochMillis, String text, long version) {

    /** A line of the version that is deployed. */
    public LogLine(String level, long epochMillis, String text) {
        this(level, epochMillis, text, 0);
    }
}
