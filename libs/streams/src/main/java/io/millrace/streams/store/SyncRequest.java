package io.millrace.streams.store;

import io.millrace.documents.TransactionId;
import java.util.List;

/**
 * One change of one stream.
 *
 * @param events to append
 * @param unfolds replace all unfolds of the stream
 * @param maxEventsInTip a tip with more events becomes a batch
 * @param maxTipBytes a tip with more bytes of events becomes a batch
 * @param transaction makes the sync safe to repeat after a lost answer
 */
public record SyncRequest(
        Expected expected,
        List<EncodedEvent> events,
        List<EncodedEvent> unfolds,
        int maxEventsInTip,
        int maxTipBytes,
        TransactionId transaction) {

    public SyncRequest {
        events = List.copyOf(events);
        unfolds = List.copyOf(unfolds);
        if (events.isEmpty() && unfolds.isEmpty()) {
            throw StreamsException.nothingToWrite();
        }
        if (events.size() > Limits.MAX_EVENTS_PER_SYNC) {
            throw StreamsException.tooManyEvents(events.size());
        }
    }
}
