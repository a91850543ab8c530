package io.millrace.workerprotocol;

/**
 * An HTTP request for OnRequest.
 *
 * @param head what the handler sees of it except for the body, as a JSON object
 * @param body how the handler sees the body, and its bytes
 * @param trace the span of the request, as text; "" if it is not traced
 * @param toPublicFunction whether everyone may send it, so that it reaches only what the function names
 */
public record HttpRequest(byte[] head, HttpBody body, String trace, boolean toPublicFunction) {

    /** A request to a function that is not public, and that is not traced. */
    public HttpRequest(byte[] head, HttpBody body) {
        this(head, body, "", false);
    }

    /** Returns a copy that everyone may send, or not. */
    public HttpRequest toPublicFunction(boolean isPublic) {
        return new HttpRequest(head, body, trace, isPublic);
    }

    /** Returns a copy that is traced. */
    public HttpRequest withTrace(String span) {
        return new HttpRequest(head, body, span, toPublicFunction);
    }
}
