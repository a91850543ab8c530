package io.millrace.streams.store;

import java.util.List;

/** How a sync ended. */
public sealed interface SyncResult {

    /**
     * The events have been appended and the unfolds replaced.
     *
     * @param repeated true if the same transaction had been carried out before
     */
    record Written(long version, long etag, boolean repeated) implements SyncResult {}

    /**
     * The precondition does not hold.
     *
     * @param tipIndex index of the first event in the tip
     * @param events of the tip from the expected version on; empty when the tip begins after it
     * @param unfolds of the stream
     */
    record Conflict(long version, long etag, long tipIndex, List<TimelineEvent> events, List<TimelineEvent> unfolds)
            implements SyncResult {

        /** Returns whether this answer has all that changed; otherwise the stream has to be read. */
        public boolean known() {
            return version == 0 || !events.isEmpty() || !unfolds.isEmpty();
        }
    }
}
