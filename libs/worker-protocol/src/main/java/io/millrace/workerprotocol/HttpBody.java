package io.millrace.workerprotocol;

/**
 * The body of an HTTP request or response.
 *
 * @param kind what it is to the handler
 * @param bytes the text in UTF-8, the JSON, or the bytes themselves
 */
public record HttpBody(Kind kind, byte[] bytes) {

    /** What a body is to a handler. */
    public enum Kind {
        /** Undefined. */
        NONE,
        /** A value. */
        JSON,
        /** A string. */
        TEXT,
        /** An ArrayBuffer. */
        BYTES
    }
}
