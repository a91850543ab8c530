package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.timers.FunctionTimers;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

class TimersWebTest extends WebTest {

    private static final String TIMERS = "/api/v1/functions/f/timers";
    private static final long FAR = 4_102_444_800_000L;

    @Autowired
    TimerStore store;

    @Autowired
    FunctionTimers functions;

    private TimerGroup group;

    @BeforeEach
    void createFunction() {
        create("f");
        group = functions.group(FunctionName.of("f")).join();
        store.drop(group).join();
        store.open(group).join();
    }

    private void timers(int count) {
        for (int i = 0; i < count; i++) {
            NewTimer timer =
                    new NewTimer(new TimerId("cb", "r" + i), FAR + i, NewTimer.NEVER_STALE, "", "{\"i\":" + i + "}");
            store.create(group, timer).join();
        }
    }

    @Test
    void list_pageByPage_showsTimersInOrder() {
        timers(5);

        JsonNode page = get(TIMERS + "?limit=3").ok().json();

        assertThat(page.get("timers")).hasSize(3);
        assertThat(page.at("/timers/0/reference").asString()).isEqualTo("r0");
        assertThat(page.at("/timers/0/due").asString()).isEqualTo("2100-01-01T00:00:00Z");
        assertThat(page.at("/timers/0/context").asString()).isEqualTo("{\"i\":0}");
        JsonNode rest = get(TIMERS + "?limit=3&after=" + page.get("next").asString())
                .ok()
                .json();
        assertThat(rest.get("timers")).hasSize(2);
        assertThat(rest.has("next")).isFalse();
    }

    @Test
    void list_showsContextsToThoseWhoMayReadTheMetadata() {
        timers(1);

        String manager = "eventing_manage_functions[*:*],data_reader[meta]";
        assertThat(getWithRoles(manager, TIMERS).json().at("/timers/0/context").asString())
                .isEqualTo("{\"i\":0}");
        JsonNode shown = getWithRoles("ro_admin", TIMERS).json().at("/timers/0");
        assertThat(shown.get("reference").asString()).isEqualTo("r0");
        assertThat(shown.has("context")).isFalse();
    }

    @Test
    void list_withFilters_showsWhatMatches() {
        timers(12);

        assertThat(get(TIMERS + "?reference=r1").json().get("timers")).hasSize(3);
        assertThat(get(TIMERS + "?document=r1").json().get("timers")).hasSize(1);
        assertThat(get(TIMERS + "?callback=other").json().get("timers")).isEmpty();
        assertThat(get(TIMERS + "?from=2100-01-01T00:00:00.010Z").json().get("timers"))
                .hasSize(2);
        get(TIMERS + "?from=soon").problem(400, "invalid_request");
        get("/api/v1/functions/none/timers").problem(404, "function_not_found");
    }

    @Test
    void density_countsTheTimersOfEachPeriod() {
        timers(12);

        JsonNode density = get(TIMERS + "/density?periods=3&from=" + FAR + "&to=" + (FAR + 15))
                .ok()
                .json();

        assertThat(density.path("from").asString()).isEqualTo("2100-01-01T00:00:00Z");
        assertThat(density.path("period_ms").asInt()).isEqualTo(5);
        assertThat(density.path("timers").toString()).isEqualTo("[5,5,2]");
        assertThat(get(TIMERS + "/density").ok().json().path("timers")).hasSize(96);
        for (String wrong : List.of("periods=0", "periods=1001", "from=2&to=1", "from=5&to=5&periods=1", "to=soon")) {
            get(TIMERS + "/density?" + wrong).problem(400, "invalid_request");
        }
    }

    @Test
    void moveFireAndCancel_changeTheTimer() {
        timers(2);

        post(TIMERS + "/move", "{\"callback\":\"cb\",\"reference\":\"r0\",\"due\":\"2101-01-01T00:00:00Z\"}")
                .ok();
        assertThat(find("r0").due()).isGreaterThan(FAR + 1);
        post(TIMERS + "/fire", "{\"callback\":\"cb\",\"reference\":\"r0\"}").ok();
        assertThat(find("r0").due()).isLessThanOrEqualTo(System.currentTimeMillis());
        post(TIMERS + "/cancel", "{\"callback\":\"cb\",\"reference\":\"r1\"}").ok();

        assertThat(get(TIMERS).json().get("timers")).hasSize(1);
        post(TIMERS + "/cancel", "{\"callback\":\"cb\",\"reference\":\"r1\"}").problem(404, "timer_not_found");
        post(TIMERS + "/fire", "{\"callback\":\"cb\"}").problem(400, "invalid_request");
        post(TIMERS + "/fire", "no").problem(400, "invalid_json");
    }

    @Test
    void status_countsTimersAndNamesPartitionsThatStopped() {
        timers(3);
        store.move(group, new TimerId("cb", "r1"), 5).join();

        JsonNode status = get(TIMERS + "/status").ok().json();

        assertThat(status.get("pending").asInt()).isEqualTo(3);
        assertThat(status.get("next_due").asString()).isEqualTo("1970-01-01T00:00:00.005Z");
        assertThat(status.get("stopped_partitions")).hasSize(1);
        assertThat(status.get("alarm").asBoolean())
                .as("nothing is fired, the function is not deployed")
                .isFalse();
    }

    @Test
    void status_ofADeployedFunctionWithATimerThatIsOverdue_isAnAlarm() {
        deploy("f");
        group = functions.group(FunctionName.of("f")).join();
        store.open(group).join();
        timers(1);
        store.move(group, new TimerId("cb", "r0"), 5).join();

        assertThat(get(TIMERS + "/status").ok().json().get("alarm").asBoolean()).isTrue();
        JsonNode scan = get(TIMERS + "/scan").ok().json();
        assertThat(scan.at("/partitions/0/position").asString()).isEqualTo("1970-01-01T00:00:01Z");
        assertThat(scan.at("/partitions/0/firing").asInt()).isEqualTo(2);
    }

    private Timer find(String reference) {
        return store.find(group, new TimerId("cb", reference))
                .join()
                .orElseThrow()
                .timer();
    }
}
