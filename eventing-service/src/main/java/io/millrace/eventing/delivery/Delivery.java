package io.millrace.eventing.delivery;

import io.millrace.documents.BucketInfo;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.consumer.Rejoined;
import io.millrace.eventing.metrics.FunctionCounts;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Retry;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.StopSignal;
import io.millrace.eventing.timers.TimerFiring;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.eventing.timers.TimerRecovery;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.firing.Schedules;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flow of changes and timers to the consumers for a fixed set of owned vbuckets. When the set changes, another
 * delivery takes its place.
 */
public final class Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    /**
     * What all deliveries of a pipeline share.
     *
     * @param broken completes when reading fails for good
     * @param gate whether events may be handed out now
     * @param writesLost is called when a reader finds that changes are gone which it has read; that reader has ended
     */
    public record Shared(
            FunctionSpec spec,
            RuntimeEnvironment environment,
            BucketInfo source,
            ConsumerGroup consumers,
            FunctionCounts counts,
            CompletableFuture<Void> broken,
            BooleanSupplier gate,
            Runnable writesLost) {}

    /** In place of a position in a shard: no vbucket of it is delivered here. */
    public static final long NOT_OURS = Progress.NOT_OURS;

    /**
     * What a delivery serves.
     *
     * @param vbuckets those that this node owns
     * @param epochs returns the epoch of an owned vbucket
     * @param saved returns up to which seqno an owned vbucket is handled and saved
     */
    public record Share(VbucketSet vbuckets, IntToLongFunction epochs, IntToLongFunction saved) {}

    private final Shared shared;
    private final Route route;
    private final Progress progress;
    private final TimerFiring timers;
    private final Failures failures;
    private final DeadLetterWriter letters;
    private final @Nullable LastHandled lastHandled;
    private final @Nullable OpenStreams streams;
    private final @Nullable OpenTopic messages;
    private final VbucketSet share;
    private final IntToLongFunction epochs;
    private final IntToLongFunction saved;
    private final StopSignal stop = new StopSignal();
    private final List<ShardReader> readers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    public Delivery(Shared shared, Share owned) {
        this.shared = shared;
        this.share = owned.vbuckets();
        this.route = Route.of(
                share,
                shared.spec.workers().count(),
                shared.spec.workers().threads(),
                shared.consumers.canaryVbuckets(),
                shared.consumers.canaryWorkers());
        this.progress = new Progress(shared.source.shards());
        progress.begin(vbucket -> share.contains(vbucket) ? owned.saved().applyAsLong(vbucket) : Progress.NOT_OURS);
        this.timers = new TimerFiring(
                shared.spec.name(),
                shared.environment.timers(),
                shared.environment.timerWatch(),
                TimerGroups.group(shared.spec),
                shared.environment.clock(),
                TimerGroups.retries(shared.spec),
                Schedules.parse(shared.spec.handler().timers().schedules()),
                this::deliverTimers,
                lag -> shared.counts.timerLagMicros().record(Math.max(0, lag) * 1000, 1));
        this.epochs = vbucket -> share.contains(vbucket) ? owned.epochs().applyAsLong(vbucket) : TimerFiring.NOT_OURS;
        this.lastHandled = shared.spec.handling().remembers()
                ? new LastHandled(
                        shared.environment.lastHandled(),
                        shared.spec.checkpoints(),
                        shared.spec.handling(),
                        epochs,
                        shared.environment.settings().longestRetry(),
                        this::progressed)
                : null;
        this.letters = new DeadLetterWriter(shared.spec, shared.environment, shared.counts, epochs, stop);
        this.failures = new Failures(
                shared.spec.handling(),
                letters,
                this::rejoin,
                this::handled,
                shared.environment.clock(),
                shared.counts.counters());
        this.streams = shared.spec.source().ofEvents()
                ? new OpenStreams(shared, route, progress, epochs, stop, this::mayHandOut)
                : null;
        this.messages = shared.spec.source().ofMessages() ? messages() : null;
        this.saved = owned.saved();
    }

    private OpenTopic messages() {
        if (shared.spec.source().channel()) {
            return new OpenChannel(shared, route, share, stop, this::mayHandOut);
        }
        return shared.spec.source().ofKafka()
                ? new OpenPartitions(shared, route, share, epochs, stop, this::mayHandOut)
                : new OpenMessages(shared, route, share, stop, this::mayHandOut);
    }

    private boolean mayHandOut() {
        return shared.gate.getAsBoolean() && failures.room();
    }

    private boolean deliverTimers(List<Event> events) throws InterruptedException {
        long now = System.nanoTime();
        Map<Integer, List<Event>> byLane =
                events.stream().collect(Collectors.groupingBy(event -> route.laneOf(event.vbucket())));
        for (Map.Entry<Integer, List<Event>> each : byLane.entrySet()) {
            int lane = each.getKey();
            if (!shared.consumers.ofLane(lane).submit(route.threadOfLane(lane), each.getValue(), now)) {
                return false;
            }
        }
        return true;
    }

    private void handled(Event event, boolean well) {
        if (streams != null) {
            streams.ended(event);
        } else if (messages != null) {
            messages.ended(event);
        } else if (lastHandled == null) {
            progressed(event);
        } else {
            lastHandled.ended(event, well);
        }
    }

    private void progressed(Event event) {
        progress.acknowledged(event.vbucket(), event.seqno());
    }

    private Rejoined rejoin(Event event, BooleanSupplier wanted) {
        int lane = route.laneOf(event.vbucket());
        return shared.consumers.ofLane(lane).rejoin(route.threadOfLane(lane), event, wanted);
    }

    /** Takes over the timers of the owned vbuckets and starts reading every shard that has some of them. */
    public void start(Retry retry) throws InterruptedException {
        retry.call("take_timers", () -> timers.start(epochs));
        if (streams != null) {
            streams.begin(share, saved, retry);
        }
        if (messages != null) {
            messages.start();
        }
        ShardReader.Shared common = new ShardReader.Shared(
                shared.spec,
                shared.environment.source(shared.spec),
                shared.source.shards(),
                route,
                shared.consumers,
                progress,
                shared.environment.settings(),
                stop,
                shared.counts.counters(),
                new LoopGuard(
                        shared.spec, shared.environment.log(), shared.environment.clock(), shared.counts.counters()),
                this::mayHandOut,
                streams,
                lastHandled,
                ChangeFilter.of(
                        shared.spec, shared.environment.log(), shared.environment.clock(), shared.counts.counters()));
        for (int shard = 0; shard < shared.source.shards(); shard++) {
            if (progress.startOfShard(shard) != Progress.NOT_OURS) {
                ShardReader reader = new ShardReader(common, shard);
                readers.add(reader);
                threads.add(Thread.ofVirtual()
                        .name(shared.spec.name() + "-reader-" + shard)
                        .start(() -> read(reader)));
            }
        }
        if (!shared.spec.handler().timers().documents().isEmpty()) {
            threads.add(Thread.ofVirtual()
                    .name(shared.spec.name() + "-timer-recovery")
                    .start(this::recoverTimers));
        }
        if (shared.spec.handling().deadLetters() > 0) {
            threads.add(Thread.ofVirtual().name(shared.spec.name() + "-replays").start(this::replay));
        }
    }

    private void replay() {
        try {
            new Replays(shared.spec, shared.environment, failures, share, shared.gate).run(stop);
        } catch (Throwable e) {
            shared.broken.completeExceptionally(e);
        }
    }

    private void recoverTimers() {
        long[] handled = new long[shared.source.shards()];
        for (int shard = 0; shard < handled.length; shard++) {
            long start = progress.startOfShard(shard);
            handled[shard] = start == Progress.NOT_OURS ? 0 : start;
        }
        TimerRecovery recovery =
                new TimerRecovery(shared.spec, shared.environment, new SourceFilter(shared.spec)::inSource, handled);
        try {
            do {
                try {
                    int restored = recovery.check(timers.partitions());
                    shared.counts.counters().of("timer_restored_counter").add(restored);
                } catch (ExecutionException | TimeoutException e) {
                    LOG.warn("event=timer_recovery_failed function={} reason=\"{}\"", shared.spec.name(), e.toString());
                }
            } while (!stop.await(shared.spec.checkpointInterval()));
        } catch (Throwable e) {
            shared.broken.completeExceptionally(e);
        }
    }

    private void read(ShardReader reader) {
        try {
            reader.run();
        } catch (OwnershipLost.WritesLost lost) {
            LOG.warn("event=writes_lost function={} reason=\"{}\"", shared.spec.name(), lost.getMessage());
            shared.writesLost.run();
        } catch (Throwable e) {
            shared.broken.completeExceptionally(e);
        }
    }

    /** Ends reading and firing. Never blocks. */
    public void close() {
        stop.stop();
        failures.close();
        if (streams != null) {
            streams.close();
        }
        if (messages != null) {
            messages.close();
        }
        timers.stopFiring();
        readers.forEach(ShardReader::close);
    }

    /**
     * Waits until reading has ended and the outcomes of timers are stored. The consumers must have stopped taking
     * events.
     */
    public void awaitEnd() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        if (streams != null) {
            streams.awaitEnd();
        }
        if (messages != null) {
            messages.awaitEnd();
        }
        timers.close();
        letters.awaitEnd();
        if (lastHandled != null) {
            lastHandled.awaitEnd(shared.environment.settings().lastSaveTimeout());
        }
    }

    public void acknowledged(Event event, Outcome outcome) {
        if (event.kind() == Event.Kind.TIMER) {
            if (timers.ended(event, outcome)) {
                letters.traced(event, outcome, "");
            }
        } else {
            failures.acknowledged(event, outcome);
        }
    }

    /**
     * Returns the seqno up to which every event of a vbucket is handled; {@link Checkpoint#NOT_STARTED} for a vbucket
     * that is not delivered here.
     */
    public long reached(int vbucket) {
        return route.laneOf(vbucket) < 0 ? Checkpoint.NOT_STARTED : progress.reached(vbucket);
    }

    /** Returns whether {@link #reached} may have changed since {@link #rest}. */
    public boolean moved() {
        return progress.moved();
    }

    /** Says that what is reached is about to be saved. */
    public void rest() {
        progress.rest();
    }

    /** Says that it was not. */
    public void move() {
        progress.move();
    }

    /**
     * Returns how many changes are unhandled without being in a worker: they wait for a retry, a dead letter or their
     * state.
     */
    public long held() {
        return failures.waiting()
                + (lastHandled == null ? 0 : lastHandled.pending())
                + (streams == null ? 0 : streams.held())
                + (messages == null ? 0 : messages.held());
    }

    public List<PartitionScan> timerPartitions() {
        return timers.partitions();
    }

    /** Returns whether Redis still has all changes that were read for this delivery, also when it was restarted meanwhile. */
    public CompletableFuture<Boolean> intact() {
        List<CompletableFuture<Boolean>> answers =
                readers.stream().map(ShardReader::intact).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().allMatch(CompletableFuture::join));
    }

    public long readOf(int shard) {
        return progress.readOf(shard);
    }

    /** Returns when the oldest unhandled change was made, in seconds since 1970; {@link Long#MAX_VALUE} for none. */
    public long oldest() {
        return progress.oldest();
    }

    /** Returns the share of a shard's vbuckets that is delivered here, 0 to 1. */
    public double shareOf(int shard) {
        return progress.shareOf(shard);
    }

    /** Returns the name of the worker that a vbucket is assigned to. */
    public String workerOf(int vbucket) {
        return shared.consumers.ofLane(Math.max(0, route.laneOf(vbucket))).name();
    }

    /** Returns the vbuckets of each worker. */
    public List<VbucketSet> shares() {
        return route.workers();
    }
}
