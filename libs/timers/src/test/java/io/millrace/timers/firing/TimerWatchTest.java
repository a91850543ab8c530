package io.millrace.timers.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.timers.NewTimer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimerStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerWatchTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final FlakyTimerStore flaky = new FlakyTimerStore();
    private final TimerStore store = flaky.store;
    private final TimerWatch watch = new TimerWatch(store, InstantSource.fixed(NOON));
    private final List<TimerWatch.Watching> watchings = new ArrayList<>();

    @AfterEach
    void close() {
        watchings.forEach(TimerWatch.Watching::close);
    }

    private AtomicInteger watched(TimerGroup group) {
        AtomicInteger woken = new AtomicInteger();
        watchings.add(watch.watch(group, 0, woken::incrementAndGet));
        return woken;
    }

    private TimerGroup opened(String function) {
        TimerGroup group = new TimerGroup("meta", 1, function, "i1", 1);
        store.open(group).join();
        return group;
    }

    private void create(TimerGroup group, Instant due) {
        TimerId id = new TimerId("callback", "reference");
        store.create(group, new NewTimer(id, due.toEpochMilli(), NewTimer.NEVER_STALE, "", null))
                .join();
    }

    @Test
    void newTimer_wakesItsFunctionAlone() {
        List<TimerGroup> groups = IntStream.range(0, TimerLimits.MAX_GROUPS_WATCHED_TOGETHER + 2)
                .mapToObj(i -> opened("f" + i))
                .toList();
        List<AtomicInteger> woken = groups.stream().map(this::watched).toList();

        create(groups.getFirst(), NOON.plus(TimerLimits.SCAN_POLL).plusMillis(1));
        create(groups.getLast(), NOON.plus(TimerLimits.SCAN_POLL));

        await().atMost(PATIENCE).until(() -> woken.getLast().get() > 1);
        assertThat(woken.subList(0, woken.size() - 1)).allMatch(times -> times.get() == 0);
    }

    @Test
    void bell_letsTheWatchLookAtOnce() {
        AtomicReference<Runnable> rung = new AtomicReference<>();
        AtomicBoolean closed = new AtomicBoolean();
        TimerWatch rare = new TimerWatch(
                store,
                InstantSource.fixed(NOON),
                (bucket, shard, ring) -> {
                    rung.set(ring);
                    return () -> closed.set(true);
                },
                Duration.ofHours(1));
        TimerGroup group = opened("f");
        AtomicInteger woken = new AtomicInteger();
        TimerWatch.Watching watching = rare.watch(group, 0, woken::incrementAndGet);
        await().atMost(PATIENCE).until(() -> rung.get() != null);
        create(group, NOON);

        rung.get().run();

        await().atMost(PATIENCE).until(() -> woken.get() > 0);
        watching.close();
        rung.get().run();
        await().atMost(PATIENCE).untilTrue(closed);
    }

    @Test
    void watchThatGetsNoAnswer_wakesAllAndGoesOn() {
        flaky.lose("due", false);
        TimerGroup group = opened("f");
        AtomicInteger woken = watched(group);
        await().atMost(PATIENCE).until(() -> woken.get() == 1);

        create(group, NOON);

        await().atMost(PATIENCE).until(() -> woken.get() > 1);
    }

    @Test
    void group_whoseWatchingHasEnded_doesNotEndThatOfOthers() {
        TimerGroup left = opened("left");
        TimerGroup stays = opened("stays");
        AtomicInteger ofLeft = watched(left);
        AtomicInteger ofStays = watched(stays);
        create(left, NOON);
        await().atMost(PATIENCE).until(() -> ofLeft.get() > 0);
        watchings.getFirst().close();

        create(stays, NOON);

        await().atMost(PATIENCE).until(() -> ofStays.get() > 0);
    }

    @Test
    void shard_inWhichNothingWasWatchedAnyMore_isWatchedAgain() {
        TimerGroup group = opened("f");
        create(group, NOON);
        AtomicInteger first = watched(group);
        await().atMost(PATIENCE).until(() -> first.get() > 0);
        watchings.getFirst().close();

        AtomicInteger second = watched(group);

        await().atMost(PATIENCE).until(() -> second.get() > 0);
    }
}
