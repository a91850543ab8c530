package io.millrace.streams.store;

import java.util.Comparator;

/**
 * An event at its place in a stream.
 *
 * @param index of the event, 0 for the first; of an unfold, the version of the state that it holds
 * @param seqno of the sync that appended the event: its place in the order of all changes of its shard, the same for all
 *     events of one sync; 0 for an unfold
 * @param unfold true for an event that was derived from the state and may be discarded
 */
public record TimelineEvent(long index, long seqno, boolean unfold, EncodedEvent event) {

    /** By index; unfolds come after the events of their index. */
    public static final Comparator<TimelineEvent> ORDER =
            Comparator.comparingLong(TimelineEvent::index).thenComparing(TimelineEvent::unfold);
}
