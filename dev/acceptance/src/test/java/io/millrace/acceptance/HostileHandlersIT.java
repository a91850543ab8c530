package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A handler that fails for some documents loses only these invocations, and its log names the lines, whether it has a process of its
 * own or not.
 */
class HostileHandlersIT {

    private static final int DOCUMENTS = 30;

    /** Line 4 fails; every tenth document triggers it. */
    private static final String CODE = """
            function OnUpdate(doc, meta) {
              if (doc.n %% 10 === 0) {
                switch (doc.fault) {
                  case 'loop': for (;;) {}
                  case 'memory': remember([]); break;
                  case 'recursion': recurse(1); break;
                  case 'throw': throw new Error('not this one');
                }
              }
              %s[meta.id] = doc;
            }
            function remember(all) {
              for (;;) { all.push(new Array(10000).fill('x' + all.length)); }
            }
            function recurse(n) {
              return recurse(n + 1) + 1;
            }
            """;

    /** The faults and the lines of the code at which the log may place them: of compiled code it may be the start of the function. */
    private static final Map<String, List<Integer>> LINES = new TreeMap<>(Map.of(
            "loop", List.of(1, 4), "memory", List.of(12, 13), "recursion", List.of(15, 16), "throw", List.of(7)));

    private final Api api = new Api(RunningSuite.gateway());

    @BeforeEach
    void buckets() {
        api.bucket("eventing");
    }

    @AfterEach
    void close() {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void faults_onEveryTenthDocument_loseOnlyThose(String isolation) {
        String source = "hostile_" + isolation;
        String target = source + "_kept";
        api.bucket(source);
        api.bucket(target);
        api.deploy(
                source,
                Definitions.function(
                        source,
                        CODE.formatted(target),
                        source,
                        "eventing",
                        target,
                        Map.of("execution_timeout", 2, "cpp_worker_thread_count", 2, "isolation", isolation)));

        int faults = 0;
        for (String fault : LINES.keySet()) {
            write(source, fault);
            faults++;
            awaitCounters(source, faults);
            assertKept(target, fault);
        }

        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> LINES.forEach((fault, lines) -> {
                    String log = api.log(source);
                    for (int n = 10; n <= DOCUMENTS; n += 10) {
                        assertThat(lines).as(log).contains(lineOfFailure(fault + n, log));
                    }
                }));
        api.undeploy(source);
    }

    private void write(String source, String fault) {
        for (int n = 1; n <= DOCUMENTS; n++) {
            api.put(Api.document(source, fault + n), "{\"n\":%d,\"fault\":\"%s\"}".formatted(n, fault))
                    .succeeded();
        }
    }

    private void awaitCounters(String function, int faults) {
        await().atMost(Api.PATIENCE).untilAsserted(() -> {
            assertThat(api.counter(function, "execution_stats", "on_update_success"))
                    .isEqualTo(27 * faults);
            assertThat(api.counter(function, "execution_stats", "on_update_failure"))
                    .isEqualTo(3 * faults);
        });
    }

    private void assertKept(String target, String fault) {
        for (int n = 1; n <= DOCUMENTS; n++) {
            assertThat(api.get(Api.document(target, fault + n)).status())
                    .as("%s%d", fault, n)
                    .isEqualTo(n % 10 == 0 ? 404 : 200);
        }
    }

    private static int lineOfFailure(String id, String log) {
        Matcher failure = Pattern.compile("OnUpdate of '" + id + "' .* at line (\\d+), column \\d+")
                .matcher(log);
        assertThat(failure.find()).as("%s in%n%s", id, log).isTrue();
        return Integer.parseInt(failure.group(1));
    }

    @Test
    void timeout_isCountedAsATimeout() {
        api.bucket("late");
        api.bucket("late_kept");
        api.deploy(
                "late",
                Definitions.function(
                        "late",
                        CODE.formatted("late_kept"),
                        "late",
                        "eventing",
                        "late_kept",
                        Map.of("execution_timeout", 1)));

        api.put(Api.document("late", "d"), "{\"n\":0,\"fault\":\"loop\"}").succeeded();

        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(api.counter("late", "failure_stats", "timeout_count"))
                        .isEqualTo(1));
        api.undeploy("late");
    }
}
