package io.millrace.timers.firing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.millrace.timers.NewTimer;
import io.millrace.timers.TimerLimits;
import io.millrace.timers.TimersException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A schedule in the five fields of crontab(5): minute, hour, day of the month, month, day of the week. When both days
 * are restricted, either of them suffices. Immutable.
 *
 * <p>A local time that a change of the clocks leaves out has no run on that day; one that it repeats is run once, unless
 * the hour is {@code *}.
 */
final class CronSchedule {

    /** What becomes of runs that were due while nothing ran. */
    public enum MissedRuns {
        /** They are left out: a run is missed when it is a minute late. */
        SKIP,
        /** One run makes up for all of them. */
        ONCE,
        /** Each is run, one after the other. */
        ALL
    }

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private final String name;
    private final ExecutionTime times;
    private final ZoneId zone;
    private final Duration jitter;
    private final MissedRuns missed;

    private CronSchedule(String name, ExecutionTime times, ZoneId zone, Duration jitter, MissedRuns missed) {
        this.name = name;
        this.times = times;
        this.zone = zone;
        this.jitter = jitter;
        this.missed = missed;
    }

    /**
     * Reads a schedule.
     *
     * @param name spreads schedules with the same expression over the jitter
     * @param zone in which the fields are meant
     * @param jitter by how much a run may be later than the expression says, at most {@link TimerLimits#MAX_JITTER}; zero for none
     * @throws TimersException {@code INVALID_SCHEDULE} when the expression is wrong or never comes true
     */
    public static CronSchedule of(String name, String expression, ZoneId zone, Duration jitter, MissedRuns missed) {
        if (jitter.isNegative() || jitter.compareTo(TimerLimits.MAX_JITTER) > 0) {
            throw TimersException.invalidSchedule("The jitter of schedule '%s' must be from 0 to %d seconds"
                    .formatted(name, TimerLimits.MAX_JITTER.toSeconds()));
        }
        try {
            ExecutionTime times =
                    ExecutionTime.forCron(PARSER.parse(expression.strip()).validate());
            if (times.nextExecution(ZonedDateTime.ofInstant(Instant.EPOCH, zone))
                    .isEmpty()) {
                throw TimersException.invalidSchedule("Schedule '" + name + "' never comes true: " + expression);
            }
            return new CronSchedule(name, times, zone, jitter, missed);
        } catch (IllegalArgumentException e) {
            throw TimersException.invalidSchedule(
                    "Schedule '" + name + "' is not in the five fields of cron: " + e.getMessage());
        }
    }

    /** Returns the first run after a moment, without jitter; nothing when no run is left. */
    public Optional<Instant> after(Instant moment) {
        return times.nextExecution(moment.atZone(zone)).map(ZonedDateTime::toInstant);
    }

    /**
     * Returns the run that follows another one, which was made or left out.
     *
     * @param last the run before, without jitter
     * @param now unless every missed run is made up for, the next one is behind this moment
     */
    public Optional<Instant> next(Instant last, Instant now) {
        return after(missed == MissedRuns.ALL || last.isAfter(now) ? last : now);
    }

    /** Returns the millisecond after which a run is left out, or {@link NewTimer#NEVER_STALE}. */
    long staleAfter(Instant run) {
        return missed == MissedRuns.SKIP
                ? withJitter(run).plus(TimerLimits.MISSED_AFTER).toEpochMilli()
                : NewTimer.NEVER_STALE;
    }

    /** Returns when a run is to begin: never before it, at most the jitter after it, always the same. */
    public Instant withJitter(Instant run) {
        if (jitter.isZero()) {
            return run;
        }
        CRC32 crc = new CRC32();
        crc.update((name + ' ' + run.toEpochMilli()).getBytes(UTF_8));
        return run.plusMillis(crc.getValue() % (jitter.toMillis() + 1));
    }
}
