package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the console promises in seconds. Every run measures it and writes it to its log. A machine that does ten other things is
 * slower, so a run fails when a goal is missed tenfold; with {@code -Dmillrace.goals=strict}, on a machine that does nothing
 * else, when it is missed at all.
 */
final class Goal {

    static final boolean STRICT = "strict".equals(System.getProperty("millrace.goals"));

    private static final Logger LOG = LoggerFactory.getLogger(Goal.class);
    private static final int LENIENCY = STRICT ? 1 : 10;

    private Goal() {}

    /** Checks that something took at most this long. @param began by {@link System#nanoTime} */
    static void within(Duration goal, String what, long began) {
        reached(goal, what, Duration.ofNanos(System.nanoTime() - began));
    }

    static void reached(Duration goal, String what, Duration took) {
        LOG.info("event=goal what={} took_ms={} goal_ms={}", what, took.toMillis(), goal.toMillis());
        assertThat(took).as(what).isLessThanOrEqualTo(goal.multipliedBy(LENIENCY));
    }

    /** Checks that something happened at least so often in a second. */
    static void perSecond(int goal, String what, double rate) {
        LOG.info("event=goal what={} per_second={} goal_per_second={}", what, Math.round(rate), goal);
        assertThat(rate).as(what).isGreaterThanOrEqualTo((double) goal / LENIENCY);
    }
}
