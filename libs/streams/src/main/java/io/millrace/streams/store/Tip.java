package io.millrace.streams.store;

import java.util.List;
import java.util.stream.Stream;

/**
 * The newest part of a stream, which one trip reads.
 *
 * @param version how many events the stream has had
 * @param index of the first event of the tip; the version if the tip has no events
 * @param base index of the first event that has not been pruned
 * @param etag changes with every change of the stream; never 0
 */
public record Tip(
        long version, long index, long base, long etag, List<TimelineEvent> events, List<TimelineEvent> unfolds) {

    /** Returns events and unfolds by index, unfolds after the events of their index. */
    public List<TimelineEvent> timeline() {
        return Stream.concat(events.stream(), unfolds.stream())
                .sorted(TimelineEvent.ORDER)
                .toList();
    }
}
