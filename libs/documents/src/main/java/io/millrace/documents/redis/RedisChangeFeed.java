package io.millrace.documents.redis;

import io.millrace.documents.Branch;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.documents.Limits;
import io.millrace.documents.Mutation;
import io.millrace.documents.feed.FeedPage;
import io.millrace.documents.feed.FeedSource;
import io.millrace.documents.feed.SharedFeed;
import io.millrace.documents.feed.SharedFeeds;
import io.millrace.redis.CommonTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A walk over by_seq: first rows, then the documents of the requested rows; at the end it requests a notification and
 * waits.
 *
 * <p>A document may have changed again between its row and its reading. The newer state is handed out at once, and its
 * later row is left out when the walk comes there.
 */
final class RedisChangeFeed implements ChangeFeed {

    private static final int FIRST_PAGE = 128;

    /** How many times as long as at first a feed waits that has had nothing new for long. */
    private static final int LONGEST_WAIT = 10;

    private final RedisShard shard;
    private final SharedFeeds<Row> shared;
    private final Duration slowPoll;
    private final IntPredicate vbuckets;

    /** The seqno of documents that were handed out ahead of their rows, by id within the collection. */
    private final Map<DocumentKey, Long> ahead = new ConcurrentHashMap<>();

    private volatile long position;
    private int page = FIRST_PAGE;

    /** How many rows there were lately for one that is asked for. */
    private int spread = 1;

    /** Whether there were no further rows when the last ones were read. */
    private boolean atEnd;

    /** Whether there was nothing new when this feed looked again after it had been at the end. */
    private boolean quiet;

    /** How many times as long as at first this feed waits; 0 when there was something new. */
    private int wait;

    private volatile boolean closed;
    private volatile CompletableFuture<Boolean> alarm = new CompletableFuture<>();
    private SharedFeed<Row>.@Nullable Member member;

    /** Where the history had branched last when this feed looked; null before it began. */
    private volatile @Nullable Branch began;

    /**
     * The newest seqno that there was when rows were read: behind it, nothing could replace a row that this feed has passed
     * by. If Redis comes back with everything up to it, this feed has missed nothing.
     */
    private volatile long horizon;

    RedisChangeFeed(RedisShard shard, SharedFeeds<Row> shared, Duration slowPoll, long since, IntPredicate vbuckets) {
        this.shard = shard;
        this.shared = shared;
        this.slowPoll = slowPoll;
        this.position = since;
        this.vbuckets = vbuckets;
    }

    @Override
    public CompletableFuture<List<Mutation>> next(int max) {
        if (closed) {
            return CompletableFuture.completedFuture(List.of());
        }
        SharedFeed<Row>.Member others =
                others(); // before anything is asked, so that only what is read later is taken from them
        Branch history = began;
        if (history != null) {
            return atEnd && quiet && !others.isAhead(history) ? arm(max) : read(max, position);
        }
        return shard.branch().thenCompose(branch -> {
            if (branch.lost(position)) {
                return CompletableFuture.failedFuture(historyLost(branch.survived()));
            }
            began = branch;
            horizon = position;
            return read(max, position);
        });
    }

    /** Completes when the feed may go on to a seqno: the history up to there is that which this feed has read. */
    private CompletableFuture<?> reach(long seqno) {
        return BucketInfo.sameHistory(horizon, seqno) ? CompletableFuture.completedFuture(null) : compare();
    }

    /**
     * Fails when something is lost that this feed had read, or that had replaced what it passed by; otherwise the feed belongs
     * to the new history.
     */
    private CompletableFuture<Branch> compare() {
        return shard.branch().thenCompose(branch -> {
            if (!keptBy(branch)) {
                return CompletableFuture.failedFuture(historyLost(branch.survived()));
            }
            began = branch;
            return CompletableFuture.completedFuture(branch);
        });
    }

