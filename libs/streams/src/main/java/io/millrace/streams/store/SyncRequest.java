package io.millrace.streams.store;

import io.millrace.documents.TransactionId;
import java.util.List;

/**
 * One change of one stream.
 *
 * @param events to be appended
 * @param unfolds take the place of all unfolds that the stream has
 * @param maxEventsInTip with more of them the tip becomes a batch
 * @param maxTipBytes with more bytes of events, likewise
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
