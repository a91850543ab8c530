package io.millrace.timers.firing;

import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimerStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks for timers that fall due, for all functions of a process together: one question to each shard whenever its bell rings,
 * and every {@link TimerLimits#RUNG_POLL}, because a bell may not be heard; without a bell every {@link TimerLimits#SCAN_POLL}.
 * Has a thread for each shard of a metadata bucket, as long as something there is watched. Thread-safe.
 */
public final class TimerWatch {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final TimerStore store;
    private final InstantSource clock;
    private final Bell bell;
    private final Duration poll;

    // guarded by this
    private final Map<Place, List<Watched>> watched = new HashMap<>();

    private record Place(String bucket, int shard) {}

    private record Watched(TimerGroup group, Runnable wake) {}

    /** Looks often, because nothing rings. */
    public TimerWatch(TimerStore store, InstantSource clock) {
        this(store, clock, (bucket, shard, rung) -> () -> {}, TimerLimits.SCAN_POLL);
    }

    public TimerWatch(TimerStore store, InstantSource clock, Bell bell) {
        this(store, clock, bell, TimerLimits.RUNG_POLL);
    }

    TimerWatch(TimerStore store, InstantSource clock, Bell bell, Duration poll) {
        this.store = store;
        this.clock = clock;
        this.bell = bell;
        this.poll = poll;
    }

    /** Rings when a timer may be due earlier than all others of its partition, and before the next look. */
    @FunctionalInterface
    public interface Bell {

        /** Calls {@code rung} at each ring for a shard of a metadata bucket, which must not block, until that is closed. */
        Watching listen(String metadataBucket, int shard, Runnable rung);
    }

    /** Ends the watching of one group, or the listening to a bell. */
    @FunctionalInterface
    public interface Watching extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Watches a group in a shard.
     *
     * @param wake called again and again while something is due, or will be before the next look; must not block
     */
    public Watching watch(TimerGroup group, int shard, Runnable wake) {
        Place place = new Place(group.metadataBucket(), shard);
        Watched added = new Watched(group, wake);
        synchronized (this) {
            boolean first = !watched.containsKey(place);
            watched.computeIfAbsent(place, absent -> new ArrayList<>()).add(added);
            if (first) {
                Thread.ofVirtual()
                        .name("timer-watch-" + place.bucket() + "-" + shard)
                        .start(() -> run(place));
            }
        }
        return () -> {
            synchronized (this) {
                List<Watched> all = watched.get(place);
                if (all != null) {
                    all.remove(added);
                }
            }
        };
    }

    private void run(Place place) {
        Semaphore rung = new Semaphore(0);
        try (Watching listening = bell.listen(place.bucket(), place.shard(), rung::release)) {
            for (List<Watched> all = all(place); !all.isEmpty(); all = all(place)) {
                rung.drainPermits();
                Duration pause = look(place, all);
                rest(TimerLimits.SHORTEST_LOOK);
                rung.tryAcquire(pause.minus(TimerLimits.SHORTEST_LOOK).toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns what is watched in a shard; nothing at all ends its thread. */
    private synchronized List<Watched> all(Place place) {
        List<Watched> all = List.copyOf(watched.getOrDefault(place, List.of()));
        if (all.isEmpty()) {
            watched.remove(place);
        }
        return all;
    }

    /** Looks once and returns the pause until the next time. */
    private Duration look(Place place, List<Watched> all) {
        long until = clock.millis() + poll.toMillis();
        try {
            for (int from = 0; from < all.size(); from += TimerLimits.MAX_GROUPS_WATCHED_TOGETHER) {
                List<Watched> some =
                        all.subList(from, Math.min(all.size(), from + TimerLimits.MAX_GROUPS_WATCHED_TOGETHER));
                List<TimerGroup> groups = some.stream().map(Watched::group).toList();
                List<Integer> found =
                        store.due(groups, place.shard(), until).get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                found.forEach(position -> some.get(position).wake().run());
            }
            return poll;
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            // the loops ask for themselves, and report that they cannot
            all.forEach(one -> one.wake().run());
            return AFTER_FAILURE;
        }
    }

    private static void rest(Duration duration) {
        long until = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
