package io.millrace.documents;

/** What the bytes of a document body are. The store itself never parses them. */
public enum Datatype {
    /** UTF-8 JSON text, checked by whoever accepted it. */
    JSON,
    /** Anything else. */
    BINARY
}
