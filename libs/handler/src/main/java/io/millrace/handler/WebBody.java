package io.millrace.handler;

/**
 * The body of an HTTP request or response.
 *
 * @param kind how code sees it
 * @param bytes the text in UTF-8, the JSON, or the bytes themselves; not changed afterwards
 */
public record WebBody(Kind kind, byte[] bytes) {

    /** What a body is to code. */
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
