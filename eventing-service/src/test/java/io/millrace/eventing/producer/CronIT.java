package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.timers.TimerGroups;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.testkit.RedisFixture;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.timers.TimerStore.TimerQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The scheduler of {@code examples/cron}, in one function and in two, as seed document 003 walks through it. */
@Timeout(600)
class CronIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String CONTROL = "recurring_event::1";
    private static final String RUN = "\"doCronActionB user action controlled by recurring_event::1\"";
    private static final String ONE_FUNCTION = "cron_impl_1func";
    private static final String TWO_FUNCTIONS = "cron_impl_2func_651";

    /** The functions of the example at work, over a clock that the test sets. */
    private static final class Scheduler implements AutoCloseable {

        private final List<RealWorkers> functions = new ArrayList<>();
        private final RealWorkers main;

        /** @param ownClock whether the code reads the time that {@link #clock} sets */
        Scheduler(String example, boolean ownClock) {
            String name = "cron-" + UUID.randomUUID();
            main = function(name, "node", name);
            if (ownClock) {
                clock(Instant.parse("2026-03-01T10:00:01Z"));
            }
            // before there is a worker: what a process knows of the catalog may be a second old
            query("CREATE PRIMARY INDEX ON `travel-sample`");
            main.start(code(example, ownClock).replace("travel-sample", main.target()));
            if (example.equals(TWO_FUNCTIONS)) {
                function(name, "node-help", name + "-help").start(code(example + "_help", ownClock));
            }
        }

        private RealWorkers function(String name, String node, String instance) {
            RealWorkers workers = new RealWorkers(RedisFixture.url(), name, node, instance);
            workers.sourceAlias("cron_bkt");
            workers.targetAlias("ts_bkt");
            workers.targetAlias("clock_bkt");
            functions.add(workers);
            return workers;
        }

        /** First for the code, then for the timers. */
        void clock(Instant now) {
            main.putTarget("clock", "{\"n\":" + now.toEpochMilli() + '}');
            functions.forEach(each -> each.clock(() -> now));
        }

        void control(String json) {
            main.putSource(CONTROL, json);
        }

        /** Changes fields of the control document as UPDATE ... SET does. */
        void set(String json) {
            ObjectNode changed = document();
            changed.setAll((ObjectNode) JSON.readTree(json));
            control(changed.toString());
        }

        /** Runs a statement over the target bucket in place of travel-sample. */
        void query(String statement) {
            QueryEngine engine = new QueryEngine(
                    new DocumentKeyspaces(main.documents, bucket -> true, () -> null), InstantSource.system());
            engine.execute(statement.replace("travel-sample", main.target()), QueryOptions.DEFAULT)
                    .close();
        }

        /** Returns the counts that doCronActionA keeps, with countries in order. */
        String airlines() {
            TreeMap<String, Integer> counts = new TreeMap<>();
            JSON.readTree(main.target("cron_cache::airlines_by_country"))
                    .path("data")
                    .forEachEntry((country, count) -> counts.put(country, count.asInt()));
            return JSON.writeValueAsString(counts);
        }

        /** The next timer is there before the action has written its result. */
        void awaitAirlines(String counts) {
            await().atMost(PATIENCE)
                    .ignoreException(NoSuchElementException.class)
                    .untilAsserted(() -> assertThat(airlines()).isEqualTo(counts));
        }

        ObjectNode document() {
            return (ObjectNode) JSON.readTree(main.source(CONTROL));
        }

        long count(String line) {
            return lines(line).size();
        }

        List<String> lines(String part) {
            return functions.stream()
                    .flatMap(each -> each.log.stream())
                    .filter(line -> line.contains(part))
                    .toList();
        }

        void awaitLine(String part) {
            await().atMost(PATIENCE).until(() -> count(part) > 0);
        }

        void awaitRuns(int count) {
            await().atMost(PATIENCE).until(() -> count(RUN) == count);
        }

        void awaitTimerAt(String time) {
            long due = Instant.parse(time).toEpochMilli();
            await().atMost(PATIENCE)
                    .until(() ->
                            main.timers().list(TimerGroups.group(main.spec("")), TimerQuery.first(10)).join().stream()
                                    .anyMatch(each -> each.timer().due() == due && !each.firing()));
        }

        @Override
        public void close() {
            functions.forEach(RealWorkers::close);
        }
    }

    private static String code(String example, boolean ownClock) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolve("examples/cron/" + example + ".js");
            if (Files.exists(file)) {
                try {
                    String code = Files.readString(file);
                    return ownClock ? code.replace("new Date()", "new Date(clock_bkt.clock.n)") : code;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
        throw new AssertionError("There is no example " + example);
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_FUNCTION, TWO_FUNCTIONS})
    void walkThrough_armsRunsChangesAndStopsASchedule(String example) {
        try (Scheduler cron = new Scheduler(example, true)) {
            cron.control("""
                {"type": "recurring_event", "id": 1, "hour": "*", "min": "0", "action": "doCronActionB",
                 "verbose": {"user_func": 2, "scheduler": 3}, "active": false}\
                """);
            cron.set("{\"active\": true, \"hour\": \"*4X\", \"min\": \"*4X\"}");

            cron.awaitTimerAt("2026-03-01T10:00:15Z");
            cron.awaitLine("OnUpdate A recurring_event::1 rcv mutation (initial or rearm) schedule timer at ");
            cron.awaitLine("OnUpdate B recurring_event::1 recurring timer was created, timer_id ");
            assertThat(cron.count(RUN)).isZero();

            cron.clock(Instant.parse("2026-03-01T10:00:15.250Z"));
            cron.awaitRuns(1);
            cron.awaitTimerAt("2026-03-01T10:00:30Z");
            cron.awaitLine("Callback R recurring_event::1 action took 0 sec., returned true");
            cron.awaitLine("Callback A recurring_event::1 ");
            cron.awaitLine("Callback B recurring_event::1 sched 1772359215, actual 1772359215, delay 0.25, took 0");
            cron.awaitLine("Callback C recurring_event::1 curDoc");
            cron.clock(Instant.parse("2026-03-01T10:00:30Z"));
            cron.awaitRuns(2);
            cron.awaitTimerAt("2026-03-01T10:00:45Z");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    cron.document().path("dynamic").toString())
                            .isEqualTo("{\"state\":\"rearm\",\"next_sched\":1772359245,\"prev_sched\":1772359230,"
                                    + "\"prev_time\":1772359230,\"prev_delay\":0,\"prev_atime\":0}"));

            boolean helped = example.equals(TWO_FUNCTIONS);
            await().atMost(PATIENCE).until(() -> cron.count("Callback C") == 2);
            await().atMost(PATIENCE).until(() -> cron.count("OnUpdate B") == (helped ? 3 : 1));
            await().atMost(PATIENCE).until(() -> cron.count("OnUpdate help: B") == (helped ? 2 : 0));
            quieterAndOnceAMinute(cron);
            deactivated(cron);
        }
    }

    private static void quieterAndOnceAMinute(Scheduler cron) {
        cron.set("{\"verbose\": {\"scheduler\": 0, \"user_func\": 1}, \"hour\": \"*\", \"min\": \"*\"}");
        cron.awaitTimerAt("2026-03-01T10:01:00Z");
        cron.awaitLine("OnUpdate U recurring_event::1 calculated next_sched !== doc.dynamic.next_sched, delta 15");
        int lines = cron.lines("recurring_event").size();

        cron.clock(Instant.parse("2026-03-01T10:01:00Z"));
        cron.awaitRuns(3);
        cron.awaitTimerAt("2026-03-01T10:02:00Z");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cron.lines("recurring_event"))
                        .as("one line a run")
                        .hasSize(lines + 1));
    }

    private static void deactivated(Scheduler cron) {
        cron.set("{\"active\": false}");
        await().atMost(PATIENCE).until(() -> cron.main.stats().backlog() == 0);
        cron.clock(Instant.parse("2026-03-01T10:02:00Z"));
        await().atMost(PATIENCE)
                .until(() -> cron.main
                        .timers()
                        .counts(TimerGroups.group(cron.main.spec("")))
                        .join()
                        .equals(new TimerCounts(0, 0, 0)));
        assertThat(cron.count(RUN)).isEqualTo(3);

        cron.set("{\"active\": true, \"action\": \"doCronMyNewFunction\", \"verbose\": {\"scheduler\": 1}}");
        cron.awaitLine("Warning/Disabled (no action and no re-arm), because required 'action' of "
                + "doCronMyNewFunction(doc) does not exist, id is\" \"recurring_event::1\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_FUNCTION, TWO_FUNCTIONS})
    void actionWithAQuery_keepsItsResultUpToDate(String example) {
        try (Scheduler cron = new Scheduler(example, true)) {
            cron.query("UPSERT INTO `travel-sample` (KEY, VALUE) VALUES"
                    + " (\"a1\", {\"type\": \"airline\", \"country\": \"France\", \"callsign\": \"AIRFRANS\"}),"
                    + " (\"a2\", {\"type\": \"airline\", \"country\": \"France\", \"callsign\": \"UNIFORM\"}),"
                    + " (\"a3\", {\"type\": \"airline\", \"country\": \"United Kingdom\"}),"
                    + " (\"h1\", {\"type\": \"hotel\", \"country\": \"France\"})");
            cron.control("""
                {"type": "recurring_event", "id": 1, "hour": "*", "min": "*", "action": "doCronActionA",
                 "verbose": {"user_func": 2, "scheduler": 0}, "active": true}\
                """);
            cron.awaitTimerAt("2026-03-01T10:01:00Z");

            cron.clock(Instant.parse("2026-03-01T10:01:00Z"));
            cron.awaitTimerAt("2026-03-01T10:02:00Z");
            cron.awaitAirlines("{\"France\":2,\"United Kingdom\":1}");
            cron.awaitLine("doCronActionA N1QL idx 0, country ");
            cron.awaitLine("doCronActionA upsert to KV with KEY cron_cache::airlines_by_country cachedoc ");
            cron.query("DELETE FROM `travel-sample` WHERE `type` = 'airline' AND callsign LIKE 'U%'");
            cron.clock(Instant.parse("2026-03-01T10:02:00Z"));
            cron.awaitTimerAt("2026-03-01T10:03:00Z");

            cron.awaitAirlines("{\"France\":1,\"United Kingdom\":1}");
        }
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {ONE_FUNCTION, TWO_FUNCTIONS})
    void fourMinutes_inRealTime_runFourTimesAMinute(String example) {
        try (Scheduler cron = new Scheduler(example, false)) {
            cron.control("""
                {"type": "recurring_event", "id": 1, "hour": "*4X", "min": "*4X", "action": "doCronActionB",
                 "verbose": {"user_func": 1, "scheduler": 2}, "active": true}\
                """);

            await().atMost(Duration.ofMinutes(6)).until(() -> cron.count(RUN) >= 16);

            assertThat(cron.lines("Callback B")).allSatisfy(line -> {
                double delay = Double.parseDouble(line.replaceAll(".*delay (-?[0-9.]+),.*", "$1"));
                assertThat(delay).isBetween(0.0, 15.0);
            });
        }
    }
}
