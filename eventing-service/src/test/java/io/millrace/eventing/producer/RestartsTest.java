package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.runtime.RuntimeSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RestartsTest {

    private static final RuntimeSettings SETTINGS = RuntimeSettings.DEFAULT;

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Restarts restarts = new Restarts(SETTINGS, nanos::get);

    @Test
    void function_thatBreaksAgainAndAgain_waitsLonger() {
        assertThat(restarts.next()).isEqualTo(SETTINGS.firstRestart());
        restarts.began();
        pass(SETTINGS.longestRestart().minusMillis(1));
        assertThat(restarts.next()).isEqualTo(SETTINGS.firstRestart().multipliedBy(2));
        pass(Duration.ofDays(1));
        assertThat(restarts.next()).isEqualTo(SETTINGS.firstRestart().multipliedBy(4));
    }

    @Test
    void function_thatRanForLong_isStartedAgainSoon() {
        for (int i = 0; i < 20; i++) {
            restarts.next();
        }
        assertThat(restarts.next()).isEqualTo(SETTINGS.longestRestart());
        restarts.began();
        pass(SETTINGS.longestRestart());

        assertThat(restarts.next()).isEqualTo(SETTINGS.firstRestart());
        assertThat(restarts.next()).isEqualTo(SETTINGS.firstRestart().multipliedBy(2));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
