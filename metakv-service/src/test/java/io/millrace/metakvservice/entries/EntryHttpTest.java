package io.millrace.metakvservice.entries;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.metakv.MetakvLimits;
import io.millrace.metakvservice.MemoryStore;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;

/** What can be seen of entries on the wire alone. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class EntryHttpTest {

    private static final ParameterizedTypeReference<ServerSentEvent<Map<String, Object>>> EVENT =
            new ParameterizedTypeReference<>() {};

    @LocalServerPort
    private int port;

    private final String home = "/_metakv/http/" + UUID.randomUUID() + "/";
    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
    }

    @Test
    void get_saysNotModifiedAtTheKnownRev() {
        String etag = put("x", "1");

        http.get()
                .uri(home + "x")
                .header("If-None-Match", etag)
                .exchange()
                .expectStatus()
                .isNotModified()
                .expectBody();

        put("x", "2");
        http.get()
                .uri(home + "x")
                .header("If-None-Match", etag)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("2");
    }

    @Test
    void get_takesAnyOfSeveralTagsAndAStar() {
        String etag = put("x", "1");

        for (String known : List.of("W/" + etag, "\"1-1\", " + etag, "*")) {
            notModified("x", known);
        }
        http.get()
                .uri(home + "x")
                .header("If-None-Match", "\"1-1\"")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
    }

    @Test
    void list_saysNotModifiedUntilSomethingBelowChanges() {
        put("d/x", "1");
        String etag = listed("d/");
        put("sibling", "1");
        notModified("d/", etag);

        deleted("d/x", 1);
        String after = listed("d/");

        assertThat(after).isNotEqualTo(etag);
        notModified("d/", after);
    }

    private String listed(String directory) {
        return Objects.requireNonNull(http.get()
                .uri(home + directory)
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult()
                .getResponseHeaders()
                .getETag());
    }

    private void notModified(String name, String known) {
        http.get()
                .uri(home + name)
                .header("If-None-Match", known)
                .exchange()
                .expectStatus()
                .isNotModified()
                .expectHeader()
                .exists("ETag")
                .expectBody();
    }

    @Test
    void history_tellsWhatAPathHasBeenWithWhoAndWhen() {
        put("x", "one", "X-Changed-By", "alice");
        put("x", "two");
        deleted("x", 1);
        String last = put("x", "three", "X-Changed-By", "bob");

        String first = Base64.getEncoder().encodeToString("one".getBytes());
        http.get()
                .uri(home + "x?history")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$[*].version")
                .isEqualTo(List.of(4, 3, 2, 1))
                .jsonPath("$[*].deleted")
                .isEqualTo(List.of(false, true, false, false))
                .jsonPath("$[0].rev")
                .isEqualTo(last.replace("\"", ""))
                .jsonPath("$[0].changedBy")
                .isEqualTo("bob")
                .jsonPath("$[3].changedBy")
                .isEqualTo("alice")
                .jsonPath("$[3].value")
                .isEqualTo(first)
                .jsonPath("$[3].time")
                .isNotEmpty();
        http.get()
                .uri(home + "x?history&max=2&below=4")
                .exchange()
                .expectBody()
                .jsonPath("$[*].version")
                .isEqualTo(List.of(3, 2));
        http.get()
                .uri(home + "never?history")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.length()")
                .isEqualTo(0);
        error(http.get().uri(home + "x?history&max=0").exchange(), 400, "invalid_request");
    }

    @Test
    void history_keepsSensitiveValuesToItself() {
        put("x?sensitive=true", "secret");

        http.get()
                .uri(home + "x?history")
                .exchange()
                .expectBody()
                .jsonPath("$[0].sensitive")
                .isEqualTo(true)
                .jsonPath("$[0].value")
                .isEmpty();
        http.get().uri(home + "x").exchange().expectBody(String.class).isEqualTo("secret");
    }

    @Test
    void delete_thatIsRepeatedWithTheSameKeyHappensOnce() {
        put("x", "1");

        for (int i = 0; i < 2; i++) {
            http.delete()
                    .uri(home + "x")
                    .header("Idempotency-Key", "this deletion")
                    .exchange()
                    .expectBody()
                    .jsonPath("$.deleted")
                    .isEqualTo(1);
        }
        put("x", "2", "If-None-Match", "*", "Idempotency-Key", "this addition");
        put("x", "2", "If-None-Match", "*", "Idempotency-Key", "this addition");
    }

    @Test
    void get_takesWhateverTheClientAccepts() {
        put("x", "1");

        for (MediaType accepted : List.of(MediaType.ALL, MediaType.APPLICATION_JSON, MediaType.TEXT_HTML)) {
            http.get()
                    .uri(home + "x")
                    .accept(accepted)
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectBody(String.class)
                    .isEqualTo("1");
        }
    }

    @Test
    void get_ofAMissingEntryIsNotFound() {
        error(http.get().uri(home + "nothing").exchange(), 404, "not_found");
    }

    @Test
    void list_isJsonWithValuesInBase64() {
        String etag = put("x", "one");

        http.get()
                .uri(home)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentType(MediaType.APPLICATION_JSON)
                .expectBody()
                .jsonPath("$.length()")
                .isEqualTo(1)
                .jsonPath("$[0].path")
                .isEqualTo(home.substring("/_metakv".length()) + "x")
                .jsonPath("$[0].value")
                .isEqualTo(Base64.getEncoder().encodeToString("one".getBytes()))
                .jsonPath("$[0].rev")
                .isEqualTo(etag.replace("\"", ""));
    }

    @Test
    void put_atAnotherRevIsAConflictThatNamesTheRev() {
        String old = put("x", "1");
        String current = put("x", "2");

        http.put()
                .uri(home + "x")
                .header("If-Match", old)
                .bodyValue("3")
                .exchange()
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("conflict")
                .jsonPath("$.status")
                .isEqualTo(409)
                .jsonPath("$.rev")
                .isEqualTo(current.replace("\"", ""));
    }

    @Test
    void put_atARevThatDoesNotExist_isAConflict() {
        put("x", "1");

        error(
                http.put()
                        .uri(home + "x")
                        .header("If-Match", "\"abc\"")
                        .bodyValue("3")
                        .exchange(),
                409,
                "conflict");
    }

    @Test
    void put_thatIsRepeatedWithTheSameKeyHappensOnce() {
        String first = put("x", "1", "Idempotency-Key", "the same", "If-None-Match", "*");

        String second = put("x", "1", "Idempotency-Key", "the same", "If-None-Match", "*");

        assertThat(second).isEqualTo(first);
    }

    @Test
    void put_withConditionsThatMakeNoSenseIsRefused() {
        var both = http.put().uri(home + "x").header("If-Match", "\"1\"").header("If-None-Match", "*");
        error(both.bodyValue("1").exchange(), 400, "invalid_request");
        error(http.put().uri(home + "x").header("If-Match", "17").bodyValue("1").exchange(), 400, "invalid_request");
        error(
                http.put()
                        .uri(home + "x")
                        .header("If-None-Match", "\"1\"")
                        .bodyValue("1")
                        .exchange(),
                400,
                "invalid_request");
    }

    @Test
    void put_ofTooMuchIsRefused() {
        byte[] large = new byte[MetakvLimits.MAX_VALUE_BYTES + 1];

        error(http.put().uri(home + "x").bodyValue(large).exchange(), 413, "value_too_large");
        http.get().uri(home + "x").exchange().expectStatus().isNotFound().expectBody();
    }

    @Test
    void request_thatIsWrongGetsAnErrorThatSaysSo() {
        error(http.put().uri(raw(home + "a//b")).bodyValue("1").exchange(), 400, "invalid_path");
        error(http.put().uri(home).bodyValue("1").exchange(), 400, "invalid_path");
        error(http.get().uri(raw("/_metakv/users%2F")).exchange(), 400, "invalid_path");
        error(http.get().uri(raw("/_metakv/users%2fann")).exchange(), 400, "invalid_path");
        error(http.delete().uri(raw(home + "a%2Fb")).exchange(), 400, "invalid_path");
        error(http.get().uri(raw("/_metakv/a/..")).exchange(), 400, "invalid_path");
        error(http.get().uri(home + "x".repeat(300)).exchange(), 400, "invalid_path");
        error(http.delete().uri(home).header("If-Match", "\"1\"").exchange(), 400, "invalid_request");
        error(http.post().uri(home + "x").exchange(), 405, "method_not_allowed");
        error(http.get().uri("/nowhere").exchange(), 404, "not_found");
        error(http.get().uri(home + "x").accept(MediaType.TEXT_EVENT_STREAM).exchange(), 400, "invalid_path");
    }

    @Test
    void delete_saysHowManyEntriesThereWere() {
        put("x", "1");

        deleted("x", 1);
        deleted("x", 0);
        put("d/a", "1");
        put("d/b", "1");
        deleted("d/", 2);
    }

    @Test
    void watch_isAStreamOfEventsThatResumes() {
        String rev = put("x", "one").replace("\"", "");
        String path = home.substring("/_metakv".length()) + "x";

        List<ServerSentEvent<Map<String, Object>>> begun = first(3, null);
        assertThat(begun).extracting(ServerSentEvent::event).containsExactly("reset", "entry", "ready");
        assertThat(begun.get(1).data())
                .containsEntry("path", path)
                .containsEntry("value", Base64.getEncoder().encodeToString("one".getBytes()))
                .containsEntry("rev", rev);

        put("x", "two");
        deleted("x", 1);
        String place = Objects.requireNonNull(begun.get(2).id());
        List<ServerSentEvent<Map<String, Object>>> resumed = first(3, place);
        assertThat(resumed).extracting(ServerSentEvent::event).containsExactly("entry", "entry", "ready");
        assertThat(resumed.get(1).data())
                .containsEntry("path", path)
                .containsEntry("value", null)
                .containsEntry("rev", null);

        assertThat(first(1, "feed-0").getFirst().event()).isEqualTo("reset");
        assertThat(first(1, "nonsense").getFirst().event()).isEqualTo("reset");
    }

    @Test
    void openApi_describesEachOperation() {
        http.get()
                .uri("/v3/api-docs")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.paths['/_metakv/{path}'].put.summary")
                .isEqualTo("Set an entry")
                .jsonPath("$.paths['/_metakv/{path}'].get.summary")
                .exists()
                .jsonPath("$.paths['/api/v1/nodes/{id}'].put.summary")
                .exists();
    }

    private List<ServerSentEvent<Map<String, Object>>> first(int count, @Nullable String lastEventId) {
        return Objects.requireNonNull(
                watch(lastEventId).take(count).collectList().block());
    }

    private Flux<ServerSentEvent<Map<String, Object>>> watch(@Nullable String lastEventId) {
        return http.get()
                .uri(home)
                .accept(MediaType.TEXT_EVENT_STREAM)
                .headers(headers -> {
                    if (lastEventId != null) {
                        headers.set("Last-Event-ID", lastEventId);
                    }
                })
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult(EVENT)
                .getResponseBody();
    }

    private String put(String name, String value, String... headers) {
        var request = http.put().uri(home + name);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return Objects.requireNonNull(request.bodyValue(value)
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult()
                .getResponseHeaders()
                .getETag());
    }

    private void deleted(String name, int count) {
        http.delete()
                .uri(home + name)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.deleted")
                .isEqualTo(count);
    }

    /** A URL that the client does not tidy up. */
    private URI raw(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static void error(WebTestClient.ResponseSpec answer, int status, String code) {
        answer.expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo(code)
                .jsonPath("$.status")
                .isEqualTo(status)
                .jsonPath("$.detail")
                .isNotEmpty()
                .jsonPath("$.action")
                .isNotEmpty();
    }
}
