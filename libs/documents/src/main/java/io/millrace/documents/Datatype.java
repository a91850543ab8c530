package io.millrace.documents;

/** What the bytes of a document body are. The store itself never parses them. */
public enum Datatype {
    /** UTF-8 JSON text; the caller that accepted it has checked it. */
    JSON,
    /** Anything else. */
    BINARY
}
