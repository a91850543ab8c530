package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.millrace.launcher.gateway.Login;
import io.millrace.testkit.ApiRoutes.Route;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a wrong answer, with a server that gives it. */
class MalformedRequestsTest {

    private static final Login LOGIN = new Login("u", "p");
    private static final String DOCUMENT = "{\"paths\":{\"/things/{id}\":{\"get\":{\"operationId\":\"getThing\","
            + "\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"schema\":{\"type\":\"string\"}}]}}}}";

    private StandInServer server;
    private volatile int status = 400;
    private volatile String body = "{}";

    @BeforeEach
    void start() throws IOException {
        server = StandInServer.start(this::answer);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean setup = path.endsWith("/v3/api-docs") || path.equals("/api/v1/buckets/" + ApiRoutes.OWN);
        StandInServer.answer(exchange, setup ? 200 : status, setup ? DOCUMENT : body);
    }

    private MalformedRequests.Report run() throws Exception {
        return MalformedRequests.to(Map.of("ui-gateway", server.uri("")), LOGIN).run(1, 40);
    }

    @ParameterizedTest
    @CsvSource({
        "500, {}, Status 500",
        "503, {}, Status 503",
        "500, '{\"code\":\"function_failed\"}', Status 500",
        "400, java.lang.IllegalStateException, Shows 'java.lang.IllegalStateException'",
        "404, '{\"timestamp\":\"2026\",\"path\":\"/x\"}', Shows",
        "415, bodyType=io.millrace.metakvservice.Body, Shows 'io.millrace.metakvservice.Body'",
    })
    void defects_areReported(int status, String body, String problem) throws Exception {
        this.status = status;
        this.body = body;

        assertThat(run().problems()).anyMatch(one -> one.startsWith(problem));
    }

    @ParameterizedTest
    @CsvSource({"400, {}", "501, {}", "503, '{\"code\":\"function_not_running\"}'"})
    void mistakesOfTheClientAndDocumentedAnswers_areRight(int status, String body) throws Exception {
        this.status = status;
        this.body = body;

        MalformedRequests.Report report = run();

        assertThat(report.problems()).noneMatch(one -> one.startsWith("Status"));
        assertThat(report.statuses()).containsKey(status);
    }

    @Test
    void seed_makesTheSameRequests() {
        ApiRoutes routes = new ApiRoutes();
        routes.addOthers();
        List<Route> all = routes.all();

        assertThat(SpoiltRequest.of(7, all, "a").bytes())
                .isEqualTo(SpoiltRequest.of(7, all, "a").bytes())
                .isNotEqualTo(SpoiltRequest.of(8, all, "a").bytes());
    }
}
