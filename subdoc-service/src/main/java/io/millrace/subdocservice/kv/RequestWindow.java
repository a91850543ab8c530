package io.millrace.subdocservice.kv;

/**
 * How many requests of a connection may be on their way. How large an answer will be is known only when it is there, so it
 * is expected to be about as large as the largest of late: a connection begins with few requests, small answers soon widen
 * its window, a large one narrows it at once.
 */
final class RequestWindow {

    private static final int FIRST_EXPECTATION_BYTES = 1024 * 1024;
    private static final int LEAST_BYTES = KvLimits.MAX_ANSWER_BYTES / KvLimits.MAX_REQUESTS_IN_FLIGHT;
    private static final int MEMORY_ANSWERS = 16;

    private int expectedBytes = FIRST_EXPECTATION_BYTES;

    /** Returns the most requests that may be on their way, at least one. */
    int requests() {
        return Math.max(1, KvLimits.MAX_ANSWER_BYTES / Math.max(LEAST_BYTES, expectedBytes));
    }

    /** Says how large an answer was. */
    void answered(int bytes) {
        expectedBytes = Math.max(bytes, expectedBytes - expectedBytes / MEMORY_ANSWERS);
    }
}
