package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RestartsTest {

    private static final RuntimeSettings SETTINGS = RuntimeSettings.DEFAULT;

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Restarts restarts = new Restarts(SETTINGS, nanos::get);

    @Test
    void function_thatBreaksRepeatedly_waitsLonger() {
        assertAbout(restarts.next(), SETTINGS.firstRestart());
        restarts.began();
        pass(SETTINGS.longestRestart().minusMillis(1));
        assertAbout(restarts.next(), SETTINGS.firstRestart().multipliedBy(2));
        pass(Duration.ofDays(1));
        assertAbout(restarts.next(), SETTINGS.firstRestart().multipliedBy(4));
    }

    @Test
    void function_thatRanForLong_isRestartedSoon() {
        for (int i = 0; i < 20; i++) {
            restarts.next();
        }
        assertThat(restarts.next()).isBetween(SETTINGS.longestRestart().dividedBy(4), SETTINGS.longestRestart());
        restarts.began();
        pass(SETTINGS.longestRestart());

        assertAbout(restarts.next(), SETTINGS.firstRestart());
        assertAbout(restarts.next(), SETTINGS.firstRestart().multipliedBy(2));
    }

    /** A wait is spread by half. */
    private static void assertAbout(Duration wait, Duration expected) {
        assertThat(wait)
                .isBetween(expected.dividedBy(2), expected.multipliedBy(3).dividedBy(2));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
