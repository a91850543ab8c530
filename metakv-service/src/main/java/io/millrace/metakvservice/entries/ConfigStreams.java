package io.millrace.metakvservice.entries;

import io.millrace.documents.TransactionId;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvLimits;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamStore.PageRequest;
import io.millrace.streams.store.StreamStore.SyncRequest;
import io.millrace.streams.store.StreamStore.SyncResult;
import io.millrace.streams.store.StreamStore.Tip;
import io.millrace.streams.store.StreamStore.TipResult;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Configuration entries as event streams, one for each path. The access strategy is LatestKnownEvent: every event is the
 * whole state, and the unfold repeats the last one, so that an entry is read in one call without its history.
 */
@Component
final class ConfigStreams {

    /** The least number of changes that are kept, whatever their size. */
    static final int MIN_HISTORY_EVENTS = 2;

    /** Long histories are pruned at every 64th change. */
    private static final int CUT_EVERY = 64;

    /** Result of a write. */
    sealed interface Outcome {
        /** @param repeated whether an earlier write with the same transaction did it */
        record Written(String rev, long seqno, boolean repeated) implements Outcome {}

        /** @param current the current entry, null if there is none */
        record Conflict(long etag, @Nullable MetakvEntry current) implements Outcome {}
    }

    private final SystemBucket bucket;

    ConfigStreams(SystemBucket bucket) {
        this.bucket = bucket;
    }

    /** Returns the last change of a path, or nothing if there never was one. */
    Mono<EntryChange> latest(String path) {
        StreamName stream = ConfigEvents.stream(path);
        return bucket.call(() -> bucket.streams().tip(stream, 0))
                .flatMap(result -> result instanceof TipResult.Found(Tip tip)
                        ? Mono.just(latest(path, tip))
                        : Mono.<EntryChange>empty());
    }

    private static EntryChange latest(String path, Tip tip) {
        return EntryChange.of(path, tip.unfolds().getLast(), tip.etag());
    }

    /** Appends an event, which is the new state, if the stream is as expected. */
    Mono<Outcome> append(String path, Expected expected, EncodedEvent event, TransactionId transaction) {
        StreamName stream = ConfigEvents.stream(path);
        var request = new SyncRequest(expected, List.of(event), List.of(event), 0, 0, transaction);
        return bucket.call(() -> bucket.streams().sync(stream, request)).flatMap(result -> switch (result) {
            case SyncResult.Written(long version, long etag, boolean repeated) ->
                cut(stream, version, event)
                        .then(repeated ? first(path, version) : Mono.empty())
                        .map(EntryChange::rev)
                        .defaultIfEmpty(EntryChange.rev(version, etag, event.time()))
                        .map(rev -> new Outcome.Written(rev, etag, repeated));
            case SyncResult.Conflict conflict -> Mono.just(conflict(path, conflict));
        });
    }

    /** Returns the change that the first call of a repeated one made, with its own time; empty if it is no longer kept. */
    private Mono<EntryChange> first(String path, long version) {
        return history(path, version + 1, 1).flatMapIterable(found -> found).next();
    }

    private static Outcome conflict(String path, SyncResult.Conflict conflict) {
        MetakvEntry current = conflict.unfolds().isEmpty()
                ? null
                : EntryChange.of(path, conflict.unfolds().getLast(), conflict.etag())
                        .entry();
        return new Outcome.Conflict(conflict.etag(), current);
    }

    /** Prunes the oldest changes of a path that has too many; after a failure, a later write prunes them. */
    private Mono<Void> cut(StreamName stream, long version, EncodedEvent newest) {
        long kept = Math.clamp(
                MetakvLimits.MAX_HISTORY_BYTES / Math.max(1, newest.data().length()),
                MIN_HISTORY_EVENTS,
                MetakvLimits.MAX_HISTORY_EVENTS);
        boolean due = version > kept && (kept < MetakvLimits.MAX_HISTORY_EVENTS || version % CUT_EVERY == 0);
        return due
                ? bucket.call(() -> bucket.events().prune(stream, version - kept - 1))
                        .onErrorComplete()
                        .then()
                : Mono.empty();
    }

    /** Returns the changes of a path below a version that are still kept, newest first. */
    Mono<List<EntryChange>> history(String path, long below, int max) {
        StreamName stream = ConfigEvents.stream(path);
        // each event is a batch; the tip, which is empty, counts as one
        var request = new PageRequest(PageRequest.Direction.BACKWARD, 0, below - 1, max + 1);
        return bucket.call(() -> bucket.streams().read(stream, request))
                .map(page -> changes(path, page.events()).reversed().stream()
                        .limit(max)
                        .toList());
    }

    /**
     * Returns the changes of a path after a version and up to a seqno, oldest first. Fails with {@link HistoryPruned} if some
     * of them are no longer kept.
     */
    Mono<List<EntryChange>> afterVersion(String path, long version, long upTo) {
        StreamName stream = ConfigEvents.stream(path);
        return bucket.call(() -> bucket.events().getWhile(stream, version, event -> event.seqno() <= upTo))
                .map(events -> changes(path, events))
                .onErrorMap(
                        failure -> failure instanceof StreamsException known
                                && known.code() == StreamsException.Code.ORIGIN_NOT_FOUND,
                        failure -> HistoryPruned.INSTANCE);
    }

    /**
     * Returns the changes of a path after a seqno, newest first. Fails with {@link HistoryPruned} if some of them may no
     * longer be kept.
     */
    Mono<List<EntryChange>> afterSeqno(String path, long seqno) {
        StreamName stream = ConfigEvents.stream(path);
        var reached = new AtomicBoolean();
        return bucket.call(() -> bucket.events().getBackwardsWhile(stream, PageRequest.END, event -> {
                    reached.set(event.seqno() <= seqno);
                    return !reached.get();
                }))
                .map(events -> {
                    boolean all = reached.get()
                            || events.isEmpty()
                            || events.getLast().index() == 0;
                    if (!all) {
                        throw HistoryPruned.INSTANCE;
                    }
                    return changes(path, events);
                });
    }

    private static List<EntryChange> changes(String path, List<TimelineEvent> events) {
        return events.stream()
                .map(event -> EntryChange.of(path, event, event.seqno()))
                .toList();
    }
}
