package io.millrace.metakvservice;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Mutation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
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
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final DocumentStore store;
    private final SystemBucket bucket;
    private final Mirror mirror;
    private @Nullable Thread thread;
    private volatile @Nullable ChangeFeed feed;
    private volatile boolean running;

    MirrorFeed(DocumentStore store, SystemBucket bucket, Mirror mirror) {
        this.store = store;
        this.bucket = bucket;
        this.mirror = mirror;
    }

    @Override
    public void start() {
        running = true;
        thread = Thread.ofVirtual().name("metakv-mirror").start(this::run);
    }

    /** Ends the watches first, else they would hold up the web server's graceful end. */
    @Override
    public void stop() {
        running = false;
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
        Duration pause = FIRST_PAUSE;
        while (running) {
            try {
                walk();
                pause = FIRST_PAUSE;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.warn("mirror=interrupted retryMillis={} reason=\"{}\"", pause.toMillis(), e.getMessage());
                pause = sleep(pause);
            }
        }
    }

    /** One walk from the beginning; returns when the feed was closed. */
    private void walk() throws InterruptedException {
        await(bucket.create().toFuture());
        var state = new MirrorState(ThreadLocalRandom.current().nextLong());
        try (ChangeFeed open = store.changes(SystemBucket.NAME, SystemBucket.SHARD, 0)) {
            feed = open;
            long target = highSeqno();
            boolean published = false;
            List<Mutation> page = List.of();
            do {
                page.forEach(mutation -> apply(mutation, state));
                if (published) {
                    mirror.advance(open.position());
                } else if (open.position() >= target) {
                    mirror.publish(state, open.position());
                    published = true;
                    log.info("mirror=live entries={} seqno={}", state.size(), open.position());
                }
                page = next(open);
            } while (running && !page.isEmpty());
        } finally {
            feed = null;
        }
    }

    /** The next page, over any outage; empty when the feed was closed or the history is another one. */
    private List<Mutation> next(ChangeFeed open) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return await(open.next(PAGE));
            } catch (DocumentsException e) {
                if (e.code() != DocumentsException.Code.UNAVAILABLE || !running) {
                    mirror.suspend();
                    throw e;
                }
                log.warn("mirror=waiting retryMillis={} reason=\"{}\"", pause.toMillis(), e.getMessage());
                pause = sleep(pause);
                if (historyLost(open)) {
                    return List.of();
                }
            }
        }
    }

    private boolean historyLost(ChangeFeed open) throws InterruptedException {
        try {
            if (highSeqno() >= open.position()) {
                return false;
            }
        } catch (DocumentsException e) {
            return false; // still not there; the next page will say so
        }
        mirror.suspend();
        log.warn("mirror=rebuilding reason=\"Redis came back without its latest writes\"");
        return true;
    }

    private static void apply(Mutation mutation, MirrorState state) {
        var document = mutation.document();
        if (document.key().keyspace().equals(SystemBucket.ENTRIES)) {
            state.applyEntry(document);
        } else if (document.key().keyspace().equals(SystemBucket.NODES)) {
            state.applyNode(document);
        }
    }

    private long highSeqno() throws InterruptedException {
        return await(store.highSeqno(SystemBucket.NAME, SystemBucket.SHARD));
    }

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        }
    }

    private Duration sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
}
