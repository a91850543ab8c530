package io.millrace.streams.store;

import io.millrace.documents.TransactionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Streams of encoded events. Thread-safe; no call blocks. Every call is one round trip.
 *
 * <p>Futures may fail with {@link io.millrace.documents.DocumentsException} or {@link StreamsException}.
 */
public interface StreamStore {

    /** Reads the tip, unless its etag is still {@code knownEtag}; 0 always reads it. */
    CompletableFuture<TipResult> tip(StreamName stream, long knownEtag);

    /** Appends events and replaces the unfolds, if the precondition of the request holds. */
    CompletableFuture<SyncResult> sync(StreamName stream, SyncRequest request);

    /** Reads a page of batches. */
    CompletableFuture<Page> read(StreamName stream, PageRequest request);

    /**
     * Removes events up to and including an index: whole batches, oldest first, and single events of the tip. Version
     * and unfolds remain; the etag changes only if events of the tip were removed.
     */
    CompletableFuture<PruneResult> prune(StreamName stream, long untilIndex);

    /**
     * Consecutive batches of a stream.
     *
     * @param version how many events the stream has had
     * @param base index of the first event that has not been pruned
     * @param etag of the stream, 0 if it does not exist
     * @param start index of the first event of this page; if the page is empty, the index where it was to start
     * @param events oldest first, also when read backward
     */
    record Page(long version, long base, long etag, long start, List<TimelineEvent> events) {

        /** Returns the index after the last event of this page. */
        public long end() {
            return start + events.size();
        }
    }

    /**
     * Which batches to read; the tip is one of them.
     *
     * @param direction at which end to begin
     * @param from the lowest index to read
     * @param to the index after the highest to read, or {@link #END}
     * @param batches how many batches to read at most, 1 or more
     */
    record PageRequest(Direction direction, long from, long to, int batches) {

        /** An index after the last event of any stream. */
        public static final long END = (1L << 53) - 1;

        /** The end of the stream at which reading begins. */
        public enum Direction {
            FORWARD,
            BACKWARD
        }
    }

    /**
     * The result of pruning.
     *
     * @param deleted how many events were removed
     * @param deferred how many events were to be removed and remain, because their batch has others that must remain
     * @param lowMark index of the first remaining event
     */
    record PruneResult(long deleted, long deferred, long lowMark) {}

    /**
     * One change of one stream.
     *
     * @param events to append
     * @param unfolds replace all unfolds of the stream
     * @param maxEventsInTip a tip with more events becomes a batch
     * @param maxTipBytes a tip with more bytes of events becomes a batch
     * @param transaction makes the sync safe to repeat after a lost answer
     */
    record SyncRequest(
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

    /** How a sync ended. */
    sealed interface SyncResult {

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

    /** The result of reading a tip. */
    sealed interface TipResult {

        /** The stream still has the etag that the reader knows. */
        record NotModified() implements TipResult {}

        /** The stream does not exist. */
        record NotFound() implements TipResult {}

        /** The tip differs from the one that the reader knows. */
        record Found(Tip tip) implements TipResult {}
    }

    /**
     * The newest part of a stream, which one trip reads.
     *
     * @param version how many events the stream has had
     * @param index of the first event of the tip; the version if the tip has no events
     * @param base index of the first event that has not been pruned
     * @param etag changes with every change of the stream; never 0
     */
    record Tip(
            long version, long index, long base, long etag, List<TimelineEvent> events, List<TimelineEvent> unfolds) {

        /** Returns events and unfolds by index, unfolds after the events of their index. */
        public List<TimelineEvent> timeline() {
            return Stream.concat(events.stream(), unfolds.stream())
                    .sorted(TimelineEvent.ORDER)
                    .toList();
        }
    }
}
