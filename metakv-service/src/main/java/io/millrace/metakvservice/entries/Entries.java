package io.millrace.metakvservice.entries;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.metakv.MetakvPaths;
import io.millrace.metakvservice.entries.ConfigStreams.Outcome;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Configuration entries: one event stream each, and the mirror of this instance for lists and watches. */
@Component
public final class Entries {

    /** How many entries a recursive deletion deletes concurrently. */
    private static final int DELETIONS_AT_ONCE = 32;

    /**
     * The author of a write.
     *
     * @param name null if unknown
     * @param sensitive whether histories leave out the value
     */
    public record Author(@Nullable String name, boolean sensitive, TransactionId transaction) {
        public static Author of(@Nullable String name) {
            return new Author(name, false, TransactionId.random());
        }
    }

    private final SystemBucket bucket;
    private final ConfigStreams streams;
    private final InstantSource clock;
    private final Mirror mirror;
    private final MirrorFeed feed;
    private final AtomicInteger watchers = new AtomicInteger();

    Entries(SystemBucket bucket, ConfigStreams streams, Mirror mirror, MirrorFeed feed, InstantSource clock) {
        this.streams = streams;
        this.clock = clock;
        this.bucket = bucket;
        this.mirror = mirror;
        this.feed = feed;
    }

    /** Returns the entry; empty if it does not exist. */
    Mono<MetakvEntry> get(String path) {
        return streams.latest(MetakvPaths.entry(path)).mapNotNull(EntryChange::entry);
    }

    public Mono<WriteOutcome> set(String path, byte[] value, Author author) {
        return append(path, Expected.any(), value, author);
    }

    public Mono<WriteOutcome> setAtRev(String path, byte[] value, String rev, Author author) {
        return etag(path, rev).flatMap(etag -> append(path, Expected.etag(etag), value, author));
    }

    private Mono<WriteOutcome> append(String path, Expected expected, byte[] value, Author author) {
        return write(path, expected, value, author).map(Entries::result);
    }

    public Mono<WriteOutcome> add(String path, byte[] value, Author author) {
        return add(path, value, 0, author);
    }

    /** Adds an entry that does not exist; a deleted one has an etag, which only a conflict reveals. */
    private Mono<WriteOutcome> add(String path, byte[] value, long etag, Author author) {
        return write(path, Expected.etag(etag), value, author).flatMap(outcome -> switch (outcome) {
            case Outcome.Conflict conflict when conflict.current() == null -> add(path, value, conflict.etag(), author);
            case Outcome any -> Mono.just(result(any));
        });
    }

    private Mono<Outcome> write(String path, Expected expected, byte[] value, Author author) {
        EncodedEvent event = ConfigEvents.set(value, author.sensitive(), clock.instant(), author.name());
        return append(path, expected, event, author.transaction());
    }

    /** Deletes the entry; if it does not exist, the outcome is a conflict without rev. */
    public Mono<WriteOutcome> delete(String path, Author author) {
        // no entry has this etag, so the first try only reads: was this transaction done before, and what is the entry?
        return delete(path, EntryChange.NO_ETAG, author);
    }

    private Mono<WriteOutcome> delete(String path, long etag, Author author) {
        return remove(path, etag, author).flatMap(outcome -> switch (outcome) {
            case Outcome.Conflict conflict when conflict.current() != null -> delete(path, conflict.etag(), author);
            case Outcome any -> Mono.just(deletion(any));
        });
    }

    /** Deletes the entry at a rev. */
    Mono<WriteOutcome> deleteAtRev(String path, String rev, Author author) {
        return etag(path, rev).flatMap(etag -> remove(path, etag, author)).map(Entries::deletion);
    }

    /** Returns the etag of an entry that has this rev now; with any other rev one that no entry has. */
    private Mono<Long> etag(String path, String rev) {
        return streams.latest(MetakvPaths.entry(path))
                .filter(change -> change.rev().equals(rev))
                .map(EntryChange::seqno)
                .defaultIfEmpty(EntryChange.NO_ETAG);
    }

    private Mono<Outcome> remove(String path, long etag, Author author) {
        EncodedEvent event = ConfigEvents.deleted(clock.instant(), author.name());
        return append(path, Expected.etag(etag), event, author.transaction());
    }

    /** Returns changes of a path below a version, newest first. */
    Mono<List<EntryChange>> history(String path, long below, int max) {
        return streams.history(MetakvPaths.entry(path), below, max);
    }