    /** What was handed out ahead of its row may be newer than the horizon, and also newer than the branch. */
    private boolean keptBy(Branch branch) {
        Branch before = began;
        return before == null
                || branch.kept(before.first(), horizon)
                        && ahead.values().stream().noneMatch(branch::lost);
    }

    @Override
    public CompletableFuture<Boolean> intact() {
        return shard.branch().thenApply(this::keptBy);
    }

    /**
     * Completes with true when this feed may go on to what was the newest seqno when rows were read; with false when Redis was
     * restarted meanwhile, so that they have to be read again.
     */
    private CompletableFuture<Boolean> look(long newest) {
        return newest == FeedSource.STALE
                ? shard.reopen().thenCompose(open -> lookAgain())
                : reach(newest).thenApply(same -> extend(newest));
    }

    /** A shard that is shut because its bucket moves takes no writes, so that it has no newer rows than those that were read. */
    private CompletableFuture<Boolean> lookAgain() {
        Branch before = began;
        return compare()
                .thenCompose(branch -> before != null && branch.first() == before.first()
                        ? shard.highSeqno().thenApply(this::extend)
                        : CompletableFuture.completedFuture(false));
    }

    private boolean extend(long newest) {
        horizon = Math.max(horizon, newest);
        shard.saw(horizon);
        return true;
    }

    /** Reads on; {@code newest} is a seqno up to which there is something to be read. */
    private CompletableFuture<List<Mutation>> read(int max, long newest) {
        return read(max, newest, false);
    }

    /** As the other method; only what is read from {@code now} on counts if so requested. */
    private CompletableFuture<List<Mutation>> read(int max, long newest, boolean now) {
        Branch history = began;
        if (closed || history == null) {
            return CompletableFuture.completedFuture(List.of());
        }
        SharedFeed<Row>.Member others = others();
        int wanted = Math.min(max, page);
        int asked = (int) Math.min(Limits.MAX_PAGE_MUTATIONS, (long) wanted * spread);
        return others.page(history, asked, now).thenCompose(found -> {
            List<FeedPage.Entry<Row>> rows = found.after(position);
            if (!rows.isEmpty()) {
                return take(found, Stretch.of(rows, vbuckets, wanted), max, newest);
            }
            if (newest > position && !found.isReadBy(others)) {
                return read(max, newest, true); // they may have come since another feed looked
            }
            position = Math.max(position, newest); // rows in between went with their collection
            horizon = Math.max(horizon, position);
            quiet = true;
            return arm(max);
        });
    }

    private CompletableFuture<List<Mutation>> take(FeedPage<Row> found, Stretch stretch, int max, long newest) {
        return look(found.newest()).thenCompose(known -> {
            if (!known) {
                return read(max, newest, true);
            }
            return found.documents(stretch.chosen, shard).thenCompose(documents -> {
                List<Mutation> mutations = handOut(stretch, documents);
                atEnd = found.complete() && position == found.end();
                return mutations.isEmpty() && vbuckets == DocumentStore.ALL_VBUCKETS
                        ? read(max, position)
                        : CompletableFuture.completedFuture(mutations);
            });
        });
    }

    /**
     * Rows that are dealt with at a time.
     *
     * @param chosen those that are asked for
     * @param length how many there are with those of others
     * @param end the seqno of the last one
     */
    private record Stretch(List<FeedPage.Entry<Row>> chosen, int length, long end) {

        /** Goes up to the last row, or to the one with which enough are chosen. */
        static Stretch of(List<FeedPage.Entry<Row>> rows, IntPredicate vbuckets, int enough) {
            List<FeedPage.Entry<Row>> chosen = new ArrayList<>(rows.size());
            int length = 0;
            while (length < rows.size() && chosen.size() < enough) {
                FeedPage.Entry<Row> entry = rows.get(length++);
                if (vbuckets.test(entry.row().vbucket())) {
                    chosen.add(entry);
                }
            }
            return new Stretch(chosen, length, rows.get(length - 1).row().seqno());
        }
    }

