package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.Suite;
import io.millrace.testkit.storm.Holdings;
import io.millrace.testkit.storm.Storm;
import io.millrace.testkit.storm.StormReport;
import io.millrace.testkit.storm.StormScale;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Watchers, writers, heavy queries, clients that do not read and half-sent requests at once, and a well-behaved client. How fast
 * that one is answered is measured by {@code ./millrace bench storm}: tests run on machines that are busy with other tests.
 */
class StormIT {

    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);

    private final Suite suite = RunningSuite.get();
    private final Map<String, URI> urls =
            Arrays.stream(Service.values()).collect(Collectors.toMap(Service::moduleName, suite::url));

    private Map<String, Long> pids() {
        return Arrays.stream(Service.values()).collect(Collectors.toMap(Service::moduleName, suite::pid));
    }

    @Test
    void wellBehavedClient_isServedInAStorm_andNothingOfItIsLeft() throws Exception {
        Storm storm = Storm.on(RunningSuite.gateway(), BuiltSuite.LOGIN.authorization(), StormScale.SHORT);
        storm.prepare();
        Map<String, Long> pids = pids();
        Holdings before = Holdings.of(pids, urls, suite.clusterSecret());

        StormReport report = storm.run();

        assertThat(report.wrongStatuses()).as(report.toString()).isEmpty();
        assertThat(pids()).as("no service has ended").isEqualTo(pids);
        assertThat(before.excess(SETTLED_WITHIN)).as(report.toString()).isEmpty();
        for (URI service : urls.values()) {
            await().untilAsserted(
                            () -> assertThat(send(HttpRequest.newBuilder(service.resolve("/actuator/health/readiness")))
                                            .statusCode())
                                    .isEqualTo(200));
        }
    }

    /** Services in one process share its heap. */
    @Test
    void budgetsOfAllServices_leaveMostOfTheHeap() throws Exception {
        URI metrics = suite.url(Service.SUBDOC).resolve("/actuator/prometheus");

        long budget = sum(metrics, "millrace_bytes_limit");

        assertThat(urls.size() * budget)
                .isPositive()
                .isLessThan(sum(metrics, "jvm_memory_max_bytes{area=\"heap\"") / 2);
    }

    private static long sum(URI metrics, String metric) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(metrics).header("Authorization", BuiltSuite.LOGIN.authorization()))
                .body()
                .lines()
                .filter(line -> line.startsWith(metric))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }
}
