package io.millrace.timers.firing;

import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Change;
import io.millrace.timers.TimersException;
import io.millrace.timers.firing.CronSchedule.MissedRuns;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The schedules that a function declares. Each is one timer, which is moved to the next run when its callback has ended,
 * so that a run happens once in a cluster and at least once over crashes. Immutable.
 */
public final class Schedules {

    public static final Schedules NONE = new Schedules(Map.of());

    /** How references of timers of schedules begin. */
    static final String REFERENCE = "$schedule ";

    private static final int FIELDS = 5;

    private final Map<TimerId, CronSchedule> declared;

    private Schedules(Map<TimerId, CronSchedule> declared) {
        this.declared = declared;
    }

    /**
     * Reads schedules, each a line of words as in crontab(5) with the callback first: {@code <callback> <minute> <hour>
     * <day of the month> <month> <day of the week>}, and behind that, where wanted, {@code zone=<time zone>} (UTC),
     * {@code jitter=<seconds>} (0) and {@code missed=skip|once|all} (once).
     *
     * @throws TimersException {@code INVALID_SCHEDULE}
     */
    public static Schedules parse(List<String> lines) {
        Map<TimerId, CronSchedule> declared = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.strip().split("\\s+");
            if (words.length < 1 + FIELDS) {
                throw wrong(line, "it has a callback and five fields");
            }
            TimerId id =
                    new TimerId(words[0], REFERENCE + String.join(" ", words).substring(words[0].length() + 1));
            if (declared.put(id, schedule(line, words)) != null) {
                throw wrong(line, "it is there twice");
            }
        }
        return new Schedules(Map.copyOf(declared));
    }

    private static CronSchedule schedule(String line, String[] words) {
        ZoneId zone = ZoneId.of("UTC");
        Duration jitter = Duration.ZERO;
        MissedRuns missed = MissedRuns.ONCE;
        try {
            for (int i = 1 + FIELDS; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                String value = words[i].substring(equals + 1);
                switch (words[i].substring(0, Math.max(0, equals))) {
                    case "zone" -> zone = ZoneId.of(value);
                    case "jitter" -> jitter = Duration.ofSeconds(Long.parseLong(value));
                    case "missed" -> missed = MissedRuns.valueOf(value.toUpperCase(Locale.ROOT));
                    default -> throw wrong(line, "there is no option '" + words[i] + "'");
                }
            }
        } catch (DateTimeException | IllegalArgumentException e) {
            throw wrong(line, String.valueOf(e.getMessage()));
        }
        String fields = String.join(" ", List.of(words).subList(1, 1 + FIELDS));
        return CronSchedule.of(line, fields, zone, jitter, missed);
    }

    private static TimersException wrong(String line, String why) {
        return TimersException.invalidSchedule("Schedule '" + line + "' is wrong: " + why);
    }

    /** Creates the timers of schedules that have none. */
    CompletableFuture<Void> arm(TimerStore store, TimerGroup group, Instant now) {
        List<CompletableFuture<Change>> calls = new ArrayList<>();
        declared.forEach((id, schedule) -> schedule.after(now)
                .ifPresent(run -> calls.add(store.find(group, id)
                        .thenCompose(found -> found.isPresent()
                                ? CompletableFuture.completedFuture(Change.EXISTS)
                                : store.create(group, first(id, schedule, run))))));
        return CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new));
    }

    /** The opaque word is the run, without jitter, for the callback to see and to count on from. */
    private static NewTimer first(TimerId id, CronSchedule schedule, Instant run) {
        return new NewTimer(
                id, schedule.withJitter(run).toEpochMilli(), schedule.staleAfter(run), run.toString(), null);
    }

    /** Returns whether a timer belongs to a schedule that the function no longer declares. */
    boolean dropped(Timer timer) {
        return timer.id().reference().startsWith(REFERENCE) && !declared.containsKey(timer.id());
    }

    /** Returns a schedule's timer as it is for the next run; nothing for other timers. */
    Optional<Timer> following(Timer timer, Instant now) {
        CronSchedule schedule = declared.get(timer.id());
        if (schedule == null) {
            return Optional.empty();
        }
        return schedule.next(Instant.parse(timer.opaque()), now)
                .map(run -> timer.rescheduled(
                        schedule.withJitter(run).toEpochMilli(), schedule.staleAfter(run), run.toString()));
    }
}
