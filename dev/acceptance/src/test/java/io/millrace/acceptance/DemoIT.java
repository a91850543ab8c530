package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void demo_repeated_startsOverAndLeavesTheDocumentsOfOthers() throws Exception {
        Api api = new Api(RunningSuite.gateway());
        for (String bucket : List.of("products", "orders", "priced")) {
            api.bucket(bucket);
            api.put("/api/v1/buckets/" + bucket + "/docs/mine", "{\"mine\": true}");
        }

        try (LauncherProcess demo = LauncherProcess.start(RunningSuite.environment(), "demo")) {
            assertThat(demo.awaitExit(180)).as(demo.output()).isZero();
        }

        for (String bucket : List.of("products", "orders", "priced")) {
            assertThat(api.get("/api/v1/buckets/" + bucket + "/docs/mine").body())
                    .contains("true");
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
