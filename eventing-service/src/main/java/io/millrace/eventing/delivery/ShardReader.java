package io.millrace.eventing.delivery;

import io.millrace.documents.ChangeFeed;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Mutation;
import io.millrace.eventing.consumer.Backoff;
import io.millrace.eventing.metrics.Counters;
import io.millrace.eventing.runtime.Events;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.workerprotocol.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the feed of one shard and hands its events to the consumers of their vbuckets. Waits while a consumer is full,
 * so that about three pages of a shard are in memory however large the backlog is.
 */
final class ShardReader {

    private static final Logger LOG = LoggerFactory.getLogger(ShardReader.class);

    /** Rows of the first page, before the size of documents is known. */
    private static final int FIRST_PAGE_ROWS = 100;

    private final String function;
    private final int shard;
    private final ChangeFeed feed;
    private final SourceFilter filter;
    private final LoopGuard loops;
    private final Route route;
    private final ConsumerGroup consumers;
    private final Progress progress;
    private final RuntimeSettings settings;
    private final StopSignal stop;
    private final int shards;
    private final BooleanSupplier gate;
    private final @Nullable OpenStreams streams;
    private final @Nullable LastHandled lastHandled;
    private final @Nullable ChangeFilter changeFilter;
    private final Retry retry;

    private final LongAdder mutationsSuppressed;
    private final LongAdder deletionsSuppressed;
    private final LongAdder expirationsSuppressed;
    private final LongAdder mutationsQueued;
    private final LongAdder deletionsQueued;
    private final LongAdder mutationsFiltered;
    private final LongAdder mutationsUnchanged;
    private final LongAdder deletionsFiltered;

    private final List<List<Event>> byLane;
    private int pageRows = FIRST_PAGE_ROWS;
    private int failures;
    private volatile boolean closed;

    /** What the readers of all shards of a function share. */
    record Shared(
            FunctionSpec spec,
            DocumentStore documents,
            int shards,
            Route route,
            ConsumerGroup consumers,
            Progress progress,
            RuntimeSettings settings,
            StopSignal stop,
            Counters counters,
            LoopGuard loops,
            BooleanSupplier gate,
            @Nullable OpenStreams streams,
            @Nullable LastHandled lastHandled,
            @Nullable ChangeFilter changeFilter) {}

    ShardReader(Shared shared, int shard) {
        this.function = shared.spec.name();
        this.shard = shard;
        this.shards = shared.shards;
        this.route = shared.route;
        this.consumers = shared.consumers;
        this.progress = shared.progress;
        this.settings = shared.settings;
        this.stop = shared.stop;
        this.gate = shared.gate;
        this.streams = shared.streams;
        this.lastHandled = shared.lastHandled;
        this.changeFilter = shared.changeFilter;
        this.retry = new Retry(function, stop, settings);
        this.filter = new SourceFilter(shared.spec);
        this.loops = shared.loops;
        this.feed = shared.documents.changes(
                shared.spec.source().keyspace().bucket(),
                shard,
                progress.startOfShard(shard),
                vbucket -> route.laneOf(vbucket) >= 0);
        this.byLane = new ArrayList<>(route.lanes());
        for (int lane = 0; lane < route.lanes(); lane++) {
            byLane.add(new ArrayList<>());
        }
        Counters counters = shared.counters;
        this.mutationsSuppressed = counters.of("dcp_mutation_suppressed_counter");
        this.deletionsSuppressed = counters.of("dcp_deletion_suppressed_counter");
        this.expirationsSuppressed = counters.of("dcp_expiration_suppressed_counter");
        this.mutationsQueued = counters.of("enqueued_dcp_mutation_msg_counter");
        this.deletionsQueued = counters.of("enqueued_dcp_delete_msg_counter");
        this.mutationsUnchanged = counters.of("dcp_mutation_unchanged_counter");
        this.mutationsFiltered = counters.of("filtered_dcp_mutation_counter");
        this.deletionsFiltered = counters.of("filtered_dcp_delete_counter");
    }

    /** Reads until the feed is closed. */
    void run() throws InterruptedException {
        Backoff backoff = new Backoff(settings.firstRetry(), settings.longestRetry());
        CompletableFuture<List<Mutation>> next = feed.next(pageRows);
        while (true) {
            List<Mutation> page;
            try {
                page = next.get();
            } catch (ExecutionException e) {
                failed(Retry.cause(e));
                if (stop.await(backoff.next())) {
                    return;
                }
                next = feed.next(pageRows);
                continue;
            }
            if (page.isEmpty() && closed) {
                return;
            }
            recovered(backoff);
            long position = feed.position();
            adaptPage(page);
            next = feed.next(pageRows); // Redis reads it while this page is handed out
            if (!page.isEmpty() && !handOut(page)) {
                return;
            }
            progress.read(shard, position);
        }
    }

