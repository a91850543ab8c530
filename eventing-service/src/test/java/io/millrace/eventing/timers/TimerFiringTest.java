package io.millrace.eventing.timers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.timers.NewTimer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.timers.TimerStore.Confirmation;
import io.millrace.timers.firing.RetryPolicy;
import io.millrace.timers.firing.Schedules;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TimerFiringTest {

    private static final int TIMERS = 100;

    private final TimerGroup group = new TimerGroup("meta", 4, "f", "i1", 8);
    private final TimerStore real = new MemoryTimerStore();
    private final Set<Integer> away = ConcurrentHashMap.newKeySet();
    private final TimerStore store = (TimerStore) Proxy.newProxyInstance(
            TimerStore.class.getClassLoader(), new Class<?>[] {TimerStore.class}, (proxy, method, arguments) -> {
                if (!method.getName().equals("take")
                        && partitions(arguments).map(group::shardOf).anyMatch(away::contains)) {
                    return CompletableFuture.failedFuture(new IllegalStateException("away"));
                }
                try {
                    return method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    private final Set<String> fired = ConcurrentHashMap.newKeySet();
    private final TimerFiring firing = new TimerFiring(
            "f",
            store,
            new TimerWatch(store, InstantSource.system()),
            group,
            InstantSource.system(),
            RetryPolicy.NONE,
            Schedules.NONE,
            this::deliver,
            lag -> {});

    @AfterEach
    void close() {
        firing.close();
    }

    /** Of calls that are about partitions; one to Redis fails when it is about any that is away. */
    private static Stream<Integer> partitions(Object[] arguments) {
        return Stream.of(arguments)
                .filter(Collection.class::isInstance)
                .flatMap(all -> ((Collection<?>) all).stream())
                .map(each -> switch (each) {
                    case Integer partition -> partition;
                    case Claim claim -> claim.partition();
                    case Confirmation confirmation -> confirmation.partition();
                    case TimerGroup watched -> watched.partitions() - 1;
                    default -> throw new IllegalArgumentException(each.toString());
                });
    }

    private boolean deliver(List<Event> events) {
        for (Event event : events) {
            fired.add(event.id());
            firing.ended(event, Outcome.success(1));
        }
        return true;
    }

    @Test
    void timers_whileTheRedisOfAShardIsAway_areFiredInTheOthers() {
        store.open(group).join();
        for (int i = 0; i < TIMERS; i++) {
            TimerId id = new TimerId("callback", "r" + i);
            store.create(group, new NewTimer(id, 1, NewTimer.NEVER_STALE, "", null))
                    .join();
        }
        long ofShard1 = Stream.iterate(0, i -> i + 1)
                .limit(TIMERS)
                .filter(i -> group.shardOf(group.partitionOf(new TimerId("callback", "r" + i))) == 1)
                .count();
        assertThat(ofShard1).isPositive();
        away.add(1);

        firing.start(vbucket -> 1).join();

        await().atMost(Duration.ofMinutes(1)).until(() -> fired.size() == TIMERS - ofShard1);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> store.counts(group).join().pending() == ofShard1);
        away.clear();
        await().atMost(Duration.ofMinutes(1)).until(() -> fired.size() == TIMERS);
    }
}
