package io.millrace.documents.spring;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.SystemHandle;
import io.millrace.redis.RedisFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Removes documents that are due, from all buckets, again and again on a virtual thread. Every process may run one: a
 * document expires once.
 */
final class ExpiryPager implements AutoCloseable {

    private static final int PAGE_DOCUMENTS = 1000;
    private static final System.Logger LOG = System.getLogger(ExpiryPager.class.getName());

    /** After so many rounds in which nothing was due in a bucket, it has its turn less often. */
    private static final int QUIET_AFTER = 10;

    /** Of so many rounds it has one. Reads leave out documents that are due, so only feeds see them end that much later. */
    private static final int QUIET_TURN = 5;

    /** A round asks about so many of these buckets: where there are hundreds of them, each has its turn less often still. */
    static final int QUIET_ASKED = 20;

    /** So many buckets are asked at the same time: what waits for an answer costs more than the question. */
    private static final int ASKED_TOGETHER = 64;

    private final DocumentStore store;
    private final Duration interval;

    /** How many rounds each bucket has had lately without anything due. Used by the thread of the rounds alone. */
    private final Map<String, Integer> vain = new HashMap<>();

    private int rounds;
    private boolean failing;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /** @param interval how long to wait after a round */
    ExpiryPager(DocumentStore store, Duration interval) {
        this.store = store.with(SystemHandle.ALL);
        this.interval = interval;
    }

    /** Begins; does nothing when it has begun or is closed. */
    synchronized void start() {
        if (thread == null && !closed) {
            thread = Thread.ofVirtual().name("expiry-pager").start(this::rounds);
        }
    }

    private void rounds() {
        while (!closed) {
            try {
                round();
                failing = false;
            } catch (CompletionException e) {
                if (!failing) { // the rounds of an outage fail alike
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "event=expiry_round_failed reason=\"{0}\"",
                            RedisFailure.unwrap(e).getMessage());
                }
                failing = true;
            }
            LockSupport.parkNanos(interval.toNanos());
        }
    }

    private void round() {
        rounds++;
        List<String> buckets =
                store.catalog().list().join().stream().map(BucketInfo::name).toList();
        vain.keySet().retainAll(buckets);
        int turn = Math.max(
                QUIET_TURN,
                Math.ceilDiv((int) buckets.stream().filter(this::isQuiet).count(), QUIET_ASKED));
        List<String> turns = buckets.stream()
                .filter(bucket -> !isQuiet(bucket) || Math.floorMod(rounds + bucket.hashCode(), turn) == 0)
                .toList();
        for (int from = 0; from < turns.size() && !closed; from += ASKED_TOGETHER) {
            expire(turns.subList(from, Math.min(turns.size(), from + ASKED_TOGETHER)));
        }
    }

    private boolean isQuiet(String bucket) {
        return vain.getOrDefault(bucket, 0) >= QUIET_AFTER;
    }

    private void expire(List<String> buckets) {
        Map<String, CompletableFuture<Integer>> asked = new LinkedHashMap<>();
        buckets.forEach(bucket -> asked.put(bucket, store.expireDue(bucket, PAGE_DOCUMENTS)));
        asked.forEach((bucket, first) -> {
            int expired = first.join();
            if (expired == 0) {
                vain.merge(bucket, 1, Integer::sum);
            } else {
                vain.remove(bucket);
            }
            while (!closed && expired > 0) {
                expired = store.expireDue(bucket, PAGE_DOCUMENTS).join();
            }
        });
    }

    /** Ends it, at the latest after the page that it is at. */
    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