    /** Notes a failure that a repetition may cure; throws any other, which ends this run of the function. */
    private void failed(Throwable reason) {
        if (reason instanceof DocumentsException lost && lost.code() == DocumentsException.Code.HISTORY_LOST) {
            throw new OwnershipLost.WritesLost(String.valueOf(lost.getMessage()));
        }
        if (!(reason instanceof DocumentsException)) {
            throw new IllegalStateException("The feed of shard %d failed: %s".formatted(shard, reason), reason);
        }
        if (failures++ == 0) {
            LOG.warn("event=feed_failed function={} shard={} reason=\"{}\"", function, shard, reason.toString());
        }
    }

    private void recovered(Backoff backoff) {
        if (failures > 0) {
            LOG.info("event=feed_recovered function={} shard={} after_failures={}", function, shard, failures);
            failures = 0;
            backoff.reset();
        }
    }

    /** Returns whether everything is there that this reader has read; see {@link ChangeFeed#intact}. */
    CompletableFuture<Boolean> intact() {
        return feed.intact();
    }

    /** Ends {@link #run}. Never blocks. */
    void close() {
        closed = true;
        feed.close();
    }

    private void adaptPage(List<Mutation> page) {
        if (page.isEmpty()) {
            return;
        }
        long bytes = 0;
        for (Mutation mutation : page) {
            bytes += mutation.document().body().length;
        }
        long each = Math.max(1, bytes / page.size());
        pageRows = (int) Math.clamp(settings.pageBytes() / shards / each, 1, settings.pageRows());
    }

    private boolean handOut(List<Mutation> read) throws InterruptedException {
        while (!gate.getAsBoolean()) { // without certain ownership nothing is handed out
            if (stop.await(settings.firstRetry())) {
                return false;
            }
        }
        if (streams != null) {
            return streams.changed(read);
        }
        List<Mutation> page = matching(read);
        LastHandled.Page before;
        try {
            before = lastHandled == null ? LastHandled.Page.EMPTY : lastHandled.recall(comparable(page), retry);
        } catch (CancellationException e) {
            return false;
        }
        long readNanos = System.nanoTime();
        int mutations = 0;
        int deletions = 0;
        for (Mutation mutation : page) {
            Document document = mutation.document();
            int vbucket = document.key().vbucket();
            if (!filter.inSource(document)) {
                continue;
            }
            if (progress.handledBefore(vbucket, document.seqno())) {
                (document.live() ? mutationsFiltered : deletionsFiltered).increment();
            } else if (filter.own(document) || loops.stops(document)) {
                suppressed(document);
                if (lastHandled != null) {
                    passed(mutation, lastHandled);
                }
            } else if (lastHandled != null && leavesOut(document, lastHandled.before(document, before))) {
                passed(mutation, lastHandled);
            } else if (lastHandled != null && lastHandled.unchanged(document, before)) {
                mutationsUnchanged.increment();
            } else {
                Event event = Events.of(mutation, vbucket);
                if (lastHandled != null) {
                    event = lastHandled.dispatched(event, before);
                }
                byLane.get(route.laneOf(vbucket)).add(event);
                progress.dispatched(vbucket, mutation.seqno(), document.modified());
                mutations += document.live() ? 1 : 0;
                deletions += document.live() ? 0 : 1;
            }
        }
        mutationsQueued.add(mutations);
        deletionsQueued.add(deletions);
        return submit(readNanos);
    }

    /** Has the state of a document that is not handed out remembered before its change counts as handled. */
    private void passed(Mutation mutation, LastHandled states) {
        Document document = mutation.document();
        int vbucket = document.key().vbucket();
        progress.dispatched(vbucket, mutation.seqno(), document.modified());
        states.passed(Events.of(mutation, vbucket));
    }

    private boolean leavesOut(Document document, byte @Nullable [] old) {
        ChangeFilter condition = changeFilter;
        return condition != null && condition.comparesStates() && !condition.accepts(document, old);
    }

    /** Returns the changes that are compared with the state that was handled last. */
    private List<Mutation> comparable(List<Mutation> page) {
        return page.stream().filter(mutation -> isNews(mutation.document())).toList();
    }

    /** Returns whether a change is of the source, was not made by the function and not handled before. */
    private boolean isNews(Document document) {
        return filter.inSource(document)
                && !filter.own(document)
                && !progress.handledBefore(document.key().vbucket(), document.seqno());
    }

    /** Returns a page without the changes that the function's filter leaves out, if it needs no former states for that. */
    private List<Mutation> matching(List<Mutation> page) {
        ChangeFilter condition = changeFilter;
        return condition == null || condition.comparesStates()
                ? page
                : page.stream()
                        .filter(mutation -> !isNews(mutation.document()) || condition.accepts(mutation.document()))
                        .toList();
    }

    private boolean submit(long readNanos) throws InterruptedException {
        for (int lane = 0; lane < byLane.size(); lane++) {
            List<Event> events = byLane.get(lane);
            if (events.isEmpty()) {
                continue;
            }
            byLane.set(lane, new ArrayList<>());
            if (!consumers.ofLane(lane).submit(route.threadOfLane(lane), events, readNanos)) {
                return false;
            }
        }
        return true;
    }

    private void suppressed(Document document) {
        switch (document.state()) {
            case LIVE -> mutationsSuppressed.increment();
            case DELETED -> deletionsSuppressed.increment();
            case EXPIRED -> expirationsSuppressed.increment();
        }
    }
}
