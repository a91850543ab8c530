package io.millrace.documents;

import io.millrace.documents.DocumentsException.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A walk over by_seq: rows first, then their documents; at the end it arms the bell and waits.
 *
 * <p>A document may have changed again between its row and its reading. The newer state is handed out at once, and its
 * later row is left out when the walk comes there.
 */
final class RedisChangeFeed implements ChangeFeed {

    private static final int FIRST_PAGE = 128;

    private final RedisShard shard;
    private final Bells bells;
    private final Duration slowPoll;

    /** The cas of documents that were handed out ahead of their rows, by id within the collection. */
    private final Map<DocumentKey, Long> ahead = new HashMap<>();

    private volatile long position;
    private int page = FIRST_PAGE;
    private volatile boolean closed;
    private volatile CompletableFuture<Boolean> alarm = new CompletableFuture<>();
    private Bells.@Nullable Listening listening;

    /** Where the history had branched last when this feed began; null before it did. */
    private @Nullable Branch began;

    RedisChangeFeed(RedisShard shard, Bells bells, Duration slowPoll, long since) {
        this.shard = shard;
        this.bells = bells;
        this.slowPoll = slowPoll;
        this.position = since;
    }

    @Override
    public CompletableFuture<List<Mutation>> next(int max) {
        if (began != null) {
            return read(max, position);
        }
        return shard.branch().thenCompose(branch -> {
            if (branch.lost(position)) {
                return CompletableFuture.failedFuture(historyLost(branch.survived()));
            }
            began = branch;
            return read(max, position);
        });
    }

    /**
     * Completes when the feed may go on to a seqno. One that was there before a branch may have left out what was written
     * over by a change that is lost, and stand behind it.
     */
    private CompletableFuture<?> reach(long seqno) {
        if (Seqno.sameIncarnation(position, seqno)) {
            return CompletableFuture.completedFuture(null);
        }
        return shard.branch().thenCompose(branch -> {
            Branch before = began;
            return before != null && before.first() != branch.first() && position != 0
                    ? CompletableFuture.failedFuture(historyLost(branch.survived()))
                    : CompletableFuture.completedFuture(null);
        });
    }

    /** Reads on; {@code newest} is a seqno up to which there is something to be read. */
    private CompletableFuture<List<Mutation>> read(int max, long newest) {
        if (closed) {
            return CompletableFuture.completedFuture(List.of());
        }
        return shard.rows(position, Math.min(max, page)).thenCompose(rows -> {
            if (rows.isEmpty()) {
                position = Math.max(position, newest); // rows in between went with their collection
                return arm(max);
            }
            return reach(rows.getLast().seqno())
                    .thenCompose(same -> shard.documents(rows))
                    .thenCompose(documents -> {
                        List<Mutation> mutations = handOut(rows, documents);
                        return mutations.isEmpty() ? read(max, position) : CompletableFuture.completedFuture(mutations);
                    });
        });
    }

    private List<Mutation> handOut(List<Row> rows, List<@Nullable Document> documents) {
        List<Mutation> mutations = new ArrayList<>(rows.size());
        long bytes = 0;
        for (int i = 0; i < rows.size(); i++) {
            long seqno = rows.get(i).seqno();
            Document document = documents.get(i);
            if (document != null && !handedOut(document)) {
                mutations.add(new Mutation(seqno, document));
                bytes += document.body().length;
                if (document.cas() > seqno) {
                    ahead.put(document.key(), document.cas());
                }
            }
        }
        position = rows.getLast().seqno();
        ahead.values().removeIf(cas -> cas <= position);
        page = nextPage(bytes / rows.size());
        return mutations;
    }

    private boolean handedOut(Document document) {
        Long cas = ahead.get(document.key());
        return cas != null && cas == document.cas();
    }

    /** Keeps pages of large documents small. */
    private int nextPage(long bytesPerDocument) {
        long fitting = Limits.FEED_PAGE_BYTES / Math.max(1, bytesPerDocument);
        return (int) Math.clamp(Math.min(fitting, page * 4L), 1, Limits.MAX_PAGE_MUTATIONS);
    }

    private CompletableFuture<List<Mutation>> arm(int max) {
        CompletableFuture<Boolean> rung = newAlarm(); // set up before arming, so that no ring falls between
        return shard.arm(position).thenCompose(newest -> {
            if (newest == RedisShard.STALE) {
                return shard.reopen().thenCompose(open -> reopened(max, rung));
            }
            if (newest > position) {
                return reach(newest).thenCompose(same -> read(max, newest));
            }
            if (newest < position) {
                return CompletableFuture.failedFuture(historyLost(newest));
            }
            return rung.completeOnTimeout(false, slowPoll.toMillis(), TimeUnit.MILLISECONDS)
                    .thenCompose(byBell -> byBell || closed ? read(max, position) : arm(max));
        });
    }

    /** A shard that was closed is open now; one whose bucket moves stays shut, and is not asked all the time. */
    private CompletableFuture<List<Mutation>> reopened(int max, CompletableFuture<Boolean> rung) {
        return shard.arm(position)
                .thenCompose(newest -> newest == RedisShard.STALE
                        ? rung.completeOnTimeout(false, slowPoll.toMillis(), TimeUnit.MILLISECONDS)
                                .thenCompose(late -> read(max, position))
                        : arm(max));
    }

    private synchronized CompletableFuture<Boolean> newAlarm() {
        CompletableFuture<Boolean> fresh = new CompletableFuture<>();
        alarm = fresh;
        if (closed) {
            fresh.complete(true);
        } else if (listening == null) {
            listening = bells.listen(shard.topic(), () -> alarm.complete(true));
        }
        return fresh;
    }

    private DocumentsException historyLost(long newest) {
        return DocumentsException.of(
                Code.HISTORY_LOST,
                ("Redis may have lost changes of %s: %d is the newest that is left, this feed was at %d."
                                + " Read it again from 0.")
                        .formatted(shard.topic(), newest, position));
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (listening != null) {
            listening.close();
        }
        alarm.complete(true);
    }
}
