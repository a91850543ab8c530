package io.millrace.timers.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.timers.TimersException;
import io.millrace.timers.firing.CronSchedule.MissedRuns;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *         | 2026-01-01T12:00:00Z | 2026-01-01T12:01:00Z",
                "*/15 * * * *      | 2026-01-01T12:14:59Z | 2026-01-01T12:15:00Z",
                "32 13 * * *       | 2026-01-01T13:32:00Z | 2026-01-02T13:32:00Z",
                "0 0 29 2 *        | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 9-17/4 * * 1-5  | 2026-01-02T17:00:00Z | 2026-01-05T09:00:00Z",
                "0 0 13 * 5        | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
                "30 6 1 1,7 *      | 2026-01-01T06:30:00Z | 2026-07-01T06:30:00Z",
            })
    void after_isTheFirstMomentBehindThatFits(String expression, Instant moment, Instant next) {
        assertThat(schedule(expression, UTC, MissedRuns.SKIP).after(moment)).contains(next);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "* * * *", "60 * * * *", "* 24 * * *", "* * * * * *", "0 0 30 2 *", "a b c d e"})
    void anExpressionThatIsWrong_isRefused(String expression) {
        assertThatThrownBy(() -> schedule(expression, UTC, MissedRuns.SKIP))
                .isInstanceOfSatisfying(
                        TimersException.class,
                        e -> assertThat(e.code()).isEqualTo(TimersException.Code.INVALID_SCHEDULE))
                .hasMessageContaining("'nightly'");
    }

    @Test
    void fields_areReadInTheZone() {
        CronSchedule nightly = schedule("0 3 * * *", BERLIN, MissedRuns.SKIP);

        assertThat(nightly.after(Instant.parse("2026-01-01T00:00:00Z")))
                .contains(Instant.parse("2026-01-01T02:00:00Z"));
        assertThat(nightly.after(Instant.parse("2026-07-01T00:00:00Z")))
                .contains(Instant.parse("2026-07-01T01:00:00Z"));
    }

    @Test
    void aLocalTimeThatIsLeftOut_hasNoRun() {
        // on 2026-03-29 clocks in Berlin go from 02:00 to 03:00, which is 01:00 UTC
        CronSchedule nightly = schedule("30 2 * * *", BERLIN, MissedRuns.SKIP);

        List<Instant> runs = runs(nightly, Instant.parse("2026-03-28T12:00:00Z"), 2);

        assertThat(runs).containsExactly(Instant.parse("2026-03-30T00:30:00Z"), Instant.parse("2026-03-31T00:30:00Z"));
    }

    @Test
    void aLocalTimeThatIsRepeated_isRunOnce() {
        // on 2026-10-25 clocks in Berlin go from 03:00 back to 02:00, which is 01:00 UTC
        CronSchedule nightly = schedule("30 2 * * *", BERLIN, MissedRuns.SKIP);

        List<Instant> runs = runs(nightly, Instant.parse("2026-10-24T12:00:00Z"), 2);

        assertThat(runs).containsExactly(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "SKIP, 2026-01-01T13:00:00Z",
        "ONCE, 2026-01-01T13:00:00Z",
        "ALL,  2026-01-01T12:15:00Z",
    })
    void runsThatWereMissed_areTreatedAsAskedFor(MissedRuns missed, Instant next) {
        CronSchedule quarters = schedule("*/15 * * * *", UTC, missed);

        assertThat(quarters.next(Instant.parse("2026-01-01T12:00:00Z"), Instant.parse("2026-01-01T12:50:00Z")))
                .contains(next);
    }

    @ParameterizedTest
    @CsvSource({"SKIP", "ONCE", "ALL"})
    void nothingMissed_isTheNextRun(MissedRuns missed) {
        CronSchedule quarters = schedule("*/15 * * * *", UTC, missed);

        assertThat(quarters.next(Instant.parse("2026-01-01T12:00:00Z"), Instant.parse("2026-01-01T12:00:03Z")))
                .contains(Instant.parse("2026-01-01T12:15:00Z"));
    }

    @Test
    void jitter_isWithinItsBoundsAlwaysTheSameAndSpreads() {
        Instant run = Instant.parse("2026-01-01T12:00:00Z");
        List<Instant> begins = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            CronSchedule schedule = CronSchedule.of("s" + i, "* * * * *", UTC, Duration.ofSeconds(10), MissedRuns.SKIP);
            assertThat(schedule.withJitter(run)).isEqualTo(schedule.withJitter(run));
            begins.add(schedule.withJitter(run));
        }

        assertThat(begins).allSatisfy(begin -> assertThat(begin).isBetween(run, run.plusSeconds(10)));
        assertThat(begins.stream().distinct().count()).isGreaterThan(90);
        assertThat(schedule("* * * * *", UTC, MissedRuns.SKIP).withJitter(run)).isEqualTo(run);
    }

    @Test
    void everyMinute_inTheHourThatIsRepeated_goesOn() {
        CronSchedule minutely = schedule("* * * * *", BERLIN, MissedRuns.SKIP);

        List<Instant> runs = runs(minutely, Instant.parse("2026-10-25T00:00:00Z"), 180);

        assertThat(runs.getLast()).isEqualTo(Instant.parse("2026-10-25T03:00:00Z"));
    }

    private static List<Instant> runs(CronSchedule schedule, Instant from, int count) {
        List<Instant> runs = new ArrayList<>();
        Instant last = from;
        for (int i = 0; i < count; i++) {
            last = schedule.after(last).orElseThrow();
            runs.add(last);
        }
        return runs;
    }

    private static CronSchedule schedule(String expression, ZoneId zone, MissedRuns missed) {
        return CronSchedule.of("nightly", expression, zone, Duration.ZERO, missed);
    }
}
