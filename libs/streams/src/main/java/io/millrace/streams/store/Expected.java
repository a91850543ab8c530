package io.millrace.streams.store;

/** Where a stream must be for a sync to be done. */
public sealed interface Expected {

    /** Anywhere. */
    record Any() implements Expected {}

    /** At a version, whatever its unfolds are. */
    record Version(long version) implements Expected {}

    /** At an etag, 0 when there must be no stream. */
    record Etag(long etag) implements Expected {}

    static Expected any() {
        return new Any();
    }

    static Expected version(long version) {
        if (version < 0) {
            throw new IllegalArgumentException("A version is never negative: " + version);
        }
        return new Version(version);
    }

    static Expected etag(long etag) {
        return new Etag(etag);
    }
}
