package io.millrace.eventing.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMillis(1000);

    @Test
    void waits_doubleWithinTheSpread() {
        for (int run = 0; run < 100; run++) {
            Backoff backoff = new Backoff(FIRST, LONGEST);
            for (long expected : List.of(100, 200, 400, 800)) {
                assertThat(backoff.next().toMillis()).isBetween(expected / 2, Math.min(1000, expected * 3 / 2));
            }
        }
    }

    @Test
    void waitsAtTheLimit_areSpreadAndNeverLonger() {
        Backoff backoff = new Backoff(FIRST, LONGEST);
        Stream.generate(backoff::next).limit(100).forEach(wait -> {});

        Set<Duration> waits = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Duration wait = backoff.next();
            assertThat(wait).isBetween(LONGEST.multipliedBy(4).dividedBy(10), LONGEST);
            waits.add(wait);
        }
        assertThat(waits).hasSizeGreaterThan(10);
    }

    @Test
    void success_startsFromTheFirstWaitAgain() {
        Backoff backoff = new Backoff(FIRST, LONGEST);
        Stream.generate(backoff::next).limit(10).forEach(wait -> {});

        backoff.reset();

        assertThat(backoff.next())
                .isBetween(FIRST.dividedBy(2), FIRST.multipliedBy(3).dividedBy(2));
    }

    @Test
    void limitBelowTheFirstWait_holds() {
        assertThat(new Backoff(LONGEST, FIRST).next()).isEqualTo(FIRST);
    }
}
