package io.millrace.subdocservice.kv;

/**
 * How many requests of a connection may be in flight. The size of a response is known only when it is complete, so the window
 * expects it to be about as large as the largest recent one: a connection starts with few requests, small responses widen
 * its window soon, and a large one narrows it at once.
 */
final class RequestWindow {

    private static final int FIRST_EXPECTATION_BYTES = 1024 * 1024;
    private static final int LEAST_BYTES = KvLimits.MAX_ANSWER_BYTES / KvLimits.MAX_REQUESTS_IN_FLIGHT;
    private static final int MEMORY_ANSWERS = 16;

    private int expectedBytes = FIRST_EXPECTATION_BYTES;

    /** Returns the most requests that may be in flight, at least one. */
    int requests() {
        return Math.max(1, KvLimits.MAX_ANSWER_BYTES / Math.max(LEAST_BYTES, expectedBytes));
    }

    /** Records the size of a response. */
    void answered(int bytes) {
        expectedBytes = Math.max(bytes, expectedBytes - expectedBytes / MEMORY_ANSWERS);
    }
}
