package io.millrace.streams.store;

import java.util.List;

/**
 * Some batches of a stream.
 *
 * @param version how many events the stream has had
 * @param base index of the first event that has not been pruned
 * @param etag of the stream, 0 when there is no such stream
 * @param start index of the first event of this page, or where it would be
 * @param events oldest first, also when read backward
 */
public record Page(long version, long base, long etag, long start, List<TimelineEvent> events) {

    /** Returns the index after the last event of this page. */
    public long end() {
        return start + events.size();
    }
}
