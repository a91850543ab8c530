package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.IdentityTokens;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.accessspring.TestCaller;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.eventing.EventingDoors;
import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.functions.FakeRuntime;
import io.millrace.eventing.idempotency.AnswerStore;
import io.millrace.metakv.MetakvClient;
import io.millrace.timers.TimerStore;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.spring.MemoryTraceStore;
import io.millrace.traces.spring.TraceStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.client.ClientRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the tests of the REST interface share: the service, and how to ask it. Each test starts without functions. */
@SpringBootTest(
        classes = WebTest.Fixture.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.log-dir=target/test-logs/${random.uuid}", // tests run in two processes
            "millrace.node-id=node-1",
            "millrace.http.room-timeout=20ms",
            "millrace.secrets.master-key=" + WebTest.MASTER_KEY
        })
abstract class WebTest {

    static final String MASTER_KEY = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";

    /** Long enough for a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static final JsonMapper JSON = JsonMapper.shared();

    /** An answer that was checked for its HTTP status and header. */
    record Answer(int status, String header, String text) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        void noContent() {
            assertThat(status).as(text).isEqualTo(204);
            assertThat(text).isEmpty();
        }

        Answer ok() {
            assertThat(status).as(text).isEqualTo(200);
            assertThat(header).as("header status").isEqualTo("0");
            return this;
        }

        /** Checks the error's envelope and returns its description. */
        JsonNode error(int httpStatus, String name, int code) {
            assertThat(status).as(text).isEqualTo(httpStatus);
            assertThat(json().get("name").asString()).as(text).isEqualTo(name);
            assertThat(json().get("code").asInt()).isEqualTo(code);
            assertThat(header).as("header status").isEqualTo(Integer.toString(code));
            return json().get("description");
        }

