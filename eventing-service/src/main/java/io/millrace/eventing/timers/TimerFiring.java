package io.millrace.eventing.timers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimersException;
import io.millrace.timers.firing.RetryPolicy;
import io.millrace.timers.firing.Schedules;
import io.millrace.timers.firing.TimerLoop;
import io.millrace.timers.firing.TimerScanner;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import io.millrace.timers.firing.TimerSink;
import io.millrace.timers.firing.TimerSink.Ending;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires the timers of one function on this node. Each claimed timer becomes an event in the lane of its partition; its
 * outcome is stored when the worker has answered. Each shard of the metadata bucket is scanned separately, so that an
 * outage of one Redis does not stop the others.
 *
 * <p>Timers that are claimed and unanswered when this ends are due again for the next owner of their partitions.
 */
public final class TimerFiring implements TimerSink, AutoCloseable {

    /** The most timers of a function that are between their claim and their outcome. */
    static final int MAX_TIMERS_FIRING = 2000;

    /** In place of an epoch: another node has the vbucket. */
    public static final long NOT_OURS = 0;

    /** With this many outcomes the store is called before the next scan. */
    private static final int WORTH_A_CALL = 100;

    /** The most events that are handed to the workers at a time. */
    private static final int DELIVERED_TOGETHER = 256;

    private static final int VBUCKETS = 1024;
    private static final Logger LOG = LoggerFactory.getLogger(TimerFiring.class);

    private final String function;
    private final TimerGroup group;
    private final RetryPolicy retries;
    private final Delivery delivery;
    private final SortedMap<Integer, Shard> shards = new TreeMap<>();
    private final Thread deliverer;
    private final LinkedBlockingQueue<Event> waiting = new LinkedBlockingQueue<>();
    private final Map<Firing, Timer> firing = new ConcurrentHashMap<>();
    private final TimerWatch watch;
    private final List<TimerWatch.Watching> watchings = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;
    private volatile boolean full;

    /** Hands events to the workers of their vbuckets. */
    @FunctionalInterface
    public interface Delivery {

        /** Waits while a worker is full; returns false when one has stopped taking events. */
        boolean deliver(List<Event> events) throws InterruptedException;
    }

    /** The partitions of one shard. */
    private record Shard(int number, TimerScanner scanner, TimerLoop loop, AtomicInteger unsettled) {}

    private record Firing(String callback, String reference, long version) {

        static Firing of(Event event) {
            return new Firing(event.scope(), event.id(), event.seqno());
        }
    }

    /**
     * @param watch wakes the scans for new timers
     * @param lags receives the delay of each fired timer in milliseconds
     */
    public TimerFiring(
            String function,
            TimerStore store,
            TimerWatch watch,
            TimerGroup group,
            InstantSource clock,
            RetryPolicy retries,
            Schedules schedules,
            Delivery delivery,
            LongConsumer lags) {
        this.function = function;
        this.group = group;
        this.retries = retries;
        this.delivery = delivery;
        this.watch = watch;
        for (int shard : group.usedShards()) {
            TimerScanner scanner = new TimerScanner(store, group, clock, this, retries, schedules, lags);
            TimerLoop loop = TimerLoop.watched(function + "-timers-" + shard, scanner, this::failed);
            shards.put(shard, new Shard(shard, scanner, loop, new AtomicInteger()));
        }
        this.deliverer = Thread.ofVirtual().name(function + "-timer-delivery").unstarted(this::deliver);
    }

    /**
     * Claims the partitions that belong to the vbuckets of this node, arms the timers of schedules, and begins to fire.
     * A partition belongs to one vbucket; the owner of that vbucket fires its timers.
     *
     * @param epochs returns the epoch with which this node owns a vbucket, or {@link #NOT_OURS}
     */
    public CompletableFuture<Void> start(IntToLongFunction epochs) {
        List<CompletableFuture<?>> takes = new ArrayList<>();
        int next;
        for (int first = 0; first < group.partitions(); first = next) {
            long epoch = epochs.applyAsLong(vbucket(group, first));
            next = first + 1;
            while (next < group.partitions()
                    && group.shardOf(next) == group.shardOf(first)
                    && epochs.applyAsLong(vbucket(group, next)) == epoch) {
                next++;
            }
            if (epoch != NOT_OURS) {
                takes.add(shardOf(first).scanner.take(epoch, first, next - 1));
            }
        }
        return CompletableFuture.allOf(takes.toArray(CompletableFuture<?>[]::new))
                .thenCompose(taken -> shardOf(0).scanner.arm())
                .thenAccept(armed -> {
                    deliverer.start();
                    shards.values().forEach(this::start);
                });
    }

