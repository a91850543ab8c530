package io.millrace.streams;

import io.millrace.documents.TransactionId;
import io.millrace.streams.StreamListener.Trip;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.PruneResult;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.TipResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes trips to the stores of a context with its options, and notifies its listener. */
final class Trips {

    private final StreamContext context;

    Trips(StreamContext context) {
        this.context = context;
    }

    StreamContext context() {
        return context;
    }

    CompletableFuture<TipResult> tip(StreamName stream, long knownEtag) {
        return context.store().tip(stream, knownEtag).thenApply(result -> {
            heard(
                    stream,
                    switch (result) {
                        case TipResult.Found found -> Trip.TIP;
                        case TipResult.NotFound absent -> Trip.TIP_NOT_FOUND;
                        case TipResult.NotModified same -> Trip.TIP_NOT_MODIFIED;
                    });
            return result;
        });
    }

    CompletableFuture<SyncResult> sync(
            StreamName stream, Expected expected, List<EncodedEvent> events, List<EncodedEvent> unfolds) {
        return sync(stream, expected, events, unfolds, TransactionId.random());
    }

    CompletableFuture<SyncResult> sync(
            StreamName stream,
            Expected expected,
            List<EncodedEvent> events,
            List<EncodedEvent> unfolds,
            TransactionId transaction) {
        SyncRequest request = new SyncRequest(
                expected, events, unfolds, context.maxEventsInTip(), context.maxTipBytes(), transaction);
        return context.store().sync(stream, request).thenApply(result -> {
            heard(
                    stream,
                    switch (result) {
                        case SyncResult.Written written -> Trip.APPEND;
                        case SyncResult.Conflict conflict -> conflict.known() ? Trip.RESYNC : Trip.CONFLICT;
                    });
            return result;
        });
    }

    CompletableFuture<Page> read(StreamStore from, StreamName stream, PageRequest request) {
        return from.read(stream, request).thenApply(page -> {
            heard(
                    stream,
                    request.direction() == PageRequest.Direction.FORWARD
                            ? Trip.RESPONSE_FORWARD
                            : Trip.RESPONSE_BACKWARD);
            return page;
        });
    }

    CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex) {
        return context.store().prune(stream, untilIndex).thenApply(result -> {
            heard(stream, Trip.PRUNE);
            return result;
        });
    }

    private void heard(StreamName stream, Trip trip) {
        context.listener().trip(stream, trip);
    }
}
