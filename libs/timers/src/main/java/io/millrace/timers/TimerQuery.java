package io.millrace.timers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which timers to list, in the order in which they are due, those of the same millisecond by id.
 *
 * @param callback only those with this callback; null for all
 * @param reference only those whose reference contains this text; null for all
 * @param document only those whose reference is this id of a document; null for all
 * @param from only those due at this millisecond or later
 * @param to only those due at this millisecond or earlier
 * @param after only those behind this timer of an earlier page; null for the first page
 * @param limit the most timers, up to {@link TimerLimits#MAX_TIMERS_LISTED}
 */
public record TimerQuery(
        @Nullable String callback,
        @Nullable String reference,
        @Nullable String document,
        long from,
        long to,
        @Nullable Place after,
        int limit) {

    private static final long LATEST = TimerLimits.LATEST_DUE.toEpochMilli();

    public TimerQuery {
        from = Math.clamp(from, 0, LATEST);
        to = Math.clamp(to, 0, LATEST);
        limit = Math.clamp(limit, 1, TimerLimits.MAX_TIMERS_LISTED);
    }

    /** A place in the order; ids are compared as Redis does, by their bytes. */
    public record Place(long due, String id) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int byDue = Long.compare(due, other.due);
            return byDue != 0 ? byDue : Arrays.compareUnsigned(id.getBytes(UTF_8), other.id.getBytes(UTF_8));
        }
    }

    /** Returns the query for the first timers of all. */
    public static TimerQuery first(int limit) {
        return new TimerQuery(null, null, null, 0, LATEST, null, limit);
    }

    public boolean matches(TimerId id, long due) {
        return (callback == null || callback.equals(id.callback()))
                && (reference == null || id.reference().contains(reference))
                && (document == null || id.reference().equals(document))
                && due >= from
                && due <= to
                && (after == null || new Place(due, id.text()).compareTo(after) > 0);
    }
}
