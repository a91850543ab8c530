package io.millrace.workerprotocol;

/**
 * @param level {@code ERROR}, {@code WARNING}, {@code INFO}, {@code DEBUG} or {@code TRACE}
 * @param epochMillis when it was written, in milliseconds since 1970
 */
public record LogLine(String level, long epochMillis, String text) {}
