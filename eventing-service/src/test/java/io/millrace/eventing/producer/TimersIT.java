package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.testkit.RedisFixture;
import io.millrace.timers.TimerStore.TimerCounts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TimerGroups of real workers on a real Redis: created by handlers, fired by the scanner, through kills. */
@Timeout(300)
class TimersIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Writes by how many milliseconds the timer was late, plus one: nothing that is fired early is positive. */
    private static final String LATENESS = """
        function OnUpdate(doc, meta) {
          const due = Date.now() + %d;
          createTimer(fired, new Date(due), meta.id, {id: meta.id, due: due});
        }
        function fired(context) {
          const late = Date.now() - context.due;
          target[context.id] = {n: late < 0 ? 1000000 - late : late + 1};
        }
        """;

    private static final int EARLY = 1_000_000;

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "PROCESS"})
    void timers_ofEveryDocument_fireOnceAndNeverEarly(Isolation isolation) {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name()).isolation(isolation)) {
            workers.start(LATENESS.formatted(500));

            workers.write(500, 1, 1);

            await().atMost(PATIENCE).until(() -> count(workers, "timer_callback_success") == 500);
            Map<String, Integer> lateness = workers.results();
            assertThat(lateness)
                    .hasSize(500)
                    .allSatisfy((id, late) -> assertThat(late).isBetween(1, EARLY - 1));
            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(0, 0, 0)));
            // counters are told from time to time
            await().atMost(PATIENCE).until(() -> count(workers, "timer_create_counter") == 500);
        }
    }

    @Test
    void pausedWhileTimersFallDue_firesThemOnResume() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            String code = """
                function OnUpdate(doc, meta) {
                  createTimer(fired, new Date(Date.now() + 3600000), meta.id, {id: meta.id});
                }
                function fired(context) { target[context.id] = {n: 1}; }
                """;
            TimerCounts all = new TimerCounts(100, 0, 0);
            workers.start(code);
            workers.write(100, 1, 1);
            await().atMost(PATIENCE).until(() -> counts(workers).equals(all));

            workers.supervisor().stop("f").join();
            workers.clock(() -> Instant.now().plusSeconds(7200));
            assertThat(counts(workers)).isEqualTo(all);
            workers.start(code);

            await().atMost(PATIENCE).until(() -> workers.results().size() == 100);
            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(0, 0, 0)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void undeployed_leavesNoKeyBehind(int shards) throws IOException {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name(), shards)) {
            String code = LATENESS.formatted(3_600_000);
            workers.start(code);
            workers.write(50, 1, 1);
            await().atMost(PATIENCE).until(() -> counts(workers).pending() == 50);
            String keys = "mr:*:tm:" + workers.spec(code).functionId() + ":*";
            assertThat(matches("[.](\\d+)}", RedisFixture.console().call("KEYS", keys)))
                    .as("the shards that have timers")
                    .hasSize(shards);

            workers.supervisor().remove(workers.spec(code)).join();

            assertThat(RedisFixture.console().call("KEYS", keys)).isEmpty();
        }
    }

    @Test
    void undeployedAfterItsMetadataBucketWasDropped_leavesNoKeyBehind() throws IOException {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name(), 4)) {
            String code = LATENESS.formatted(3_600_000);
            workers.start(code);
            workers.write(50, 1, 1);
            await().atMost(PATIENCE).until(() -> counts(workers).pending() == 50);
            workers.supervisor().stop("f").join();
            FunctionSpec spec = workers.spec(code);
            workers.documents.catalog().dropBucket(spec.metadata().bucket()).join();

            workers.supervisor().remove(spec).join();

            assertThat(RedisFixture.console().call("KEYS", "mr:*:tm:" + spec.functionId() + ":*"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void documentTimers_whoseRecordsRedisLost_areMadeAgainFromTheDocuments(int shards) throws IOException {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name(), shards)) {
            workers.firstDesign();
            workers.start("""
                function OnUpdate(doc, meta) { docTimer(fired, meta.docid, Date.now() / 1000 + 3600, 'word'); }
                function fired(id, opaque) { target[id] = {n: opaque === 'word' ? 1 : 0}; }
                """);
            workers.write(30, 1, 1);
            await().atMost(PATIENCE).until(() -> counts(workers).pending() == 30);
            await().atMost(PATIENCE).until(() -> workers.traces().size() == 30);

            String records = "mr:*:tm:" + workers.spec("").functionId() + ":*:rec";
            for (String key : matches("(mr:\\S+:rec)", RedisFixture.console().call("KEYS", records))) {
                RedisFixture.console().call("DEL", key);
            }
            await().atMost(PATIENCE).until(() -> count(workers, "timer_restored_counter") == 30);
            assertThat(counts(workers).pending()).isEqualTo(30);
            workers.clock(() -> Instant.now().plusSeconds(7200));

            await().atMost(PATIENCE).until(() -> workers.results().size() == 30);
            assertThat(workers.results().values()).containsOnly(1);
            await().atMost(PATIENCE).until(() -> workers.traces().isEmpty());
        }
    }

    @Test
    void callbackThatFails_isCalledAgainAndThenKeptAsADeadLetter() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            workers.start("""
                function OnUpdate(doc, meta) { createTimer(fails, new Date(), meta.id, {id: meta.id}); }
                function fails(context) { throw new Error('not today, ' + context.id); }
                """);
            workers.write(1, 1, 1);

            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(0, 0, 1)));

            assertThat(count(workers, "timer_callback_failure")).isEqualTo(2);
            assertThat(workers.timers()
                            .deadLetters(TimerGroups.group(workers.spec("")), 10)
                            .join())
                    .singleElement()
                    .satisfies(letter -> {
                        assertThat(letter.error()).contains("not today, d0");
                        assertThat(letter.timer().id().reference()).isEqualTo("d0");
                    });
        }
    }

    @Test
    void callback_mayCreateItsOwnTimerAgainAndCancelOthers() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            workers.start("""
                function OnUpdate(doc, meta) {
                  createTimer(again, new Date(), 'loop', {round: 1});
                  createTimer(never, new Date(Date.now() + 3600000), 'later', null);
                }
                function again(context) {
                  target['round' + context.round] = {n: context.round};
                  if (context.round < 5) {
                    createTimer(again, new Date(), 'loop', {round: context.round + 1});
                  } else {
                    target['cancelled'] = {n: cancelTimer(never, 'later') && !cancelTimer(never, 'later') ? 1 : 0};
                  }
                }
                function never() {}
                """);
            workers.write(1, 1, 1);

            await().atMost(PATIENCE).until(() -> workers.results().size() == 6);
            assertThat(workers.results()).containsEntry("round5", 5).containsEntry("cancelled", 1);
            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(0, 0, 0)));
        }
    }

    @Test
    void timers_ofTheSameCallbackAndReference_areOneAndContextsHaveALimit() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            workers.start("""
                function OnUpdate(doc, meta) {
                  createTimer(one, new Date(Date.now() + 3600000), 'same', {n: 1});
                  createTimer(one, new Date(0), 'same', {n: 2});
                  createTimer(other, new Date(-1), 'same');
                  const made = createTimer(one, new Date(), null, {n: 3});
                  target.reference = {n: typeof made === 'string' && made.length > 10 ? 1 : 0};
                  try {
                    createTimer(one, new Date(), 'large', 'x'.repeat(1023));
                  } catch (e) {
                    log(e instanceof EventingError, e.message);
                  }
                  target.handled = {n: 1};
                }
                function one(context) { target['one' + context.n] = {n: context.n}; }
                function other(context) { target.other = {n: context === undefined ? 1 : 0}; }
                """);
            workers.write(1, 1, 1);

            Map<String, Integer> fired = Map.of("reference", 1, "handled", 1, "one2", 2, "one3", 3, "other", 1);
            await().atMost(PATIENCE).until(() -> workers.results().equals(fired));
            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(0, 0, 0)));
            await().atMost(PATIENCE)
                    .until(() -> workers.log.stream()
                            .anyMatch(line -> line.contains("true")
                                    && line.contains(
                                            "The context payload size is more than the configured size:1024 bytes")));
            await().atMost(PATIENCE).until(() -> count(workers, "timer_context_size_exceeded_counter") == 1);
        }
    }

    @Test
    void timers_whoseCallbackIsGoneAfterAPause_areCountedAndDropped() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            workers.start("""
                function OnUpdate(doc, meta) { createTimer(cb, new Date(Date.now() + 3600000), meta.id); }
                function cb() {}
                """);
            workers.write(20, 1, 1);
            await().atMost(PATIENCE).until(() -> counts(workers).pending() == 20);
            workers.supervisor().stop("f").join();

            workers.clock(() -> Instant.now().plusSeconds(7200));
            workers.start("function OnUpdate(doc, meta) {}");

            await().atMost(PATIENCE).until(() -> count(workers, "timer_callback_missing_counter") == 20);
            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(0, 0, 0)));
        }
    }

    @Test
    void schedules_areRunWhenTheirTimeComes() {
        try (RealWorkers workers = new RealWorkers(RedisFixture.url(), name())) {
            Instant began = Instant.parse("2026-03-01T10:20:00Z");
            workers.clock(() -> began);
            workers.schedules("report 30 * * * *", "report 0 0 1 1 *");
            workers.start("""
                function OnUpdate(doc, meta) {}
                function report(context, run) { target[run] = {n: context === undefined ? 1 : 0}; }
                """);
            assertThat(counts(workers).pending()).isEqualTo(2);

            workers.clock(() -> began.plusSeconds(600));
            await().atMost(PATIENCE).until(() -> workers.results().size() == 1);
            // the next run is set for after the moment at which the callback is known to have ended
            await().atMost(PATIENCE).until(() -> counts(workers).equals(new TimerCounts(2, 0, 0)));
            workers.clock(() -> began.plusSeconds(4200));
            await().atMost(PATIENCE).until(() -> workers.results().size() == 2);

            assertThat(workers.results()).isEqualTo(Map.of("2026-03-01T10:30:00Z", 1, "2026-03-01T11:30:00Z", 1));
        }
    }

    /** Returns what a group of an expression matched anywhere in a text. */
    private static Set<String> matches(String expression, String text) {
        return Pattern.compile(expression)
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toSet());
    }

    private static TimerCounts counts(RealWorkers workers) {
        return workers.timers().counts(TimerGroups.group(workers.spec(""))).join();
    }

    private static long count(RealWorkers workers, String counter) {
        RuntimeStats stats = workers.stats();
        return stats.execution().getOrDefault(counter, stats.failures().getOrDefault(counter, 0L));
    }

    private static String name() {
        return "timers-" + UUID.randomUUID();
    }
}
