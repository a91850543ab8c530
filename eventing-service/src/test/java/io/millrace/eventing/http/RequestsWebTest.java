package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.access.RoleName;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.traces.TraceContext;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests for functions, without workers: a fake runtime returns what OnRequest would. */
class RequestsWebTest extends WebTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] NO_BYTES = {};

    @Autowired
    private ClusterIdentity identity;

    private final List<HttpRequest> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void createFunction() {
        create("f");
        answer(new HttpResponse(200, List.of(), text("fine")));
    }

    private static HttpBody text(String text) {
        return new HttpBody(HttpBody.Kind.TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private void answer(HttpResponse response) {
        answer(new RequestResult.Answered(Outcome.success(10), response));
    }

    private void answer(RequestResult result) {
        runtime.onRequest(request -> {
            seen.add(request);
            return CompletableFuture.completedFuture(result);
        });
    }

    private JsonNode head() {
        return JSON.readTree(seen.getLast().head());
    }

    private static String body(EntityExchangeResult<String> result) {
        return Objects.requireNonNullElse(result.getResponseBody(), "");
    }

    private static JsonNode problem(EntityExchangeResult<String> result, int status, String code) {
        String text = body(result);
        assertThat(result.getStatus().value()).as(text).isEqualTo(status);
        JsonNode problem = JSON.readTree(text);
        assertThat(problem.path("code").asString("")).as(text).isEqualTo(code);
        assertThat(problem.path("action").asString("")).as(text).isNotBlank();
        return problem;
    }

    private EntityExchangeResult<String> call(String path, String... headers) {
        WebTestClient.RequestHeadersSpec<?> request = http.get().uri(path);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.exchange().expectBody(String.class).returnResult();
    }

    @Test
    void request_isSeenAsItWasSent() {
        http.method(HttpMethod.PATCH)
                .uri(java.net.URI.create("http://127.0.0.1:" + port + "/fn/f/a%2Fb/c%20d/?x=1&y=2&y=3&z"))
                .header("X-Twice", "1", "2")
                .header("Cookie", "secret=1")
                .header("Content-Type", "application/json; charset=utf-8")
                .bodyValue("{\"n\": 1.50}")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("fine");

        assertThat(head().path("method").asString()).isEqualTo("PATCH");
        assertThat(head().path("path").asString()).isEqualTo("/a%2Fb/c%20d/");
        assertThat(head().path("segments").toString()).isEqualTo("[\"a/b\",\"c d\"]");
        assertThat(head().path("query").toString()).isEqualTo("{\"x\":\"1\",\"y\":[\"2\",\"3\"],\"z\":\"\"}");
        assertThat(head().path("headers").path("x-twice").asString()).isEqualTo("1, 2");
        assertThat(head().path("headers").propertyNames())
                .doesNotContain("cookie", "authorization", "x-millrace-identity");
        assertThat(head().path("user").isNull()).isTrue();
        assertThat(seen.getLast().body().kind()).isEqualTo(HttpBody.Kind.JSON);
        assertThat(new String(seen.getLast().body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"n\": 1.50}");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, JSON",
        "application/merge-patch+json, JSON",
        "application/xml, TEXT",
        "text/csv, TEXT",
        "image/png, BYTES"
    })
    void bodyType_followsTheContentType(String type, HttpBody.Kind kind) {
        http.put()
                .uri("/fn/f")
                .header("Content-Type", type)
                .bodyValue("1")
                .exchange()
                .expectBody()
                .returnResult();

        assertThat(seen.getLast().body().kind()).isEqualTo(kind);
        assertThat(head().path("path").asString()).isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"a\": }", "1 2", "{"})
    void bodyThatIsNotTheJsonThatItClaims_isRefusedAndNothingCalled(String body) {
        var result = http.post()
                .uri("/fn/f")
                .header("Content-Type", "application/json")
                .bodyValue(body)
                .exchange()
                .expectBody(String.class)
                .returnResult();

        problem(result, 400, "invalid_json");
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"UTF-8, application/json", "UTF-16, application/json; charset=utf-16"})
    void jsonWithAByteOrderMark_isHandedOnWithoutIt(String charset, String type) {
        http.post()
                .uri("/fn/f")
                .header("Content-Type", type)
                .bodyValue("\ufeff{\"n\": 1.50}".getBytes(Charset.forName(charset)))
                .exchange()
                .expectStatus()
                .isOk();

        assertThat(new String(seen.getLast().body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"n\": 1.50}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "ISO-8859-1"})
    void jsonInAnotherEncodingThanItSays_isRefusedAndNothingCalled(String charset) {
        var result = http.post()
                .uri("/fn/f")
                .header("Content-Type", "application/json")
                .bodyValue("{\"n\": \"é\"}".getBytes(Charset.forName(charset)))
                .exchange()
                .expectBody(String.class)
                .returnResult();

        problem(result, 400, "invalid_json");
        assertThat(seen).isEmpty();
    }

    @Test
    void bodyBeyondTheLimit_isRefusedAndNothingCalled() {
        var result = http.put()
                .uri("/fn/f")
                .header("Content-Type", "image/png")
                .bodyValue(new byte[(2 << 20) + 1])
                .exchange()
                .expectBody(String.class)
                .returnResult();

        problem(result, 413, "body_too_large");
        assertThat(seen).isEmpty();
    }

    static Stream<HttpResponse> responses() {
        return Stream.of(
                new HttpResponse(200, List.of(), text("é")),
                new HttpResponse(
                        404, List.of(), new HttpBody(HttpBody.Kind.JSON, "{}".getBytes(StandardCharsets.UTF_8))),
                new HttpResponse(201, List.of(), new HttpBody(HttpBody.Kind.BYTES, new byte[] {65, 66})),
                new HttpResponse(204, List.of(), new HttpBody(HttpBody.Kind.NONE, NO_BYTES)));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void response_isSentAsItWasReturned(HttpResponse returned) {
        answer(returned);

        var result = call("/fn/f");

        assertThat(result.getStatus().value()).isEqualTo(returned.status());
        String type = result.getResponseHeaders().getFirst("Content-Type");
        assertThat(type)
                .isEqualTo(
                        switch (returned.body().kind()) {
                            case NONE -> null;
                            case JSON -> "application/json";
                            case TEXT -> "text/plain;charset=UTF-8";
                            case BYTES -> "application/octet-stream";
                        });
        assertThat(body(result)).isEqualTo(new String(returned.body().bytes(), StandardCharsets.UTF_8));
    }

    /** A page of a function must not run scripts with the session of whom it is shown to. */
    @Test
    void response_isSandboxed() {
        answer(new HttpResponse(200, List.of(new HttpResponse.Header("content-type", "text/html")), text("<p>")));

        var headers = call("/fn/f").getResponseHeaders();

        assertThat(headers.getFirst("Content-Security-Policy"))
                .startsWith("sandbox;")
                .contains("default-src 'none'");
        assertThat(headers.getFirst("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(headers.getFirst("Content-Type")).isEqualTo("text/html");
        assertThat(headers.containsHeader("status")).isFalse();
    }

    @Test
    void headersOfAResponse_areSent() {
        answer(new HttpResponse(
                302,
                List.of(
                        new HttpResponse.Header("Location", "/x"),
                        new HttpResponse.Header("Vary", "a"),
                        new HttpResponse.Header("Vary", "b")),
                new HttpBody(HttpBody.Kind.NONE, NO_BYTES)));

        var result = call("/fn/f");

        assertThat(result.getStatus().value()).isEqualTo(302);
        assertThat(result.getResponseHeaders().getFirst("Location")).isEqualTo("/x");
        assertThat(result.getResponseHeaders().get("Vary")).contains("a", "b");
    }

    @Test
    void conditionalGet_ofTheSameETag_isNotModified() {
        answer(new HttpResponse(200, List.of(new HttpResponse.Header("etag", "\"v1\"")), text("long")));

        var same = call("/fn/f", "If-None-Match", "\"v1\"");
        var other = call("/fn/f", "If-None-Match", "\"v2\"");

        assertThat(same.getStatus().value()).isEqualTo(304);
        assertThat(body(same)).isEmpty();
        assertThat(other.getStatus().value()).isEqualTo(200);
    }

    @Test
    void head_isAGetWithoutTheBody() {
        var result =
                http.head().uri("/fn/f/a").exchange().expectBody(String.class).returnResult();

        assertThat(head().path("method").asString()).isEqualTo("GET");
        assertThat(result.getStatus().value()).isEqualTo(200);
        assertThat(result.getResponseHeaders().getContentLength()).isEqualTo(4);
        assertThat(body(result)).isEmpty();
    }

    @Test
    void options_isForTheFunction() {
        http.options()
                .uri("/fn/f")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();

        assertThat(head().path("method").asString()).isEqualTo("OPTIONS");
    }

    @ParameterizedTest
    @EnumSource(names = {"THREW", "OUT_OF_MEMORY", "WRITE_FAILED"})
    void failure_isToldInFullToWhomMayReadTheLog(Outcome.Result how) {
        answer(new RequestResult.Answered(new Outcome(how, 5, "Error: secret", 3, 7), HttpResponse.NONE));
        post("/api/v1/functions/f/settings", settings("request_access", "public"))
                .ok();

        JsonNode full = problem(call("/fn/f"), 500, "function_failed");
        JsonNode little = problem(call("/fn/f", callers(List.of())), 500, "function_failed");

        assertThat(full.path("reason").asString()).isEqualTo("Error: secret");
        assertThat(full.path("line").asInt()).isEqualTo(3);
        assertThat(little.toString()).doesNotContain("secret");
    }

    @Test
    void otherEnds_haveTheirOwnProblems() {
        answer(new RequestResult.NoWorker());
        assertThat(problem(call("/fn/f"), 503, "function_not_running")
                        .path("retryAfterSeconds")
                        .asInt())
                .isEqualTo(1);

        answer(new RequestResult.WorkerEnded());
        problem(call("/fn/f"), 502, "worker_ended");

        answer(new RequestResult.Answered(new Outcome(Outcome.Result.TIMED_OUT, 5, "late", 3, 7), HttpResponse.NONE));
        problem(call("/fn/f"), 504, "function_timeout");

        answer(new RequestResult.Answered(Outcome.skipped(), HttpResponse.NONE));
        problem(call("/fn/f"), 404, "no_request_handler");
    }

    @Test
    void tooManyRequestsToOneFunction_areRefusedUntilOneHasEnded() {
        List<CompletableFuture<RequestResult>> waiting = unanswered();
        List<CompletableFuture<Integer>> statuses = begin("/fn/f", 64);
        await().atMost(PATIENCE).until(() -> waiting.size() == 64);

        problem(call("/fn/f"), 429, "too_many_requests");

        waiting.getFirst().complete(new RequestResult.NoWorker());
        await().atMost(PATIENCE).until(() -> statuses.stream().anyMatch(CompletableFuture::isDone));
        runtime.onRequest(request -> CompletableFuture.completedFuture(new RequestResult.WorkerEnded()));
        await().atMost(PATIENCE).until(() -> call("/fn/f").getStatus().value() == 502);
        waiting.forEach(one -> one.complete(new RequestResult.NoWorker()));
        assertThat(statuses).allSatisfy(status -> assertThat(status.join()).isEqualTo(503));
    }

    @Test
    void tooManyRequestsInAll_areRefusedUntilOneHasEnded() {
        List<String> others = List.of("f1", "f2", "f3", "f4");
        others.forEach(this::create);
        List<CompletableFuture<RequestResult>> waiting = unanswered();
        List<CompletableFuture<Integer>> statuses = others.stream()
                .flatMap(name -> begin("/fn/" + name, 64).stream())
                .toList();
        await().atMost(PATIENCE).until(() -> waiting.size() == 256);

        problem(call("/fn/f"), 429, "too_many_requests");

        waiting.getFirst().complete(new RequestResult.NoWorker());
        await().atMost(PATIENCE).until(() -> statuses.stream().anyMatch(CompletableFuture::isDone));
        runtime.onRequest(request -> CompletableFuture.completedFuture(new RequestResult.WorkerEnded()));
        await().atMost(PATIENCE).until(() -> call("/fn/f").getStatus().value() == 502);
        waiting.forEach(one -> one.complete(new RequestResult.NoWorker()));
        assertThat(statuses).allSatisfy(status -> assertThat(status.join()).isEqualTo(503));
    }

    /** Leaves requests from now on without an answer, and returns what to answer them by. */
    private List<CompletableFuture<RequestResult>> unanswered() {
        List<CompletableFuture<RequestResult>> waiting = new CopyOnWriteArrayList<>();
        runtime.onRequest(request -> {
            CompletableFuture<RequestResult> result = new CompletableFuture<>();
            waiting.add(result);
            return result;
        });
        return waiting;
    }

    /** Sends requests, and returns the statuses of their answers. */
    private List<CompletableFuture<Integer>> begin(String path, int requests) {
        return IntStream.range(0, requests)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> call(path).getStatus().value(), Thread::startVirtualThread))
                .toList();
    }

    /** Returns the header by which the gateway passes on a user with these roles. */
    private String[] callers(List<Role> roles) {
        return identity.headersFor(Subject.user("bob", Subject.Domain.LOCAL, roles)).entrySet().stream()
                .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
                .toArray(String[]::new);
    }

    @Test
    void caller_needsARoleOnTheScopeOfTheFunction() {
        Role execute = new Role(RoleName.EVENTING_EXECUTE_FUNCTIONS, Target.EVERYTHING);

        JsonNode refused = problem(call("/fn/f", callers(List.of())), 403, "forbidden");
        problem(call("/fn/absent", callers(List.of())), 403, "forbidden");
        var called = call("/fn/f", callers(List.of(execute)));
        problem(call("/fn/absent", callers(List.of(execute))), 404, "function_not_found");
        problem(call("/fn/bad.name", callers(List.of(execute))), 404, "function_not_found");

        assertThat(refused.path("detail").asString()).contains("functions.execute");
        assertThat(called.getStatus().value()).isEqualTo(200);
        assertThat(head().path("user").asString()).isEqualTo("bob");
    }

    @Test
    void functionOfAScope_isNamedWithIt_andItsRoleSuffices() {
        ObjectNode definition = definition("h");
        definition.putObject("function_scope").put("bucket", "src").put("scope", "_default");
        post("/api/v1/functions/h?bucket=src&scope=_default", definition.toString())
                .ok();
        Role execute = new Role(RoleName.EVENTING_EXECUTE_FUNCTIONS, new Target("src", "_default", null));

        var called = call("/fn/src:_default:h/x", callers(List.of(execute)));
        problem(call("/fn/f", callers(List.of(execute))), 403, "forbidden");

        assertThat(called.getStatus().value()).isEqualTo(200);
        assertThat(head().path("path").asString()).isEqualTo("/x");
    }

    @Test
    void request_beginsATraceOrContinuesThatOfItsSender() {
        TraceContext sender = TraceContext.random();
        answer(new RequestResult.Answered(
                new Outcome(Outcome.Result.THREW, 10, "TypeError: no", 3, 5), HttpResponse.NONE));

        call("/fn/f/orders/7?q=secret", "traceparent", sender.header(), "X-Request-Id", "order-7");

        TraceContext handedOn = TraceContext.parse(seen.getLast().trace());
        assertThat(handedOn.traceId()).isEqualTo(sender.traceId());
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode span = get("/api/v1/traces?request=order-7").json().at("/traces/0/spans/0");
            assertThat(span.path("kind").asString("")).isEqualTo("call");
            assertThat(span.path("name").asString()).isEqualTo("GET");
            assertThat(span.path("span").asString()).isEqualTo(handedOn.spanId());
            assertThat(span.path("parent").asString()).isEqualTo(sender.spanId());
            assertThat(span.path("error").asString()).isEqualTo("TypeError: no");
            assertThat(span.at("/attributes/function").asString()).isEqualTo("f");
            assertThat(span.at("/attributes/path").asString()).isEqualTo("/orders/7");
        });
    }

    @Test
    void requestWhoseSenderDoesNotRecordItsTrace_isNotOneOfThatTrace() {
        TraceContext sender = TraceContext.random();

        call("/fn/f", "traceparent", sender.header().replaceAll("01$", "00"));

        assertThat(seen.getLast().trace()).doesNotContain(sender.text());
        assertThat(get("/api/v1/traces?trace=" + sender.traceId()).json().path("traces"))
                .isEmpty();
    }

    @Test
    void publicFunction_isOpenToEveryone() {
        post("/api/v1/functions/f/settings", settings("request_access", "public"))
                .ok();

        assertThat(call("/fn/f", callers(List.of())).getStatus().value()).isEqualTo(200);
    }

    @Test
    void requestToAPublicFunction_isMarked_whateverTheCallerMay() {
        call("/fn/f");
        post("/api/v1/functions/f/settings", settings("request_access", "public"))
                .ok();
        call("/fn/f");
        call("/fn/f", callers(List.of()));

        assertThat(seen).extracting(HttpRequest::toPublicFunction).containsExactly(false, true, true);
    }
}
