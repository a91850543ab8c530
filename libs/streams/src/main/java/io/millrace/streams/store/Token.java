package io.millrace.streams.store;

/**
 * The version and etag of a stream when it was last read or written.
 *
 * @param version how many events it had
 * @param etag its etag, 0 if it did not exist
 */
public record Token(long version, long etag) {

    public static final Token EMPTY = new Token(0, 0);

    /** Returns whether a state with the other token is older than one with this token. */
    public boolean makesStale(Token candidate) {
        return candidate.version < version || (candidate.version == version && candidate.etag < etag);
    }
}
