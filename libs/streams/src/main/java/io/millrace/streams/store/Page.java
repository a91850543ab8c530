package io.millrace.streams.store;

import java.util.List;

/**
 * Consecutive batches of a stream.
 *
 * @param version how many events the stream has had
 * @param base index of the first event that has not been pruned
 * @param etag of the stream, 0 if it does not exist
 * @param start index of the first event of this page; if the page is empty, the index where it was to start
 * @param events oldest first, also when read backward
 */
public record Page(long version, long base, long etag, long start, List<TimelineEvent> events) {

    /** Returns the index after the last event of this page. */
    public long end() {
        return start + events.size();
    }
}
