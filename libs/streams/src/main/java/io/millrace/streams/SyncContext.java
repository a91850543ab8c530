package io.millrace.streams;

/**
 * A state with its version and etag, for decisions that need them.
 *
 * @param version how many events the stream has had
 * @param etag of the stream, 0 if it does not exist
 */
public record SyncContext<S>(long version, long etag, S state) {}
