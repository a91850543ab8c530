package io.millrace.streams.store;

/**
 * Where a stream was when it was last seen.
 *
 * @param version how many events it had had
 * @param etag its etag, 0 when it was not there
 */
public record Token(long version, long etag) {

    public static final Token EMPTY = new Token(0, 0);

    /** Returns true when a state at another token is older than one at this. */
    public boolean makesStale(Token candidate) {
        return candidate.version < version || (candidate.version == version && candidate.etag < etag);
    }
}
