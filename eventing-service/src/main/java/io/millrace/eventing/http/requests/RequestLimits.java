package io.millrace.eventing.http.requests;

import io.millrace.workerprotocol.WorkerProtocolLimits;
import java.time.Duration;

/** The limits of HTTP requests to functions, each with its unit. */
final class RequestLimits {

    /** The largest body of a request or response in bytes. */
    static final int MAX_BODY_BYTES = WorkerProtocolLimits.MAX_HTTP_BODY_BYTES;

    /** The most requests to one function that a node works on at the same time. */
    static final int MAX_IN_FLIGHT_PER_FUNCTION = 64;

    /** The most requests to all functions that a node works on at the same time. */
    static final int MAX_IN_FLIGHT = 256;

    /** The longest that a request may wait and run; its function's execution timeout counts if it is shorter. */
    static final Duration MAX_TIME = Duration.ofSeconds(60);

    /** How much later than that the worker may answer: the writes of the handler must be done. */
    static final Duration GRACE = Duration.ofSeconds(20);

    /** How much later than that another node may answer that a request was sent on to; its own limits end the request before. */
    static final Duration PATIENCE = GRACE.multipliedBy(2);

    /** The longest {@code Idempotency-Key} in characters. */
    static final int MAX_IDEMPOTENCY_KEY_CHARS = 255;

    /** The largest body of a response in bytes that is kept for repetitions with the same {@code Idempotency-Key}. */
    static final int MAX_KEPT_BODY_BYTES = 256 * 1024;

    /** The longest reason of a failure in characters that is kept for them. */
    static final int MAX_KEPT_MESSAGE_CHARS = 1_000;

    private RequestLimits() {}
}
