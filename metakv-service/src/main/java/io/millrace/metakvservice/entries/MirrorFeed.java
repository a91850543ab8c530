package io.millrace.metakvservice.entries;

import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Mutation;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Follows the system bucket into the {@link Mirror}, on one virtual thread, from the service's start. */
@Component
final class MirrorFeed implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(MirrorFeed.class);

    private static final int PAGE = 1_000;
    private static final int READS_AT_ONCE = 64;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final DocumentStore store;
    private final SystemBucket bucket;
    private final ConfigStreams streams;
    private final Mirror mirror;
    private @Nullable Thread thread;
    private volatile @Nullable ChangeFeed feed;
    private volatile CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean running;

    /** What this instance has told of is not what is there. */
    private volatile boolean historyLost;

    /** The walk has to be begun anew. */
    private volatile boolean anew;

    MirrorFeed(DocumentStore store, SystemBucket bucket, ConfigStreams streams, Mirror mirror) {
        this.store = store;
        this.bucket = bucket;
        this.streams = streams;
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
     * as after a Redis that restarted without its latest writes, or in another incarnation of the bucket.
     */
    void rebuild(String why) {
        log.warn("mirror=rebuilding reason=\"{}\"", why);
        mirror.suspend();
        historyLost = true;
        anew = true;
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

    /** One walk from the beginning, over any outage; returns when it has to be begun anew. */
    private void walk() throws InterruptedException {
        await(bucket.create().toFuture());
        var state = new MirrorState(history());
        long position = begin(state);
        mirror.publish(state, position);
        log.info("mirror=live entries={} seqno={}", state.size(), position);
        Duration pause = FIRST_PAUSE;
        while (running && !anew) {
            try {
                if (!awaitChanges(position)) {
                    return;
                }
                position = step(state, position);
                mirror.advance(position);
                pause = FIRST_PAUSE;
            } catch (DocumentsException e) {
                if (e.code() == DocumentsException.Code.HISTORY_LOST) {
                    historyLost = true;
                }
                if (e.code() != DocumentsException.Code.UNAVAILABLE) {
                    mirror.suspend();
                    throw e;
                }
                log.warn("mirror=waiting retryMillis={} reason=\"{}\"", pause.toMillis(), e.getMessage());
                pause = pause(pause);
            }
        }
    }

    /** Returns the number of the bucket's history, which is drawn anew when this instance has seen writes lost. */
    private long history() throws InterruptedException {
        anew = false;
        boolean another = historyLost;
        long history = Objects.requireNonNull(await(bucket.history(another).toFuture()));
        if (another) {
            historyLost = false;
        }
        return history;
    }

    /** Takes everything that there is, and returns the seqno that this has come to. */
    private long begin(MirrorState state) throws InterruptedException {
        Moved moved = movedSince(0);
        await(Flux.fromIterable(moved.paths())
                .flatMap(streams::latest, READS_AT_ONCE)
                .doOnNext(state::begin)
                .then()
                .toFuture());
        takeNodes(state, moved);
        state.apply(List.of(), moved.upTo());
        // what changed meanwhile is in the state already; its rows must be behind us before anybody counts on that
        long position = moved.upTo();
        while (position < state.newestChange()) {
            position = step(state, position);
        }
        state.beginLog();
        return position;
    }

    /** Takes the changes that there are after a seqno, each path's every one, and returns the seqno reached. */
    private long step(MirrorState state, long position) throws InterruptedException {
        Moved moved = movedSince(position);
        if (!BucketInfo.sameIncarnation(moved.upTo(), position)) {
            rebuild("the bucket was dropped or moved");
            return position;
        }
        try {
            List<EntryChange> changes = await(Flux.fromIterable(moved.paths())
                    .flatMap(path -> streams.afterVersion(path, state.version(path), moved.upTo()), READS_AT_ONCE)
                    .flatMapIterable(found -> found)
                    .sort(Comparator.comparingLong(EntryChange::seqno))
                    .collectList()
                    .toFuture());
            state.apply(changes, moved.upTo());
        } catch (HistoryPruned e) {
            log.warn("mirror=rebuilding reason=\"more changes came than a path's history keeps\"");
            anew = true;
            return position;
        }
        takeNodes(state, moved);
        if (moved.history()
                && await(bucket.get(SystemBucket.HISTORY)
                                .map(SystemBucket::history)
                                .defaultIfEmpty(0L)
                                .toFuture())
                        != state.history()) {
            log.warn("mirror=rebuilding reason=\"another instance has seen writes lost\"");
            mirror.suspend();
            anew = true;
        }
        return moved.upTo();
    }

    private void takeNodes(MirrorState state, Moved moved) throws InterruptedException {
        await(Flux.fromIterable(moved.nodes())
                .flatMap(bucket::getWithTombstone, READS_AT_ONCE)
                .doOnNext(state::applyNode)
                .then()
                .toFuture());
    }

    /**
     * What moved in the bucket's order.
     *
     * @param history true when the history got a number
     * @param upTo the seqno up to which nothing else has moved
     */
    private record Moved(Set<String> paths, Set<DocumentKey> nodes, boolean history, long upTo) {}

    /**
     * Reads rows to the very end: then every change up to the last row's seqno is in one of the streams that are named,
     * so that the changes of all streams can be merged into one order.
     */
    private Moved movedSince(long position) throws InterruptedException {
        Set<String> paths = new LinkedHashSet<>();
        Set<DocumentKey> nodes = new LinkedHashSet<>();
        boolean history = false;
        ChangePage page;
        long upTo = position;
        do {
            var request = new ChangePage.Request(upTo, false, PAGE, false);
            page = await(store.page(SystemBucket.NAME, SystemBucket.SHARD, request));
            for (Mutation mutation : page.mutations()) {
                DocumentKey key = mutation.document().key();
                String path = ConfigEvents.path(key.id());
                if (key.keyspace().equals(SystemBucket.NODES)) {
                    nodes.add(key);
                } else if (path != null) {
                    paths.add(path);
                } else if (key.equals(SystemBucket.HISTORY)) {
                    history = true;
                }
            }
            upTo = page.position();
        } while (page.more());
        return new Moved(paths, nodes, history, upTo);
    }

    /** Waits for a change after a seqno; false when the walk has to be begun anew. */
    private boolean awaitChanges(long position) throws InterruptedException {
        try (ChangeFeed bell = store.changes(SystemBucket.NAME, SystemBucket.SHARD, position)) {
            feed = bell;
            return running && !anew && !await(bell.next(1)).isEmpty();
        } finally {
            feed = null;
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
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