    /** Returns a text that differs after each change below a directory that was acknowledged before this call. */
    Mono<String> stamp(String directory) {
        String checked = MetakvPaths.directory(directory);
        return caughtUp().then(Mono.fromSupplier(() -> mirror.stamp(checked)));
    }

    Mono<List<MetakvEntry>> list(String directory) {
        String checked = MetakvPaths.directory(directory);
        return caughtUp().then(Mono.fromSupplier(() -> mirror.below(checked)));
    }

    Mono<Integer> deleteRecursively(String directory, @Nullable String changedBy) {
        return list(directory)
                .flatMapMany(Flux::fromIterable)
                .flatMap(entry -> delete(entry.path(), Author.of(changedBy)), DELETIONS_AT_ONCE)
                .filter(WriteOutcome.Written.class::isInstance)
                .count()
                .map(Long::intValue);
    }

    /** Completes with the events of a watch once this node has caught up. */
    Mono<Flux<WatchEvent>> watch(String directory, @Nullable Cursor resumed) {
        String checked = MetakvPaths.directory(directory);
        return caughtUp().then(Mono.fromSupplier(() -> {
            if (watchers.get() >= MetakvLimits.MAX_WATCHERS) {
                throw MetakvException.of(
                        MetakvException.Code.TOO_MANY_WATCHERS,
                        "This node already serves %d watches, its limit.".formatted(MetakvLimits.MAX_WATCHERS));
            }
            return mirror.watch(checked, resumed)
                    .doOnSubscribe(subscription -> watchers.incrementAndGet())
                    .doFinally(signal -> watchers.decrementAndGet());
        }));
    }

    int watchers() {
        return watchers.get();
    }

    /** Completes once the mirror has every write that any node acknowledged before this call. */
    public Mono<Void> caughtUp() {
        return Mono.defer(() -> {
            long before = mirror.position();
            return bucket.highSeqno().flatMap(high -> {
                if (follows(before) && (high < before || !BucketInfo.sameHistory(high, before))) {
                    feed.rebuild(
                            "Redis was restarted or leads to other data: its newest seqno is %d, the mirror is at %d"
                                    .formatted(high, before));
                }
                return mirror.reached(high);
            });
        });
    }

    /** Returns false of a position that the mirror had before it began again; what it reads since, it compares by itself. */
    private boolean follows(long position) {
        return mirror.live() && BucketInfo.sameHistory(mirror.position(), position);
    }

    /**
     * Appends an event and delivers it to the watches of this node before the write is acknowledged.
     */
    private Mono<Outcome> append(String path, Expected expected, EncodedEvent event, TransactionId transaction) {
        String checked = MetakvPaths.entry(path);
        return Mono.defer(() -> {
            long before = mirror.live() ? mirror.position() : 0;
            return streams.append(checked, expected, event, transaction).flatMap(outcome -> switch (outcome) {
                case Outcome.Written written ->
                    delivered(written.seqno(), written.repeated(), before).thenReturn(outcome);
                case Outcome.Conflict conflict -> Mono.just(outcome);
            });
        });
    }

    /** Writes a document and waits until the mirror has it, before the write is acknowledged. */
    public Mono<WriteResult> write(Write write) {
        return Mono.defer(() -> {
            long before = mirror.live() ? mirror.position() : 0;
            return bucket.write(write.withTransaction(TransactionId.random()))
                    .flatMap(result -> result instanceof WriteResult.Written written
                            ? delivered(written.seqno(), written.repeated(), before)
                                    .thenReturn(result)
                            : Mono.just(result));
        });
    }

    private Mono<Void> delivered(long seqno, boolean repeated, long before) {
        if (seqno <= before && !repeated) {
            feed.rebuild("a new seqno is %d, the mirror was at %d".formatted(seqno, before));
        }
        // the write is done even if the mirror is late
        return mirror.reached(seqno).onErrorComplete();
    }

    /** Marks the rev of a deletion, so that no write can expect it. */
    private static WriteOutcome deletion(Outcome outcome) {
        return result(outcome) instanceof WriteOutcome.Written(String rev)
                ? new WriteOutcome.Written(rev + "-deleted")
                : result(outcome);
    }

    private static WriteOutcome result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Written written -> new WriteOutcome.Written(written.rev());
            case Outcome.Conflict(long etag, MetakvEntry current) ->
                new WriteOutcome.Conflict(current == null ? null : current.rev());
        };
    }
}
