package io.millrace.streams.store;

import java.util.List;

/** How a sync ended. */
public sealed interface SyncResult {

    /**
     * It was done.
     *
     * @param repeated true when this answers a repetition of what had been done before
     */
    record Written(long version, long etag, boolean repeated) implements SyncResult {}

    /**
     * The stream is elsewhere than expected.
     *
     * @param tipIndex index of the first event in the tip
     * @param events of the tip from the expected version on; empty when the tip begins after it
     * @param unfolds of the stream
     */
    record Conflict(long version, long etag, long tipIndex, List<TimelineEvent> events, List<TimelineEvent> unfolds)
            implements SyncResult {

        /** Returns false when only a read can tell what happened. */
        public boolean known() {
            return version == 0 || !events.isEmpty() || !unfolds.isEmpty();
        }
    }
}