        /** Checks the problem details of our own paths and returns them. */
        JsonNode problem(int httpStatus, String code) {
            assertThat(status).as(text).isEqualTo(httpStatus);
            JsonNode problem = json();
            assertThat(problem.path("status").asInt()).as(text).isEqualTo(httpStatus);
            assertThat(problem.path("code").asString("")).as(text).isEqualTo(code);
            assertThat(problem.path("detail").asString("")).isNotBlank();
            assertThat(problem.path("action").asString("")).isNotBlank();
            return problem;
        }
    }

    @Autowired
    FlakyMetakv metakv;

    @Autowired
    FakeRuntime runtime;

    @Autowired
    FunctionLogs logs;

    @LocalServerPort
    int port;

    WebTestClient http;

    @BeforeEach
    void startWithoutFunctions() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(PATIENCE)
                .filter((request, next) -> next.exchange(asAdministrator(request)))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(8 << 20))
                .build();
        metakv.setAway(false);
        metakv.deleteRecursively("/eventing/").block();
        metakv.deleteRecursively("/secrets/").block();
        metakv.deleteRecursively("/libraries/").block();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/api/v1/functions").json()).isEmpty());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(runtime.running()).isEmpty());
        runtime.reset();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/api/v1/config")
                                .json()
                                .get("function_size")
                                .asInt())
                        .isEqualTo(131_072));
    }

    /** Names an administrator in a request that names no one, as the gateway does: also in front of the filters. */
    private ClientRequest asAdministrator(ClientRequest request) {
        HttpHeaders headers = request.headers();
        return headers.containsHeader(IdentityTokens.HEADER) || headers.containsHeader(TestCaller.DIRECT)
                ? request
                : ClientRequest.from(request)
                        .header(IdentityTokens.HEADER, TestCaller.administrator())
                        .build();
    }

    Answer get(String path) {
        return ask(HttpMethod.GET, path, null);
    }

    Answer post(String path, @Nullable String body) {
        return ask(HttpMethod.POST, path, body);
    }

    Answer delete(String path) {
        return ask(HttpMethod.DELETE, path, null);
    }

    /** Asks as the commands in Couchbase's documentation do: credentials, and a body with the content type of a form. */
    Answer ask(HttpMethod method, String path, @Nullable String body) {
        WebTestClient.RequestBodySpec request = http.method(method).uri(path);
        if (body != null) {
            request.contentType(MediaType.APPLICATION_FORM_URLENCODED)
                    .headers(headers -> headers.setBasicAuth("Administrator", "password"))
                    .bodyValue(body.getBytes(StandardCharsets.UTF_8));
        }
        return answer(request);
    }

    /** Asks as a user with some roles. */
    Answer getWithRoles(String roles, String path) {
        Subject user = Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll(roles));
        return answer(http.get().uri(path).header(IdentityTokens.HEADER, TestCaller.token(user)));
    }

    /** Asks for a media type. */
    Answer getAs(String mediaType, String path) {
        return answer(http.get().uri(path).header("Accept", mediaType));
    }

    /** Asks as a page of another site makes a browser do. */
    Answer askFromAnotherSite(HttpMethod method, String path) {
        return answer(http.method(method).uri(path).headers(headers -> headers.setOrigin("http://evil.example")));
    }

    private static Answer answer(WebTestClient.RequestHeadersSpec<?> request) {
        var result = request.exchange().expectBody().returnResult();
        byte[] bytes = Objects.requireNonNullElse(result.getResponseBody(), new byte[0]);
        return new Answer(
                result.getStatus().value(),
                String.valueOf(result.getResponseHeaders().getFirst("status")),
                new String(bytes, StandardCharsets.UTF_8));
    }

    static ObjectNode definition(String name) {
        return (ObjectNode) JSON.readTree("""
            {"appname": "%s",
             "appcode": "function OnUpdate(doc, meta) {\\n  dst[meta.id] = doc;\\n}",
             "depcfg": {"source_bucket": "src", "metadata_bucket": "meta",
                        "buckets": [{"alias": "dst", "bucket_name": "dst", "access": "rw"}]},
             "settings": {"worker_count": 1}}\
            """.formatted(name));
    }

    void create(String name) {
        post("/api/v1/functions/" + name, definition(name).toString()).ok();
    }

    void deploy(String name) {
        post("/api/v1/functions/" + name + "/deploy", null).ok();
        awaitStatus(name, "deployed");
    }

    void pause(String name) {
        post("/api/v1/functions/" + name + "/pause", null).ok();
        awaitStatus(name, "paused");
    }

    void awaitStatus(String name, String expected) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(status(name)).isEqualTo(expected));
    }

    String status(String name) {
        return get("/api/v1/status/" + name + "?aggregate=false")
                .ok()
                .json()
                .at("/app/composite_status")
                .asString();
    }

    Answer askBytes(String path, byte[] body) {
        return answer(
                http.post().uri(path).contentType(MediaType.APPLICATION_JSON).bodyValue(body));
    }

    /** Returns what is stored about every function, to see that nothing changed. */
    String everything() {
        return get("/api/v1/export").ok().text() + get("/api/v1/status").ok().text();
    }

    static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    static String settings(String name, Object value) {
        return json(Map.of(name, value));
    }

    /** The service without Redis, MetaKV and workers: memory and a fake stand in for them. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ComponentScan({
        "io.millrace.eventing.http",
        "io.millrace.eventing.functions",
        "io.millrace.eventing.stats",
        "io.millrace.eventing.topology"
    })
    @Import(EventingDoors.class)
    static class Fixture {

        @Bean
        InstantSource clock() {
            return InstantSource.system();
        }

        @Bean
        FlakyMetakv metakv() {
            return new FlakyMetakv(MetakvClient.inMemory());
        }

        @Bean
        DocumentStore documents(InstantSource clock) {
            MemoryDocumentStore store = new MemoryDocumentStore(clock);
            for (String bucket : new String[] {"src", "meta", "dst", "other"}) {
                store.catalog().createBucket(bucket, 1).join();
            }
            return store;
        }

        @Bean
        TimerStore timers() {
            return new MemoryTimerStore();
        }

        @Bean
        CheckpointStore checkpoints(InstantSource clock) {
            return CheckpointStore.inMemory(clock);
        }

        @Bean
        AnswerStore answers() {
            return AnswerStore.inMemory(InstantSource.system());
        }

        @Bean
        DeadLetterStore deadLetters(CheckpointStore checkpoints) {
            return DeadLetterStore.inMemory(checkpoints);
        }

        @Bean
        MemoryTopics topics() {
            return new MemoryTopics();
        }

        @Bean
        TraceStore traces() {
            return new MemoryTraceStore(100);
        }

        @Bean
        FilteredPaths filteredPaths() {
            return new FilteredPaths();
        }

        @Bean
        OpenApiThreads openApiThreads() {
            return new OpenApiThreads();
        }

        @Bean
        FakeRuntime runtime() {
            return new FakeRuntime();
        }
    }
}
