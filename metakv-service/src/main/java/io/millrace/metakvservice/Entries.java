package io.millrace.metakvservice;

import io.millrace.documents.Datatype;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.TransactionId;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import io.millrace.metakv.MetakvLimits;
import io.millrace.metakv.MetakvPaths;
import io.millrace.metakv.WriteOutcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Configuration entries: one document each, whose id is the path and whose CAS is the rev. */
@Component
final class Entries {

    /** How many entries a recursive deletion deletes at a time. */
    private static final int DELETIONS_AT_ONCE = 32;

    private final SystemBucket bucket;
    private final Mirror mirror;
    private final MirrorFeed feed;
    private final AtomicInteger watchers = new AtomicInteger();

    Entries(SystemBucket bucket, Mirror mirror, MirrorFeed feed) {
        this.bucket = bucket;
        this.mirror = mirror;
        this.feed = feed;
    }

    Mono<MetakvEntry> get(String path) {
        return bucket.get(key(path))
                .map(document -> new MetakvEntry(path, document.body(), Long.toString(document.cas())));
    }

    Mono<WriteOutcome> set(String path, byte[] value, TransactionId transaction) {
        return write(Write.upsert(key(path), value), transaction);
    }

    Mono<WriteOutcome> setAtRev(String path, byte[] value, String rev, TransactionId transaction) {
        return write(Write.replace(key(path), value).withCas(cas(rev)), transaction);
    }

    Mono<WriteOutcome> add(String path, byte[] value, TransactionId transaction) {
        return write(Write.insert(key(path), value), transaction);
    }

    /** Deletes the entry, at this rev when one is given; one that is not there is a conflict without rev. */
    Mono<WriteOutcome> delete(String path, @Nullable String rev, TransactionId transaction) {
        Write removal = Write.remove(key(path));
        return write(rev == null ? removal : removal.withCas(cas(rev)), transaction);
    }

    Mono<List<MetakvEntry>> list(String directory) {
        String checked = MetakvPaths.directory(directory);
        return caughtUp().then(Mono.fromSupplier(() -> mirror.below(checked)));
    }

    Mono<Integer> deleteRecursively(String directory) {
        return list(directory)
                .flatMapMany(Flux::fromIterable)
                .flatMap(entry -> delete(entry.path(), null, TransactionId.random()), DELETIONS_AT_ONCE)
                .filter(WriteOutcome.Written.class::isInstance)
                .count()
                .map(Long::intValue);
    }

    /** Completes with the notices of a watch once this node has caught up. */
    Mono<Flux<Notice>> watch(String directory, @Nullable Cursor resumed) {
        String checked = MetakvPaths.directory(directory);
        return caughtUp().then(Mono.fromSupplier(() -> {
            if (watchers.get() >= MetakvLimits.MAX_WATCHERS) {
                throw MetakvException.of(
                        MetakvException.Code.TOO_MANY_WATCHERS,
                        "This node serves %d watches already; try again later.".formatted(MetakvLimits.MAX_WATCHERS));
            }
            return mirror.watch(checked, resumed)
                    .doOnSubscribe(subscription -> watchers.incrementAndGet())
                    .doFinally(signal -> watchers.decrementAndGet());
        }));
    }

    int watchers() {
        return watchers.get();
    }

    /** Completes once the mirror holds every write that was answered before now, by any node. */
    Mono<Void> caughtUp() {
        return Mono.defer(() -> {
            long before = mirror.live() ? mirror.position() : 0;
            return bucket.highSeqno().flatMap(high -> {
                if (high < before) {
                    feed.rebuild("the newest seqno is %d, the mirror is at %d".formatted(high, before));
                }
                return mirror.reached(high);
            });
        });
    }

    /**
     * Carries out a write and hands it to this node's watches before it is answered: then no watch of this node misses
     * a state, as long as writers wait for their answers.
     */
    Mono<WriteOutcome> write(Write write, TransactionId transaction) {
        return Mono.defer(() -> {
            long before = mirror.live() ? mirror.position() : 0;
            return bucket.write(write.withDatatype(Datatype.BINARY).withTransaction(transaction))
                    .flatMap(result -> switch (result) {
                        case WriteResult.Written written ->
                            told(written, before).thenReturn(new WriteOutcome.Written(Long.toString(written.cas())));
                        case WriteResult.CasMismatch(long current) -> Mono.just(conflict(current));
                        case WriteResult.AlreadyExists(long current) -> Mono.just(conflict(current));
                        case WriteResult.Locked(long current) -> Mono.just(conflict(current));
                        case WriteResult.NotFound() -> Mono.just(new WriteOutcome.Conflict(null));
                    });
        });
    }

    private Mono<Void> told(WriteResult.Written written, long before) {
        if (written.cas() <= before && !written.repeated()) {
            feed.rebuild("a new seqno is %d, the mirror was at %d".formatted(written.cas(), before));
        }
        // a write is a write, also when the mirror is late
        return mirror.reached(written.cas()).onErrorComplete();
    }

    private static WriteOutcome conflict(long current) {
        return new WriteOutcome.Conflict(Long.toString(current));
    }

    private static DocumentKey key(String path) {
        return new DocumentKey(SystemBucket.ENTRIES, MetakvPaths.entry(path));
    }

    /** Returns the CAS behind a rev; what is no rev of ours is the version of nothing. */
    private static long cas(String rev) {
        try {
            return Math.max(1, Long.parseLong(rev));
        } catch (NumberFormatException e) {
            return 1;
        }
    }
}
