package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PulseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Pulse pulse = new Pulse(Duration.ofMillis(1), Duration.ofMillis(1), () -> "");

    @Test
    void look_thatFails_doesNotKeepOthersFromBeingLookedAt() {
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger looked = new AtomicInteger();
        Pulse.Look failing = () -> {
            failed.incrementAndGet();
            throw new IllegalStateException("a defect");
        };
        Pulse.Look sound = counting(looked);

        pulse.begin(failing);
        pulse.begin(sound);

        await().atMost(PATIENCE).until(() -> failed.get() > 1 && looked.get() > 1);
        pulse.end(failing);
        pulse.end(sound);
    }

    @Test
    void lookThatHasEnded_isCalledOnceMoreAtMost() {
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger going = new AtomicInteger();
        Pulse.Look ending = counting(ended);
        Pulse.Look staying = counting(going);
        pulse.begin(ending);
        pulse.begin(staying);
        await().atMost(PATIENCE).until(() -> ended.get() > 0);

        pulse.end(ending);

        int then = ended.get();
        int before = going.get();
        await().atMost(PATIENCE).until(() -> going.get() > before + 5);
        assertThat(ended.get()).isLessThanOrEqualTo(then + 1);
        pulse.end(staying);
    }

    @Test
    void pulseOfAnInterval_isShared() {
        Duration interval = Duration.ofMillis(7);

        assertThat(Pulse.every(interval, PATIENCE))
                .isSameAs(Pulse.every(interval, PATIENCE))
                .isNotSameAs(Pulse.every(PATIENCE, PATIENCE));
    }

    @Test
    void pulseWithoutLooks_beginsAgain() {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        Pulse.Look before = counting(first);
        Pulse.Look after = counting(second);
        pulse.begin(before);
        await().atMost(PATIENCE).until(() -> first.get() > 0);
        pulse.end(before);

        pulse.begin(after);

        await().atMost(PATIENCE).until(() -> second.get() > 1);
        pulse.end(after);
    }

    @Test
    void lookThatRests_isCalledAsOftenAsARestAllows() {
        Pulse slow = new Pulse(Duration.ofMillis(1), Duration.ofMillis(10), () -> "");
        AtomicInteger resting = new AtomicInteger();
        AtomicInteger busy = new AtomicInteger();
        Pulse.Look rests = () -> resting.incrementAndGet() > 0;
        Pulse.Look works = counting(busy);

        slow.begin(rests);
        slow.begin(works);

        await().atMost(PATIENCE).until(() -> resting.get() > 0 && busy.get() > 0);
        int restingBefore = resting.get(); // the first of them may have begun some turns earlier
        int busyBefore = busy.get();
        await().atMost(PATIENCE).until(() -> busy.get() > busyBefore + 100);
        slow.end(rests);
        slow.end(works);
        // the other counter goes on while one is read
        assertThat(resting.get() - restingBefore).isBetween(9, (busy.get() - busyBefore) / 10 + 2);
    }

    @Test
    void anotherSharedState_endsAllRestsAtOnce() {
        AtomicReference<String> shared = new AtomicReference<>("before");
        Pulse sleeping = new Pulse(Duration.ofMillis(1), PATIENCE.multipliedBy(10), shared::get);
        AtomicInteger looked = new AtomicInteger();
        Pulse.Look rests = () -> looked.incrementAndGet() > 0;
        sleeping.begin(rests);
        await().atMost(PATIENCE).until(() -> looked.get() == 1);

        shared.set("after");

        await().atMost(PATIENCE).until(() -> looked.get() == 2);
        sleeping.end(rests);
    }

    private static Pulse.Look counting(AtomicInteger counter) {
        return () -> {
            counter.incrementAndGet();
            return false;
        };
    }
}
