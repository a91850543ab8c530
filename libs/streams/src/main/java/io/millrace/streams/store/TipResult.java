package io.millrace.streams.store;

/** What reading a tip found. */
public sealed interface TipResult {

    /** The stream has the etag that the reader knows. */
    record NotModified() implements TipResult {}

    /** There is no such stream. */
    record NotFound() implements TipResult {}

    /** The tip is another than the reader knows. */
    record Found(Tip tip) implements TipResult {}
}