    private void start(Shard shard) {
        shard.loop.start();
        watchings.add(watch.watch(group, shard.number, shard.loop::wake));
        if (stopped) {
            stopWatching();
        }
    }

    private void stopWatching() {
        watchings.forEach(TimerWatch.Watching::close);
    }

    private Shard shardOf(int partition) {
        return Objects.requireNonNull(shards.get(group.shardOf(partition)));
    }

    @Override
    public int room() {
        int room = MAX_TIMERS_FIRING - firing.size();
        full = room <= 0;
        return full ? 0 : Math.ceilDiv(room, shards.size()); // every shard may ask at the same time
    }

    /** Called by the thread that received the answer of a claim; it must not wait for a worker. */
    @Override
    public void fire(List<Timer> timers) {
        for (Timer timer : timers) {
            Event event = event(group, timer);
            firing.put(Firing.of(event), timer);
            waiting.add(event);
        }
    }

    private void deliver() {
        try {
            List<Event> together = new ArrayList<>();
            do {
                together.clear();
                together.add(waiting.take());
                waiting.drainTo(together, DELIVERED_TOGETHER - 1);
            } while (delivery.deliver(List.copyOf(together)));
        } catch (InterruptedException e) {
            LOG.debug("event=timer_delivery_ended function={}", function);
        }
    }

    private int vbucket(Timer timer) {
        return vbucket(group, group.partitionOf(timer.id()));
    }

    /** Partitions are spread over nodes and workers as evenly as vbuckets are. */
    private static int vbucket(TimerGroup group, int partition) {
        return partition * (VBUCKETS / group.partitions());
    }

    /** Returns the event that a worker receives for a timer. */
    public static Event event(TimerGroup group, Timer timer) {
        String context = timer.context();
        return new Event(
                Event.Kind.TIMER,
                new Event.Key(
                        timer.id().callback(),
                        timer.opaque(),
                        timer.id().reference(),
                        vbucket(group, group.partitionOf(timer.id()))),
                new Event.Version(timer.version(), timer.firstDue(), 0, timer.trace()),
                new Event.Content(
                        0, 0, context == null, context == null ? new byte[0] : context.getBytes(UTF_8), null, null));
    }

    /** Takes the outcome of a callback; returns whether it failed for the last time. */
    public boolean ended(Event event, Outcome outcome) {
        Timer timer = firing.remove(Firing.of(event));
        if (timer == null) {
            return false;
        }
        Shard shard = shardOf(group.partitionOf(timer.id()));
        shard.scanner.ended(timer, outcome.ok() ? Ending.DONE : new Ending.Failed(outcome.message()));
        boolean roomAgain = full && firing.size() < MAX_TIMERS_FIRING / 2;
        if (shard.unsettled.incrementAndGet() >= WORTH_A_CALL || firing.isEmpty()) {
            shard.unsettled.set(0);
            shard.loop.wake();
        }
        if (roomAgain) {
            shards.values().forEach(each -> each.loop.wake());
        }
        return !outcome.ok() && timer.failures() + 1 >= retries.attempts();
    }

    private void failed(TimersException failure) {
        LOG.warn("event=timer_scan_failed function={} reason=\"{}\"", function, failure.getMessage());
    }

    /** Stops firing; outcomes are still stored. */
    public void stopFiring() {
        stopped = true;
        stopWatching();
        shards.values().forEach(shard -> shard.scanner.giveUp());
        deliverer.interrupt();
    }

    /** Ends the scans after storing the outcomes so far. */
    @Override
    public void close() {
        stopFiring();
        try (ExecutorService ends = Executors.newVirtualThreadPerTaskExecutor()) {
            shards.values().forEach(shard -> ends.execute(shard.loop::close));
        }
    }

    /** Returns the scan position of each partition that is fired here, by number. */
    public List<PartitionScan> partitions() {
        return shards.values().stream()
                .flatMap(shard -> shard.scanner.partitions().stream())
                .toList();
    }
}
