package io.millrace.documents;

import java.util.List;

/**
 * Changes of one shard that existed when the page was requested.
 *
 * @param mutations in the order that was asked for; those of dropped collections are left out
 * @param position the seqno up to which everything has been looked at: ask on from here
 * @param more false when nothing was left beyond that
 */
public record ChangePage(List<Mutation> mutations, long position, boolean more) {

    /**
     * Which changes are asked for.
     *
     * @param from the seqno that they lie after, or before when the newest come first; not among them
     * @param max how many at most, 1 to {@link Limits#MAX_PAGE_MUTATIONS}
     * @param bodies false when bodies and user attributes may be left out, which makes reading cheaper
     */
    public record Request(long from, boolean newestFirst, int max, boolean bodies) {

        /** A position after every change, to begin with when the newest come first. */
        public static final long END = 1L << 53;

        public Request {
            if (max < 1 || max > Limits.MAX_PAGE_MUTATIONS) {
                throw new IllegalArgumentException("1 to %d changes, not %d".formatted(Limits.MAX_PAGE_MUTATIONS, max));
            }
        }
    }
}
