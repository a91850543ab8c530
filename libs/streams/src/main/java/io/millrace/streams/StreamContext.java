package io.millrace.streams;

import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamStore;
import org.jspecify.annotations.Nullable;

/**
 * A store and the options of its use. Immutable; each {@code with} method returns a changed copy.
 *
 * @param store holds the streams
 * @param archive holds events that have been pruned from the store, or null
 * @param maxEventsInTip a tip with more events becomes a batch; 0 makes each write a batch
 * @param maxTipBytes a tip with more bytes of events becomes a batch
 * @param batchesPerPage how many batches one request reads
 * @param maxRequests how many requests a load may take
 * @param ignoreMissingEvents whether a state is built from the remaining events when some have been pruned
 */
public record StreamContext(
        StreamStore store,
        @Nullable StreamStore archive,
        int maxEventsInTip,
        int maxTipBytes,
        int batchesPerPage,
        int maxRequests,
        boolean ignoreMissingEvents,
        StreamListener listener) {

    public StreamContext {
        if (maxEventsInTip < 0 || batchesPerPage < 1 || maxRequests < 1) {
            throw new IllegalArgumentException("Out of range: %d events in tip, %d batches per page, %d requests"
                    .formatted(maxEventsInTip, batchesPerPage, maxRequests));
        }
    }

    public static StreamContext of(StreamStore store) {
        return new StreamContext(
                store,
                null,
                Limits.DEFAULT_EVENTS_IN_TIP,
                Limits.DEFAULT_TIP_BYTES,
                Limits.DEFAULT_BATCHES_PER_PAGE,
                Integer.MAX_VALUE,
                false,
                StreamListener.NONE);
    }

    public StreamContext withArchive(@Nullable StreamStore other) {
        return new StreamContext(
                store, other, maxEventsInTip, maxTipBytes, batchesPerPage, maxRequests, ignoreMissingEvents, listener);
    }

    public StreamContext withTip(int events, int bytes) {
        return new StreamContext(
                store, archive, events, bytes, batchesPerPage, maxRequests, ignoreMissingEvents, listener);
    }

    public StreamContext withQueries(int batches, int requests) {
        return new StreamContext(
                store, archive, maxEventsInTip, maxTipBytes, batches, requests, ignoreMissingEvents, listener);
    }

    public StreamContext withMissingEventsIgnored() {
        return new StreamContext(
                store, archive, maxEventsInTip, maxTipBytes, batchesPerPage, maxRequests, true, listener);
    }

    public StreamContext withListener(StreamListener other) {
        return new StreamContext(
                store, archive, maxEventsInTip, maxTipBytes, batchesPerPage, maxRequests, ignoreMissingEvents, other);
    }
}
