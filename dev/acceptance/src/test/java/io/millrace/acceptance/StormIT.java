package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.suite.Service;
import io.millrace.testkit.storm.Footprint;
import io.millrace.testkit.storm.Storm;
import io.millrace.testkit.storm.StormReport;
import io.millrace.testkit.storm.StormScale;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Watchers, writers, heavy queries, clients that do not read and half-sent requests at once, and a well-behaved client. */
@Tag("long")
class StormIT {

    /** The machine may be busy with other tests; a client that waits for the others to end waits longer. */
    private static final long P99_LIMIT_MILLIS = 5_000;

    private static final long HEAP_TOLERANCE_BYTES = 64L << 20;
    private static final int DESCRIPTOR_TOLERANCE = 150;

    @Test
    void wellBehavedClient_isServedInAStorm_andNothingOfItIsLeft() throws Exception {
        Storm storm = Storm.on(RunningSuite.gateway(), BuiltSuite.LOGIN.authorization(), StormScale.SHORT);
        storm.prepare();
        long pid = RunningSuite.get().pid(Service.SUBDOC);
        Footprint before = Footprint.of(pid);

        StormReport report = storm.run();

        assertThat(report.problems(P99_LIMIT_MILLIS)).as(report.toString()).isEmpty();
        assertThat(RunningSuite.get().pid(Service.SUBDOC)).isEqualTo(pid);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(heldBytes()).isZero();
            assertThat(Footprint.descriptors(pid)).isLessThan(before.descriptors() + DESCRIPTOR_TOLERANCE);
        });
        assertThat(Footprint.of(pid).heapBytes()).isLessThan(before.heapBytes() + HEAP_TOLERANCE_BYTES);
    }

    private static long heldBytes() throws IOException, InterruptedException {
        URI metrics = RunningSuite.get().url(Service.SUBDOC).resolve("/actuator/prometheus");
        try (HttpClient http = HttpClient.newHttpClient()) {
            String text = http.send(
                            HttpRequest.newBuilder(metrics)
                                    .header("Authorization", BuiltSuite.LOGIN.authorization())
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            String value = text.lines()
                    .filter(line -> line.startsWith("millrace_bytes_held"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No millrace_bytes_held in " + text));
            return (long) Double.parseDouble(
                    value.substring(value.lastIndexOf(' ') + 1).toLowerCase(Locale.ROOT));
        }
    }
}
