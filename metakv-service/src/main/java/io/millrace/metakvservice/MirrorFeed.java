package io.millrace.metakvservice;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Mutation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Follows the feed of the system bucket into the {@link Mirror}, on one virtual thread, from the service's start. */
@Component
final class MirrorFeed implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(MirrorFeed.class);

    private static final int PAGE = 1_000;
    private static final Duration LATE = Duration.ofMillis(200);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final DocumentStore store;
    private final SystemBucket bucket;
    private final Mirror mirror;
    private @Nullable Thread thread;
    private volatile @Nullable ChangeFeed feed;
    private volatile CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean running;

    MirrorFeed(DocumentStore store, SystemBucket bucket, Mirror mirror) {
        this.store = store;
        this.bucket = bucket;
        this.mirror = mirror;
    }

    @Override
    public void start() {
        running = true;
        ended = new CountDownLatch(1);
        thread = Thread.ofVirtual().name("metakv-mirror").start(this::run);
    }

    /** Ends the watches first, else they would hold up the web server's graceful end. */
    @Override
    public void stop() {
        running = false;
        ended.countDown();
        mirror.stop();
        closeFeed();
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /**
     * Walks the feed from its beginning once more: the bucket's history is not the one that the mirror was built from,
     * as after a Redis that restarted without its latest writes.
     */
    void rebuild(String why) {
        log.warn("mirror=rebuilding reason=\"{}\"", why);
        mirror.suspend();
        closeFeed();
    }

    private void closeFeed() {
        ChangeFeed open = feed;
        if (open != null) {
            open.close();
        }
    }

    private void run() {
        try {
            Duration pause = FIRST_PAUSE;
            while (running) {
                try {
                    walk();
                    pause = FIRST_PAUSE;
                } catch (RuntimeException e) {
                    log.warn("mirror=interrupted retryMillis={} reason=\"{}\"", pause.toMillis(), e.getMessage());
                    pause = pause(pause);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service stops
        }
    }

    /** One walk from the beginning, over any outage; returns when the feed was closed. */
    private void walk() throws InterruptedException {
        await(bucket.create().toFuture());
        var state = new MirrorState(ThreadLocalRandom.current().nextLong());
        try (ChangeFeed open = store.changes(SystemBucket.NAME, SystemBucket.SHARD, 0)) {
            feed = open;
            long target = await(store.highSeqno(SystemBucket.NAME, SystemBucket.SHARD));
            long applied = 0;
            boolean published = false;
            Duration pause = FIRST_PAUSE;
            CompletableFuture<List<Mutation>> next = open.next(PAGE);
            while (running) {
                if (published) {
                    mirror.advance(applied);
                } else if (applied >= target) {
                    mirror.publish(state, applied);
                    published = true;
                    log.info("mirror=live entries={} seqno={}", state.size(), applied);
                }
                try {
                    List<Mutation> page = await(next, LATE);
                    if (page.isEmpty()) {
                        return;
                    }
                    page.forEach(mutation -> apply(mutation, state));
                    applied = page.getLast().seqno();
                    pause = FIRST_PAUSE;
                } catch (TimeoutException e) {
                    if (!published || mirror.awaited()) {
                        nudge();
                    }
                    continue;
                } catch (DocumentsException e) {
                    if (e.code() != DocumentsException.Code.UNAVAILABLE) {
                        mirror.suspend();
                        throw e;
                    }
                    log.warn("mirror=waiting retryMillis={} reason=\"{}\"", pause.toMillis(), e.getMessage());
                    pause = pause(pause);
                }
                next = open.next(PAGE);
            }
        } finally {
            feed = null;
        }
    }

    /**
     * Makes a change for the feed to tell of. The newest change that is counted may never be told, as when its document
     * was told in its place already; whoever waits for it is freed by the next.
     */
    private void nudge() throws InterruptedException {
        try {
            await(bucket.nudge().toFuture());
        } catch (DocumentsException e) {
            log.warn("mirror=late reason=\"{}\"", e.getMessage());
        }
    }

    private static void apply(Mutation mutation, MirrorState state) {
        var document = mutation.document();
        if (document.key().equals(SystemBucket.NUDGE)) {
            return;
        }
        if (document.key().keyspace().equals(SystemBucket.ENTRIES)) {
            state.applyEntry(document);
        } else if (document.key().keyspace().equals(SystemBucket.NODES)) {
            state.applyNode(document);
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return await(future, Duration.ofDays(1));
        } catch (TimeoutException e) {
            throw new CompletionException(e);
        }
    }

    private static <T> T await(CompletableFuture<T> future, Duration patience)
            throws InterruptedException, TimeoutException {
        try {
            return future.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        }
    }

    /** Waits, unless the service stops, and returns how long to wait the next time. */
    private Duration pause(Duration pause) throws InterruptedException {
        if (ended.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("The service stops.");
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
}
