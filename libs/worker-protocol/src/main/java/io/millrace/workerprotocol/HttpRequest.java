package io.millrace.workerprotocol;

/**
 * An HTTP request for OnRequest.
 *
 * @param head what the handler sees of it except for the body, as a JSON object
 * @param body how the handler sees the body, and its bytes
 * @param trace the span of the request, as text; "" if it is not traced
 */
public record HttpRequest(byte[] head, HttpBody body, String trace) {

    /** A request that is not traced. */
    public HttpRequest(byte[] head, HttpBody body) {
        this(head, body, "");
    }

    /** Returns a copy that is traced. */
    public HttpRequest withTrace(String span) {
        return new HttpRequest(head, body, span);
    }
}
