package io.millrace.metakvservice.entries;

import io.millrace.documents.Document;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.MetakvException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * The system bucket in memory, for lists and watches. {@link MirrorFeed} keeps it up to date. It is live while its state
 * has caught up with the counter of the bucket. RATIONALE.md says why its content is consistent.
 */
@Component
public final class Mirror {

    private record Waiter(long seqno, CompletableFuture<Void> reached) {}

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final PriorityQueue<Waiter> waiters = new PriorityQueue<>((a, b) -> Long.compare(a.seqno(), b.seqno()));
    private final Sinks.Many<Long> ticks = Sinks.many().replay().latestOrDefault(0L);
    private final Replays replays;
    private volatile MirrorState state = new MirrorState(0);
    private volatile boolean live;
    private volatile long position;

    Mirror(Replays replays) {
        this.replays = replays;
    }

    public boolean live() {
        return live;
    }

    /** Returns the seqno up to which the mirror has all changes. */
    long position() {
        return position;
    }

    int size() {
        return state.size();
    }

    public List<MetakvEntry> below(String directory) {
        return state.below(directory);
    }

    /** Returns a text that differs after each change below a directory. */
    String stamp(String directory) {
        MirrorState current = state;
        return Long.toHexString(current.history()) + '-' + current.lastChange(directory);
    }

    public List<Document> nodes() {
        return state.nodes();
    }

    public SortedSet<String> nodesTakenOut() {
        return state.nodesTakenOut();
    }

    /** Completes once the mirror has all changes up to a seqno; fails with UNAVAILABLE if that takes too long. */
    Mono<Void> reached(long seqno) {
        return Mono.defer(() -> {
                    var waiter = new Waiter(seqno, new CompletableFuture<>());
                    synchronized (waiters) {
                        if (live && position >= seqno) {
                            return Mono.<Void>empty();
                        }
                        waiters.add(waiter);
                    }
                    return Mono.fromFuture(waiter.reached()).doFinally(signal -> {
                        synchronized (waiters) {
                            waiters.remove(waiter);
                        }
                    });
                })
                .timeout(
                        PATIENCE,
                        Mono.error(() -> MetakvException.of(
                                MetakvException.Code.UNAVAILABLE,
                                "This node has not caught up with the changes in Redis. Redis may be down.")))
                .publishOn(Schedulers.parallel());
    }

    /**
     * Returns the entries below a directory and then each change; ends when the service stops. A slow watcher holds
     * its position only, no changes.
     */
    Flux<WatchEvent> watch(String directory, @Nullable Cursor resumed) {
        return Flux.defer(() -> {
            var watcher = new Watcher(directory, resumed);
            return ticks.asFlux()
                    .onBackpressureLatest()
                    .publishOn(Schedulers.parallel(), 1)
                    .concatMap(tick -> watcher.news(state), 1)
                    .concatMapIterable(news -> news, 1);
        });
    }

    /** The position of a watch; its calls are sequential. */
    private final class Watcher {

        private final String directory;
        private volatile @Nullable Cursor cursor;
        private volatile boolean started;

        Watcher(String directory, @Nullable Cursor resumed) {
            this.directory = directory;
            this.cursor = resumed;
        }

        Mono<List<WatchEvent>> news(MirrorState state) {
            synchronized (state) {
                Cursor from = cursor;
                if (from == null || !state.knows(from)) {
                    return Mono.just(listing(state));
                }
                List<WatchEvent> news = state.since(from, directory).orElse(null);
                if (news != null) {
                    return Mono.just(sent(news, state.end()));
                }
                Cursor until = state.end();
                return replays.between(state, from, until, directory)
                        .map(found -> sent(found, until))
                        .switchIfEmpty(Mono.fromSupplier(() -> listing(state)));
            }
        }

        private List<WatchEvent> listing(MirrorState state) {
            synchronized (state) {
                started = true;
                cursor = state.end();
                return state.listing(directory);
            }
        }

        private List<WatchEvent> sent(List<WatchEvent> news, Cursor until) {
            cursor = until;
            if (started) {
                return news;
            }
            started = true;
            var all = new ArrayList<>(news);
            all.add(new WatchEvent.Ready(until));
            return all;
        }
    }

    /** Replaces the content by a state that has caught up. */
    void publish(MirrorState caughtUp, long seqno) {
        state = caughtUp;
        live = true;
        position = -1; // so that advance notifies the watches
        advance(seqno);
    }

    /** Announces that the state has all changes up to a seqno. */
    void advance(long seqno) {
        var reached = new ArrayList<Waiter>();
        boolean moved;
        synchronized (waiters) {
            moved = position != seqno;
            position = seqno;
            for (Waiter next = waiters.peek(); live && next != null && next.seqno() <= seqno; next = waiters.peek()) {
                reached.add(waiters.remove());
            }
        }
        if (moved) {
            ticks.tryEmitNext(seqno);
        }
        reached.forEach(waiter -> waiter.reached().complete(null));
    }

    /** Holds back lists and watches until a new state is published. */
    void suspend() {
        live = false;
    }

    /** Ends all watches. */
    void stop() {
        ticks.tryEmitComplete();
    }
}
