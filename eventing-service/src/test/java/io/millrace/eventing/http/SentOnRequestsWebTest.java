package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.access.RoleName;
import io.millrace.access.Subject;
import io.millrace.access.Target;
import io.millrace.accessspring.ClusterIdentity;
import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.consumer.StreamedResponse;
import io.millrace.eventing.functions.FakeRuntime;
import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.NodeInfo;
import io.millrace.traces.TraceContext;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpRequest;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

/** Two nodes: requests come to one that has no worker of the function. A third one is registered and cannot be reached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SentOnRequestsWebTest extends WebTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofMinutes(10);

    @Autowired
    private ClusterNode cluster;

    @Autowired
    private ClusterIdentity identity;

    @Autowired
    private AnswerStore answers;

    private final List<HttpRequest> called = new CopyOnWriteArrayList<>();
    private ConfigurableApplicationContext other;
    private FakeRuntime otherRuntime;
    private List<NodeLease> leases;

    @BeforeAll
    void startTheOtherNode() {
        other = new SpringApplicationBuilder(Fixture.class)
                .initializers(this::share)
                .run(
                        "--server.port=0",
                        "--millrace.node-id=node-2",
                        "--millrace.log-dir=target/test-logs/" + UUID.randomUUID(),
                        "--millrace.secrets.master-key=" + MASTER_KEY);
        otherRuntime = other.getBean(FakeRuntime.class);
        int otherPort = Objects.requireNonNull(((WebServerApplicationContext) other).getWebServer())
                .getPort();
        leases = List.of(
                metakv.register(node("node-2-at-its-port", otherPort), LEASE),
                metakv.register(node("node-3", 1), LEASE));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.nodes()).containsKeys("node-2-at-its-port", "node-3"));
    }

    private static NodeInfo node(String id, int port) {
        return new NodeInfo(id, "eventing", "http://127.0.0.1:" + port, "1");
    }

    /** The nodes have one MetaKV and one Redis. */
    private void share(ConfigurableApplicationContext context) {
        GenericApplicationContext beans = (GenericApplicationContext) context;
        beans.registerBean("sharedMetakv", FlakyMetakv.class, () -> metakv, bean -> {
            bean.setPrimary(true);
            bean.setDestroyMethodName("");
        });
        beans.registerBean("sharedAnswers", AnswerStore.class, () -> answers, bean -> bean.setPrimary(true));
    }

    @AfterAll
    void stopTheOtherNode() {
        leases.forEach(NodeLease::close);
        other.close();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(cluster.nodes()).doesNotContainKeys("node-2-at-its-port", "node-3", "node-2"));
    }

    @BeforeEach
    void deployWithoutAWorkerHere() {
        called.clear();
        create("f");
        deploy("f");
        runtime.onRequest(request -> CompletableFuture.completedFuture(new RequestResult.NoWorker()));
        otherAnswers(new RequestResult.Answered(
                Outcome.success(10),
                new HttpResponse(201, List.of(new HttpResponse.Header("x-a", "b")), text("made"))));
        await().atMost(PATIENCE).until(() -> otherRuntime.running().contains("f"));
    }

    private void otherAnswers(RequestResult result) {
        otherRuntime.onRequest(request -> {
            called.add(request);
            return CompletableFuture.completedFuture(result);
        });
    }

    private static HttpBody text(String text) {
        return new HttpBody(HttpBody.Kind.TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private EntityExchangeResult<String> put(Map<String, String> headers) {
        return http.method(HttpMethod.PUT)
                .uri(URI.create("http://127.0.0.1:" + port + "/fn/f/a%2Fb/?x=1&y=%20"))
                .headers(to -> headers.forEach(to::set))
                .header("Content-Type", "application/json")
                .bodyValue("{\"n\": 1.50}")
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private Map<String, String> bob() {
        Role execute = new Role(RoleName.EVENTING_EXECUTE_FUNCTIONS, Target.EVERYTHING);
        return identity.headersFor(Subject.user("bob", Subject.Domain.LOCAL, List.of(execute)));
    }

    private static JsonNode problem(EntityExchangeResult<String> result, int status, String code) {
        assertThat(result.getStatus().value()).as(result.getResponseBody()).isEqualTo(status);
        JsonNode problem = JSON.readTree(result.getResponseBody());
        assertThat(problem.path("code").asString("")).isEqualTo(code);
        return problem;
    }

    @Test
    void request_isAnsweredByTheNodeThatHasAWorker_asItWasSent() {
        TraceContext sender = TraceContext.random();
        var headers = new HttpHeaders();
        bob().forEach(headers::set);
        headers.set("traceparent", sender.header());
        headers.set("X-Twice", "1");

        var result = put(headers.toSingleValueMap());

        assertThat(result.getStatus().value()).isEqualTo(201);
        assertThat(result.getResponseBody()).isEqualTo("made");
        assertThat(result.getResponseHeaders().getFirst("x-a")).isEqualTo("b");
        assertThat(result.getResponseHeaders().getFirst("Content-Type")).isEqualTo("text/plain;charset=UTF-8");
        HttpRequest seen = called.getFirst();
        JsonNode head = JSON.readTree(seen.head());
        assertThat(head.path("method").asString()).isEqualTo("PUT");
        assertThat(head.path("path").asString()).isEqualTo("/a%2Fb/");
        assertThat(head.path("query").toString()).isEqualTo("{\"x\":\"1\",\"y\":\" \"}");
        assertThat(head.path("user").asString()).isEqualTo("bob");
        assertThat(head.path("headers").path("x-twice").asString()).isEqualTo("1");
        assertThat(head.path("headers").propertyNames())
                .noneMatch(name -> name.startsWith("x-millrace"))
                .doesNotContain("authorization");
        assertThat(new String(seen.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("{\"n\": 1.50}");
        assertThat(TraceContext.parse(seen.trace()).traceId()).isEqualTo(sender.traceId());
    }

    @Test
    void bodyWithoutAType_getsNone() {
        http.post()
                .uri("/fn/f")
                .body((message, context) -> message.writeWith(
                        Mono.just(message.bufferFactory().wrap("abc".getBytes(StandardCharsets.UTF_8)))))
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody();

        assertThat(new String(called.getFirst().body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("abc");
        assertThat(JSON.readTree(called.getFirst().head()).path("headers").propertyNames())
                .doesNotContain("content-type");
    }

    @Test
    void sameIdempotencyKey_callsOnce_overBothNodes() {
        Map<String, String> key = Map.of("Idempotency-Key", UUID.randomUUID().toString());

        var first = put(key);
        var again = put(key);

        assertThat(first.getStatus().value()).isEqualTo(201);
        assertThat(first.getResponseHeaders().containsHeader("Idempotency-Replayed"))
                .isFalse();
        assertThat(again.getStatus().value()).isEqualTo(201);
        assertThat(again.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
        assertThat(called).hasSize(1);
    }

    @Test
    void responseInParts_isPassedOnAsItComes() {
        StreamedResponse response =
                new StreamedResponse(new HttpResponse(206, List.of(), text("first")), new StreamedResponse.Client() {
                    @Override
                    public void taken(long bytes) {}

                    @Override
                    public void gone() {}
                });
        otherAnswers(new RequestResult.Streamed(response));

        var result = http.get().uri("/fn/f").exchange().returnResult(byte[].class);

        assertThat(result.getStatus().value()).isEqualTo(206);
        StepVerifier.create(result.getResponseBody().map(part -> new String(part, StandardCharsets.UTF_8)))
                .expectNext("first")
                .then(() -> response.part("second".getBytes(StandardCharsets.UTF_8)))
                .expectNext("second")
                .then(() -> response.end(Outcome.success(1)))
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void requestThatNoNodeHasAWorkerFor_isSentOnOnce() {
        List<String> asked = new CopyOnWriteArrayList<>();
        runtime.onRequest(request -> {
            asked.add("here");
            return CompletableFuture.completedFuture(new RequestResult.NoWorker());
        });
        otherAnswers(new RequestResult.NoWorker());

        var result = put(Map.of());

        assertThat(problem(result, 503, "function_not_running")
                        .path("retryAfterSeconds")
                        .asInt())
                .isEqualTo(1);
        assertThat(result.getResponseHeaders().headerNames()).noneMatch(name -> name.startsWith("X-Millrace"));
        assertThat(asked).hasSize(1);
        assertThat(called).hasSize(1);
    }

    @Test
    void failureOfTheFunction_isThatOfTheOtherNode() {
        otherAnswers(
                new RequestResult.Answered(new Outcome(Outcome.Result.THREW, 5, "Error: no", 3, 7), HttpResponse.NONE));

        assertThat(problem(put(Map.of()), 500, "function_failed").path("reason").asString())
                .isEqualTo("Error: no");
    }

    @Test
    void callerWithoutTheRight_isRefusedHere() {
        problem(put(identity.headersFor(Subject.user("eve", Subject.Domain.LOCAL, List.of()))), 403, "forbidden");

        assertThat(called).isEmpty();
    }

    @Test
    void functionThatIsNotDeployed_isNotLookedForElsewhere() {
        create("g");

        var result = http.get().uri("/fn/g").exchange().expectBody(String.class).returnResult();

        problem(result, 503, "function_not_running");
        assertThat(called).isEmpty();
    }

    /** It may have called the function. */
    @Test
    void nodeThatEndsBeforeItsResponse_isNotFollowedByAnother() throws IOException {
        otherAnswers(new RequestResult.NoWorker());
        List<String> received = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                NodeLease lease = metakv.register(node("node-4", server.getLocalPort()), LEASE)) {
            Thread.startVirtualThread(() -> endEach(server, received));
            await().atMost(PATIENCE).until(() -> cluster.nodes().containsKey("node-4"));

            problem(put(Map.of()), 502, "worker_ended");

            assertThat(received).hasSize(1);
        }
        await().atMost(PATIENCE).until(() -> !cluster.nodes().containsKey("node-4"));
    }

    private static void endEach(ServerSocket server, List<String> received) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("1.50}") < 0) {
                        head.append((char) socket.getInputStream().read());
                    }
                    received.add(head.toString());
                }
            }
        } catch (IOException closed) {
            // the test has ended
        }
    }
}
