package io.millrace.streams;

/**
 * A state with where it comes from, for decisions that need to know.
 *
 * @param version how many events the stream has had
 * @param etag of the stream, 0 when it is not there
 */
public record SyncContext<S>(long version, long etag, S state) {}
