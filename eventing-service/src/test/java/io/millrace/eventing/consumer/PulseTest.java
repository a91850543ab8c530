package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PulseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Pulse pulse = new Pulse(Duration.ofMillis(1));

    @Test
    void look_thatFails_doesNotKeepOthersFromBeingLookedAt() {
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger looked = new AtomicInteger();
        Runnable failing = () -> {
            failed.incrementAndGet();
            throw new IllegalStateException("a defect");
        };
        Runnable sound = looked::incrementAndGet;

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
        Runnable ending = ended::incrementAndGet;
        Runnable staying = going::incrementAndGet;
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

        assertThat(Pulse.every(interval)).isSameAs(Pulse.every(interval)).isNotSameAs(Pulse.every(PATIENCE));
    }

    @Test
    void pulseWithoutLooks_beginsAgain() {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        Runnable before = first::incrementAndGet;
        Runnable after = second::incrementAndGet;
        pulse.begin(before);
        await().atMost(PATIENCE).until(() -> first.get() > 0);
        pulse.end(before);

        pulse.begin(after);

        await().atMost(PATIENCE).until(() -> second.get() > 1);
        pulse.end(after);
    }
}