    private List<Mutation> handOut(Stretch stretch, List<@Nullable Document> documents) {
        List<FeedPage.Entry<Row>> rows = stretch.chosen;
        List<Mutation> mutations = new ArrayList<>(rows.size());
        wait = 0;
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            long seqno = rows.get(i).row().seqno();
            Document document = documents.get(i);
            if (document != null && !handedOut(document)) {
                mutations.add(new Mutation(seqno, document));
                bytes += document.body().length;
                if (document.seqno() > seqno) {
                    ahead.put(document.key(), document.seqno());
                }
            }
        }
        position = stretch.end;
        others().moved();
        ahead.values().removeIf(newer -> newer <= position);
        spread = Math.ceilDiv(stretch.length, Math.max(1, rows.size()));
        if (!rows.isEmpty()) {
            page = nextPage(bytes / rows.size());
        }
        return mutations;
    }

    /** Returns whether this state, or a later one, has been handed out: documents of a page are read when it is, which may be late. */
    private boolean handedOut(Document document) {
        Long newer = ahead.get(document.key());
        return newer != null && newer >= document.seqno();
    }

    /** Keeps pages of large documents small. */
    private int nextPage(long bytesPerDocument) {
        long fitting = Limits.FEED_PAGE_BYTES / Math.max(1, bytesPerDocument);
        return (int) Math.clamp(Math.min(fitting, page * 4L), 1, Limits.MAX_PAGE_MUTATIONS);
    }

    private CompletableFuture<List<Mutation>> arm(int max) {
        CompletableFuture<Boolean> rung = newAlarm();
        return others().arm(rung).thenCompose(newest -> {
            if (newest == FeedSource.STALE) {
                return shard.reopen().thenCompose(open -> reopened(max, rung));
            }
            quiet = newest == position;
            if (newest > position) {
                return reach(newest).thenCompose(same -> read(max, newest));
            }
            if (newest < position) {
                return CompletableFuture.failedFuture(historyLost(newest));
            }
            return rung.completeOnTimeout(false, patience().toNanos(), TimeUnit.NANOSECONDS)
                    .thenCompose(notified -> notified || closed ? read(max, position) : arm(max));
        });
    }

    /** Returns how long to wait for a notification: a feed at rest hardly looks by itself, and then together with others. */
    private Duration patience() {
        wait = longer(wait);
        return CommonTimes.within(slowPoll.multipliedBy(wait));
    }

    /** Returns the wait that follows one in vain. */
    static int longer(int wait) {
        return Math.clamp(2L * wait, 1, LONGEST_WAIT);
    }

    /** A shard that was closed is open now; one whose bucket moves stays shut, and is not asked all the time. */
    private CompletableFuture<List<Mutation>> reopened(int max, CompletableFuture<Boolean> rung) {
        return shard.arm(position)
                .thenCompose(newest -> newest == FeedSource.STALE
                        ? rung.completeOnTimeout(false, slowPoll.toMillis(), TimeUnit.MILLISECONDS)
                                .thenCompose(late -> read(max, position))
                        : arm(max));
    }

    private synchronized CompletableFuture<Boolean> newAlarm() {
        CompletableFuture<Boolean> fresh = new CompletableFuture<>();
        alarm.complete(false); // of an earlier wait, which has ended
        alarm = fresh;
        if (closed) {
            fresh.complete(true);
        }
        return fresh;
    }

    private synchronized SharedFeed<Row>.Member others() {
        SharedFeed<Row>.Member own = member;
        if (own == null) {
            own = shared.enter(shard, () -> position);
            member = own;
            if (closed) {
                own.leave();
            }
        }
        return own;
    }

    private DocumentsException historyLost(long newest) {
        return DocumentsException.of(
                Code.HISTORY_LOST,
                ("Redis may have lost changes of %s: %d is the newest that is left, this feed was at %d."
                                + " Read it again from a position that was stored in the same Redis, or from 0.")
                        .formatted(shard.topic(), newest, position));
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (member != null) {
            member.leave();
        }
        alarm.complete(true);
    }
}
