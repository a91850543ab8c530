package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.launcher.suite.Service;
import io.millrace.testkit.MalformedRequests;
import io.millrace.testkit.MalformedRequests.Report;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small part of what {@code ./millrace bench malformed} sends, always the same. */
class MalformedRequestsIT {

    private static final int REQUESTS = 600;

    private static final Map<String, URI> SERVICES =
            Arrays.stream(Service.values()).collect(Collectors.toMap(Service::moduleName, RunningSuite.get()::url));

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void malformedRequests_areAnsweredInTimeAsMistakesOfTheClientWithoutNamesOfClasses(long seed) throws Exception {
        Report report = MalformedRequests.to(SERVICES, BuiltSuite.LOGIN).run(seed, REQUESTS);

        assertThat(report.problems()).isEmpty();
        assertThat(report.statuses().values().stream().mapToInt(n -> n).sum()).isEqualTo(REQUESTS);
        assertThat(report.statuses()).containsKeys(200, 400, 404);
    }

    @Test
    void requests_areMadeFromEveryOperation() throws Exception {
        assertThat(MalformedRequests.to(SERVICES, BuiltSuite.LOGIN).routes()).isGreaterThan(150);
    }
}
