package io.millrace.streams.store;

/** The precondition of a sync. */
public sealed interface Expected {

    /** None: the sync always succeeds. */
    record Any() implements Expected {}

    /** The stream has this version; its unfolds do not matter. */
    record Version(long version) implements Expected {}

    /** The stream has this etag; 0 means that it must not exist. */
    record Etag(long etag) implements Expected {}

    static Expected any() {
        return new Any();
    }

    static Expected version(long version) {
        if (version < 0) {
            throw new IllegalArgumentException("The expected version must not be negative, but is " + version);
        }
        return new Version(version);
    }

    static Expected etag(long etag) {
        return new Etag(etag);
    }
}
