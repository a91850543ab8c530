package io.millrace.streams.store;

/** The result of reading a tip. */
public sealed interface TipResult {

    /** The stream still has the etag that the reader knows. */
    record NotModified() implements TipResult {}

    /** The stream does not exist. */
    record NotFound() implements TipResult {}

    /** The tip differs from the one that the reader knows. */
    record Found(Tip tip) implements TipResult {}
}
