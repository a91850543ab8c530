package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.millrace.access.Subject;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** Which requests for functions are answered in front of the filters, and that they lack nothing by that. */
class RequestsInFrontWebTest extends WebTest {

    private static final String URI = "/fn/{name}/{*path}";

    @Autowired
    private FilteredPaths filtered;

    @Autowired
    private ClusterIdentity identity;

    @Autowired
    private MeterRegistry meters;

    @Autowired
    private ByteBudget budget;

    @BeforeEach
    void createFunction() {
        create("f");
        HttpBody fine = new HttpBody(HttpBody.Kind.TEXT, "fine".getBytes(StandardCharsets.UTF_8));
        runtime.onRequest(request -> CompletableFuture.completedFuture(
                new RequestResult.Answered(Outcome.success(10), new HttpResponse(200, List.of(), fine))));
    }

    private EntityExchangeResult<String> call(HttpMethod method, String path, Consumer<HttpHeaders> headers) {
        return http.method(method)
                .uri(path)
                .headers(headers)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private void withoutRoles(HttpHeaders headers) {
        identity.headersFor(Subject.user("bob", Subject.Domain.LOCAL, List.of()))
                .forEach(headers::set);
    }

    private Collection<Timer> timers(String status) {
        return meters.find("http.server.requests")
                .tags("uri", URI, "status", status)
                .timers();
    }

    private long count(String status) {
        return timers(status).stream().mapToLong(Timer::count).sum();
    }

    private static Set<String> labels(Timer timer) {
        return timer.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet());
    }

    @Test
    void callOfAFunction_needsNoFilter_andHasTheHeadersOfTheGuard() {
        var answer = call(HttpMethod.POST, "/fn/f/in-front", headers -> {});

        assertThat(answer.getResponseBody()).isEqualTo("fine");
        assertThat(answer.getResponseHeaders().getFirst("X-Content-Type-Options"))
                .isEqualTo("nosniff");
        assertThat(answer.getResponseHeaders().getFirst("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.getResponseHeaders().containsHeader(Answers.STATUS_HEADER))
                .isFalse();
        assertThat(filtered.contains("/fn/f/in-front")).isFalse();
    }

    @Test
    void whoMayNotCall_isRefusedByTheFilters() {
        var refused = call(HttpMethod.GET, "/fn/f/refused", this::withoutRoles);
        var absent = call(HttpMethod.GET, "/fn/absent/f", headers -> {});

        assertThat(refused.getStatus().value()).isEqualTo(403);
        assertThat(absent.getStatus().value()).isEqualTo(404);
        assertThat(filtered.contains("/fn/f/refused")).isTrue();
        assertThat(filtered.contains("/fn/absent/f")).isTrue();
    }

    @Test
    void requestOfAPage_comesToTheFilters() {
        var foreign = call(HttpMethod.GET, "/fn/f/foreign", headers -> headers.setOrigin("http://evil.example"));
        var own = call(HttpMethod.GET, "/fn/f/own", headers -> headers.setOrigin("http://127.0.0.1:" + port));

        assertThat(foreign.getStatus().value()).isEqualTo(403);
        assertThat(own.getStatus().value()).isEqualTo(200);
        assertThat(filtered.contains("/fn/f/foreign")).isTrue();
        assertThat(filtered.contains("/fn/f/own")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "FIND"})
    void otherMethod_comesToTheFilters(String method) {
        String path = "/fn/f/" + method;

        var answer = call(HttpMethod.valueOf(method), path, headers -> {});

        assertThat(answer.getStatus().value()).isEqualTo(405);
        assertThat(filtered.contains(path)).isTrue();
    }

    @Test
    void failureInFrontOfTheFilters_isAProblem_andCounted() {
        runtime.onRequest(request -> CompletableFuture.completedFuture(new RequestResult.WorkerEnded()));
        long before = count("502");

        var answer = call(HttpMethod.GET, "/fn/f/failed", headers -> {});

        assertThat(answer.getStatus().value()).isEqualTo(502);
        assertThat(answer.getResponseBody()).contains("\"code\"");
        assertThat(answer.getResponseHeaders().getFirst("X-Frame-Options")).isEqualTo("DENY");
        assertThat(filtered.contains("/fn/f/failed")).isFalse();
        await().untilAsserted(() -> assertThat(count("502")).isEqualTo(before + 1));
        assertThat(timers("502"))
                .allMatch(timer -> "ProblemException".equals(timer.getId().getTag("exception")));
    }

    @Test
    void callInFrontOfTheFilters_isCountedWithTheLabelsOfAllOthers() {
        long before = count("200");

        call(HttpMethod.GET, "/fn/f/counted", headers -> {});
        call(HttpMethod.GET, "/fn/f/counted-too", headers -> headers.setOrigin("http://127.0.0.1:" + port));

        await().untilAsserted(() -> assertThat(count("200")).isEqualTo(before + 2));
        assertThat(meters.find("http.server.requests").timers())
                .extracting(RequestsInFrontWebTest::labels)
                .containsOnly(labels(timers("200").iterator().next()));
    }

    @Test
    void bodyInFrontOfTheFilters_isHeldUntilTheResponse() {
        CompletableFuture<RequestResult> result = new CompletableFuture<>();
        runtime.onRequest(request -> result);
        byte[] body = new byte[200_000];

        CompletableFuture<Void> called = CompletableFuture.runAsync(() -> http.put()
                .uri("/fn/f/held")
                .header("Content-Type", "image/png")
                .bodyValue(body)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody());

        await().untilAsserted(() -> assertThat(budget.held()).isGreaterThanOrEqualTo(body.length));
        result.complete(new RequestResult.Answered(
                Outcome.success(10), new HttpResponse(200, List.of(), new HttpBody(HttpBody.Kind.NONE, new byte[0]))));
        called.join();
        await().untilAsserted(() -> assertThat(budget.held()).isZero());
        assertThat(filtered.contains("/fn/f/held")).isFalse();
    }
}
