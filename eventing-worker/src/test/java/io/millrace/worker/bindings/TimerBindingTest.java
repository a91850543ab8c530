package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisException;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.TimerCall;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.timers.redis.RedisTimerStore;
import io.millrace.worker.Samples;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.TimerSettings;
import io.millrace.workerprotocol.WorkerSetup;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TimerBindingTest {

    private static final TimerSettings SETTINGS = new TimerSettings("meta", 4, "17", 16, 1024, 1, 50, "", List.of());
    private static final TimerGroup GROUP = new TimerGroup("meta", 4, "17", "instance1", 16);
    private static final TimerCall LATER = new TimerCall("cb", 5000, "r", "{}", TimerCall.NEVER, "");

    private final Counters counters = new Counters();
    private final TimerStore store = new MemoryTimerStore();

    @Test
    void create_storesTheTimerWhereTheSettingsSay() throws HostFailure {
        store.open(GROUP).join();

        assertThat(binding(SETTINGS, store).create(LATER, "", patient())).isEqualTo("r");

        assertThat(store.find(GROUP, new TimerId("cb", "r")).join()).isPresent();
        assertThat(counters.takeDeltas()).containsEntry(Counters.TIMERS_CREATED, 1L);
    }

    @Test
    void cancel_saysWhetherThereWasOne() throws HostFailure {
        store.open(GROUP).join();
        TimerBinding timers = binding(SETTINGS, store);
        timers.create(LATER, "", patient());

        assertThat(timers.cancel("cb", "r", patient())).isTrue();
        assertThat(timers.cancel("cb", "r", patient())).isFalse();
    }

    @Test
    void storeThatFails_isAKvError() {
        TimerBinding timers = binding(SETTINGS, answering(CompletableFuture.failedFuture(new IOException("away"))));

        fails(() -> timers.create(LATER, "", patient()), HostFailure.Kind.KV_ERROR, "away");
        fails(() -> timers.cancel("cb", "r", patient()), HostFailure.Kind.KV_ERROR, "away");

        assertThat(counters.takeDeltas()).containsEntry(Counters.TIMERS_NOT_CREATED, 1L);
    }

    @Test
    void storeThatIsAwayForAMoment_isAskedAgain() throws HostFailure {
        store.open(GROUP).join();
        TimerStore away = new RedisTimerStore(() -> CompletableFuture.failedFuture(new RedisException("TRYAGAIN")));
        AtomicInteger calls = new AtomicInteger();
        TimerStore flaky = (TimerStore) Proxy.newProxyInstance(
                TimerStore.class.getClassLoader(),
                new Class<?>[] {TimerStore.class},
                (proxy, method, arguments) -> method.invoke(calls.getAndIncrement() < 2 ? away : store, arguments));

        assertThat(binding(SETTINGS, flaky).create(LATER, "", patient())).isEqualTo("r");

        assertThat(calls).hasValue(3);
        assertThat(store.find(GROUP, new TimerId("cb", "r")).join()).isPresent();
    }

    @Test
    void storeThatDoesNotAnswerInTime_isAKvError() {
        TimerBinding timers = binding(SETTINGS, answering(new CompletableFuture<>()));

        fails(() -> timers.create(LATER, "", impatient()), HostFailure.Kind.KV_ERROR, "did not answer in time");
        fails(() -> timers.cancel("cb", "r", impatient()), HostFailure.Kind.KV_ERROR, "did not answer in time");
    }

    @Test
    void create_whenItCannotBe_isAnEventingError() {
        fails(
                () -> binding(SETTINGS, store).create(LATER, "", patient()),
                HostFailure.Kind.EVENTING_ERROR,
                "The function is being undeployed");
        fails(
                () -> binding(TimerSettings.NONE, store).create(LATER, "", patient()),
                HostFailure.Kind.EVENTING_ERROR,
                "no metadata bucket");
        TimerCall large = new TimerCall("cb", 5000, "r", "x".repeat(1025), TimerCall.NEVER, "");
        fails(
                () -> binding(SETTINGS, store).create(large, "", patient()),
                HostFailure.Kind.EVENTING_ERROR,
                "The context payload size is more than the configured size:1024 bytes");
        assertThat(counters.takeDeltas())
                .containsEntry(Counters.TIMERS_NOT_CREATED, 3L)
                .containsEntry(Counters.TIMER_CONTEXTS_TOO_LARGE, 1L);
    }

    private static void fails(ThrowingCallable call, HostFailure.Kind kind, String why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        HostFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(why);
    }

    private TimerBinding binding(TimerSettings settings, TimerStore timers) {
        WorkerSetup plain = Samples.setup(1);
        WorkerSetup setup = new WorkerSetup(
                plain.function(),
                plain.instance(),
                plain.source(),
                plain.limits(),
                plain.logLevel(),
                plain.sourceBucket(),
                plain.redisUri(),
                plain.aliases(),
                HandlerSettings.STANDARD.withTimers(settings));
        return new TimerBinding(setup, new StoreQueue(new FaultyStore(), timers, Runnable::run), counters);
    }

    /** A store that gives the same answer to every call. */
    private static TimerStore answering(CompletableFuture<?> answer) {
        return (TimerStore) Proxy.newProxyInstance(
                TimerBindingTest.class.getClassLoader(),
                new Class<?>[] {TimerStore.class},
                (proxy, method, arguments) -> answer);
    }

    private static Invocation patient() {
        return new Invocation(
                Samples.event("e", 1, 0),
                System.nanoTime() + Duration.ofMinutes(5).toNanos());
    }

    private static Invocation impatient() {
        return new Invocation(Samples.event("e", 1, 0), System.nanoTime());
    }
}
