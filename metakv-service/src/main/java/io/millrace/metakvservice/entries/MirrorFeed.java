package io.millrace.metakvservice.entries;

import io.github.resilience4j.core.IntervalFunction;
import io.millrace.documents.BucketInfo;
import io.millrace.documents.ChangeFeed;
import io.millrace.documents.ChangePage;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Mutation;
import io.millrace.documents.SystemHandle;
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

/** Copies the changes of the system bucket into the {@link Mirror}, on one virtual thread, while the service runs. */
@Component
final class MirrorFeed implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(MirrorFeed.class);

    private static final int PAGE = 1_000;
    private static final int READS_AT_ONCE = 64;

    /** Pauses after failures, with jitter, so that the instances do not all retry at the same moment after an outage. */
    private static final IntervalFunction PAUSES =
            IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(100), 2, 0.5, Duration.ofSeconds(2));

    /** The attempt with the longest pause that still has jitter. */
    private static final int LONGEST_PAUSE_ATTEMPT = 5;

    private final DocumentStore store;
    private final SystemBucket bucket;
    private final ConfigStreams streams;
    private final Mirror mirror;
    private @Nullable Thread thread;
    private volatile @Nullable ChangeFeed feed;
    private volatile CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean running;

    /** Redis lost writes that this instance has already sent to watches. */
    private volatile boolean historyLost;

    /** The walk has to start again. */
    private volatile boolean restart;

    MirrorFeed(DocumentStore store, SystemBucket bucket, ConfigStreams streams, Mirror mirror) {
        this.store = store.with(SystemHandle.METAKV);
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

    /** Ends the watches first, because they would delay the graceful shutdown of the web server. */
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
     * Walks the feed from its beginning again, because the history of the bucket is not the one that the mirror was built
     * from: Redis restarted without its latest writes, or the bucket is another incarnation.
     */
    void rebuild(String why) {
        LOG.warn("event=mirror_rebuilding reason=\"{}\"", why);
        mirror.suspend();
        historyLost = true;
        restart = true;
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
            int failures = 0;
            while (running) {
                try {
                    walk();
                    failures = 0;
                } catch (RuntimeException e) {
                    long millis = pauseMillis(++failures);
                    LOG.warn("event=mirror_interrupted pause_ms={} reason=\"{}\"", millis, e.getMessage());
                    pause(millis);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service stops
        }
    }

    /** Walks the feed from its beginning, across outages; returns when the walk has to start again. */
    private void walk() throws InterruptedException {
        await(bucket.create().toFuture());
        var state = new MirrorState(history());
        long position = begin(state);
        if (restart) {
            return;
        }
        mirror.publish(state, position);
        LOG.info("event=mirror_live entries={} seqno={}", state.size(), position);
        int failures = 0;
        while (running && !restart) {
            try {
                if (!awaitChanges(position)) {
                    return;
                }
                position = step(state, position);
                mirror.advance(position);
                failures = 0;
            } catch (DocumentsException e) {
                if (e.code() == DocumentsException.Code.HISTORY_LOST) {
                    historyLost = true;
                }
                if (e.code() != DocumentsException.Code.UNAVAILABLE) {
                    mirror.suspend();
                    throw e;
                }
                long millis = pauseMillis(++failures);
                LOG.warn("event=mirror_waiting pause_ms={} reason=\"{}\"", millis, e.getMessage());
                pause(millis);
            }
        }
    }

    /** Returns the number of the bucket's history, a new one if this instance has seen that writes were lost. */
    private long history() throws InterruptedException {
        restart = false;
        boolean another = historyLost;
        long history = Objects.requireNonNull(await(bucket.history(another).toFuture()));
        if (another) {
            historyLost = false;
        }
        return history;
    }

    /** Reads the whole bucket, and returns the seqno up to which it has been read. */
    private long begin(MirrorState state) throws InterruptedException {
        long newest = await(bucket.highSeqno().toFuture()); // asked first, so that the rows have all changes up to it
        Moved moved = movedSince(0);
        if (!BucketInfo.sameHistory(newest, moved.upTo())) {
            rebuild("Redis was restarted after the newest entry was written");
            return moved.upTo();
        }
        await(Flux.fromIterable(moved.paths())
                .flatMap(streams::latest, READS_AT_ONCE)
                .doOnNext(state::begin)
                .then()
                .toFuture());
        takeNodes(state, moved);
        long position = Math.max(newest, moved.upTo());
        state.apply(List.of(), position);
        // changes during the read are in the state already; their rows must be passed before the state is published
        while (position < state.newestChange() && !restart) {
            position = step(state, position);
        }
        state.beginLog();
        return position;
    }

    /** Applies all changes of all paths after a seqno, and returns the seqno reached. */
    private long step(MirrorState state, long position) throws InterruptedException {
        Moved moved = movedSince(position);
        if (!BucketInfo.sameHistory(moved.upTo(), position)) {
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
            LOG.warn("event=mirror_rebuilding reason=\"a path had more changes than its history keeps\"");
            restart = true;
            return position;
        }
        takeNodes(state, moved);
        if (storedHistory() != state.history()) {
            LOG.warn("event=mirror_rebuilding reason=\"the bucket has another history than before\"");
            mirror.suspend();
            restart = true;
        }
        return moved.upTo();
    }

    /**
     * Returns the number of the history as it is stored: another one when an instance has seen that writes were lost, and when
     * the address of Redis leads to other data, whose seqnos mean something else.
     */
    private long storedHistory() throws InterruptedException {
        return await(bucket.get(SystemBucket.HISTORY)
                .map(SystemBucket::history)
                .defaultIfEmpty(0L)
                .toFuture());
    }

    private void takeNodes(MirrorState state, Moved moved) throws InterruptedException {
        await(Flux.fromIterable(moved.nodes())
                .flatMap(bucket::getWithTombstone, READS_AT_ONCE)
                .doOnNext(state::applyNode)
                .then()
                .toFuture());
    }

    /**
     * What changed in the bucket after a position.
     *
     * @param upTo the seqno up to which nothing else changed
     */
    private record Moved(Set<String> paths, Set<DocumentKey> nodes, long upTo) {}

    /**
     * Reads rows to the end. Then every change up to the seqno of the last row is in one of the returned streams, so their
     * changes can be merged into one order.
     */
    private Moved movedSince(long position) throws InterruptedException {
        Set<String> paths = new LinkedHashSet<>();
        Set<DocumentKey> nodes = new LinkedHashSet<>();
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
                }
            }
            upTo = page.position();
        } while (page.more());
        return new Moved(paths, nodes, upTo);
    }

    /** Waits for a change after a seqno; returns false if the walk has to start again. */
    private boolean awaitChanges(long position) throws InterruptedException {
        try (ChangeFeed bell = store.changes(SystemBucket.NAME, SystemBucket.SHARD, position)) {
            feed = bell;
            return running && !restart && !await(bell.next(1)).isEmpty();
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

    private static long pauseMillis(int failures) {
        return PAUSES.apply(Math.min(failures, LONGEST_PAUSE_ATTEMPT));
    }

    /** Waits before the next attempt; ends the thread if the service stops. */
    private void pause(long millis) throws InterruptedException {
        if (ended.await(millis, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("The service stops.");
        }
    }
}
