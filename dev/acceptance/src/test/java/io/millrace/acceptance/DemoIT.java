package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoIT {

    @Test
    void demo_onARunningSuite_showsTheFunctionsResults() throws Exception {
        try (LauncherProcess demo = LauncherProcess.start(RunningSuite.environment(), "demo")) {
            int exit = demo.awaitExit(180);

            assertThat(demo.output())
                    .contains("\"total\":863.9")
                    .contains("\"order-1005\" \"names a product that does not exist:\" \"p-99\"")
                    .contains("\"order-1003\" \"is gone\"")
                    .contains("/api/v1/stats/price_orders");
            assertThat(exit).isZero();
        }
    }

    @Test
    void demo_repeated_startsOver() throws Exception {
        try (LauncherProcess demo = LauncherProcess.start(RunningSuite.environment(), "demo")) {
            assertThat(demo.awaitExit(180)).as(demo.output()).isZero();
        }
    }

    @Test
    void load_ofAFileWithAMalformedLine_loadsTheOthersAndNamesIt() throws Exception {
        Path file = Files.writeString(RunningSuite.scratch("load").resolve("lines.jsonl"), """
                {"id":"a","value":{"n":1}}
                {"id":"b","value":}
                {"id":"c","value":3.10}
                """);
        try (LauncherProcess load =
                LauncherProcess.start(RunningSuite.environment(), "load", file.toString(), "loaded")) {
            int exit = load.awaitExit(60);

            assertThat(load.output())
                    .contains("created the bucket loaded", "2 documents in loaded, 1 refused", "line 2");
            assertThat(exit).isEqualTo(1);
        }
    }
}
