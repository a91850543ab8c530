package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handler that fails for some documents loses only these invocations, and its log names the lines. */
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
    // compiled code that is stopped may report the start of its function instead of the exact line
    @CsvSource({"loop, 1 or 4", "memory, 12 or 13", "recursion, 15 or 16", "throw, 7"})
    void aFault_onEveryTenthDocument_losesOnlyThose(String fault, String lines) {
        String source = "hostile_" + fault;
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
                        Map.of("execution_timeout", 2, "cpp_worker_thread_count", 2)));

        for (int n = 1; n <= DOCUMENTS; n++) {
            api.put(Api.document(source, "d" + n), "{\"n\":%d,\"fault\":\"%s\"}".formatted(n, fault))
                    .succeeded();
        }

        await().atMost(Api.PATIENCE).untilAsserted(() -> {
            assertThat(api.counter(source, "execution_stats", "on_update_success"))
                    .isEqualTo(27);
            assertThat(api.counter(source, "execution_stats", "on_update_failure"))
                    .isEqualTo(3);
        });
        for (int n = 1; n <= DOCUMENTS; n++) {
            assertThat(api.get(Api.document(target, "d" + n)).status())
                    .as("d%d", n)
                    .isEqualTo(n % 10 == 0 ? 404 : 200);
        }
        await().atMost(Api.PATIENCE).untilAsserted(() -> {
            String log = api.log(source);
            for (int n = 10; n <= DOCUMENTS; n += 10) {
                Matcher failure = Pattern.compile("OnUpdate of 'd" + n + "' .* at line (\\d+), column \\d+")
                        .matcher(log);
                assertThat(failure.find()).as("d%d in%n%s", n, log).isTrue();
                assertThat(lines.split(" or ")).contains(failure.group(1));
            }
        });
        api.undeploy(source);
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
