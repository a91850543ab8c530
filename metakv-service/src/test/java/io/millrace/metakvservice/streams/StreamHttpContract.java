package io.millrace.metakvservice.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Event streams as other programs see them, on either engine. */
abstract class StreamHttpContract {

    @LocalServerPort
    private int port;

    private final String stream = "/api/v1/streams/Cart-" + UUID.randomUUID();
    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofMinutes(2))
                .build();
    }

    private record Answer(int status, @Nullable String etag, String body) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    private Answer send(HttpMethod method, String path, @Nullable String body, String... headers) {
        var request = http.method(method).uri(stream + path);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).bodyValue(body);
        }
        EntityExchangeResult<byte[]> result = request.exchange().expectBody().returnResult();
        byte[] bytes = result.getResponseBody();
        return new Answer(
                result.getStatus().value(),
                result.getResponseHeaders().getETag(),
                bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8));
    }

    private Answer append(String query, String events, String... headers) {
        return send(HttpMethod.POST, "/events" + query, "{\"events\":[" + events + "]}", headers);
    }

    private static String added(int item) {
        return "{\"type\":\"Added\",\"data\":{\"item\": " + item + ".50}}";
    }

    @Test
    void appendedEvents_areRead() {
        assertThat(send(HttpMethod.GET, "", null).status()).isEqualTo(404);

        Answer appended = append("?version=0", added(1) + "," + added(2));
        assertThat(appended.body()).isEqualTo("{\"version\":2}");

        Answer tip = send(HttpMethod.GET, "", null);
        assertThat(tip.etag()).isEqualTo(appended.etag());
        assertThat(tip.json().path("version").asInt()).isEqualTo(2);
        assertThat(tip.body()).contains("\"data\":{\"item\": 1.50}");
        assertThat(send(HttpMethod.GET, "", null, "If-None-Match", String.valueOf(tip.etag()))
                        .status())
                .isEqualTo(304);
        JsonNode newest =
                send(HttpMethod.GET, "/events?backward=true&max=1", null).json();
        assertThat(newest.get(0).path("index").asInt()).isEqualTo(1);
        assertThat(send(HttpMethod.GET, "/events?from=1", null).json()).hasSize(1);
        assertThat(send(HttpMethod.GET, "/events?from=7", null).json()).isEmpty();
    }

    @Test
    void appendElsewhere_isAnsweredWithWhatWasMissed() {
        append("?version=0", added(1));
        String etag = String.valueOf(append("?version=1", added(2)).etag());

        Answer late = append("?version=1", added(3));

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.json().path("version").asInt()).isEqualTo(2);
        assertThat(late.json().path("events").get(0).path("data").path("item").asDouble())
                .isEqualTo(2.5);
        assertThat(late.body()).contains("\"data\":{\"item\": 2.50}"); // as it was appended, with all digits
        assertThat(append("", added(3), "If-Match", etag).status()).isEqualTo(200);
        assertThat(append("", added(4), "If-Match", etag).status()).isEqualTo(409);
        assertThat(append("", added(4)).json().path("version").asInt()).isEqualTo(4);
    }

    @Test
    void appendRepeated_happensOnce() {
        Answer first = append("?version=0", added(1), "Idempotency-Key", "k");

        assertThat(append("?version=0", added(1), "Idempotency-Key", "k")).isEqualTo(first);
        assertThat(send(HttpMethod.GET, "/events", null).json()).hasSize(1);
    }

    @Test
    void appendOfOtherEvents_withAUsedKey_appendsNothing() {
        Answer first = append("", added(1), "Idempotency-Key", "k");

        assertThat(append("", added(2), "Idempotency-Key", "k")).isEqualTo(first);
        assertThat(send(HttpMethod.GET, "/events", null).json()).hasSize(1);
    }

    @Test
    void unfolds_areReplaced_andPrunedEventsAreGone() {
        String both = "{\"events\":[" + added(1) + "],\"unfolds\":[{\"type\":\"State\",\"data\":[%d]}]}";
        send(HttpMethod.POST, "/events", both.formatted(1));
        send(HttpMethod.POST, "/events", both.formatted(2));

        JsonNode unfolds = send(HttpMethod.GET, "", null).json().path("unfolds");
        assertThat(unfolds).hasSize(1);
        assertThat(unfolds.get(0).path("data").get(0).asInt()).isEqualTo(2);
        assertThat(send(HttpMethod.DELETE, "/events?until=1", null)
                        .json()
                        .path("deleted")
                        .asInt())
                .isEqualTo(2);
        assertThat(send(HttpMethod.GET, "/events", null).status()).isEqualTo(410);
        assertThat(send(HttpMethod.GET, "", null).json().path("version").asInt())
                .isEqualTo(2);
    }

    @Test
    void megabyteOfEvents_isAppended_andMoreThanTheLimitIsNot() {
        String half = "{\"type\":\"Drawn\",\"data\":\"" + "x".repeat(500_000) + "\"}";

        assertThat(append("", half + "," + half).status()).isEqualTo(200);
        assertThat(append("", String.join(",", Collections.nCopies(40, half))).status())
                .isEqualTo(413);
    }

    @Test
    void whatCannotBeRead_isRefused() {
        assertThat(send(HttpMethod.POST, "/events", "{}").json().path("code").asString())
                .isEqualTo("nothing_to_write");
        for (String body :
                new String[] {"[]", "{\"events\":[{\"data\":1}]}", "{\"events\":[1]}", "{\"events\":", "{\"x\":1}"}) {
            Answer answer = send(HttpMethod.POST, "/events", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.json().path("code").asString()).isEqualTo("malformed");
        }
        assertThat(append("?version=-1", added(1)).status()).isEqualTo(400);
        assertThat(append("", added(1), "If-Match", "7").status()).isEqualTo(400);
    }

    private JsonNode list(String query) {
        byte[] body = http.get()
                .uri("/api/v1/streams" + query)
                .accept(MediaType.APPLICATION_JSON)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return JsonMapper.shared().readTree(new String(body, StandardCharsets.UTF_8));
    }

    /** Reads the events of a category up to what there is at the time. */
    private List<ServerSentEvent<String>> follow(String category, @Nullable String since) {
        return followed("category=" + category, since);
    }

    private List<ServerSentEvent<String>> followed(String query, @Nullable String since) {
        return Objects.requireNonNull(http.get()
                .uri("/api/v1/streams?" + query)
                .accept(MediaType.TEXT_EVENT_STREAM)
                .headers(headers -> {
                    if (since != null) {
                        headers.set("Last-Event-ID", since);
                    }
                })
                .exchange()
                .expectStatus()
                .isOk()
                .returnResult(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
                .getResponseBody()
                .filter(message -> message.data() != null)
                .takeUntil(message -> "caught-up".equals(message.event()))
                .collectList()
                .block(Duration.ofSeconds(60)));
    }

    private void appendTo(String name, String events) {
        http.post()
                .uri("/api/v1/streams/" + name + "/events")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue("{\"events\":[" + events + "]}")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody();
    }

    @Test
    void streamsOfACategory_areListedInPages() {
        String category = "List" + UUID.randomUUID().toString().replace("-", "");
        appendTo(category + "-a", added(1));
        appendTo(category + "-b", added(1));
        appendTo(category + "2-c", added(1));

        JsonNode first = list("?category=" + category + "&max=1");
        JsonNode second = list(
                "?category=" + category + "&max=1&after=" + first.path("next").asString());

        assertThat(first.path("streams").toString()).isEqualTo("[\"" + category + "-a\"]");
        assertThat(second.path("streams").toString()).isEqualTo("[\"" + category + "-b\"]");
        assertThat(second.path("next").isNull()).isTrue();
        assertThat(list("").path("streams").size()).isPositive();
    }

    @Test
    void eventsOfACategory_areFollowed_alsoFromWhereAReaderStopped() {
        String category = "Follow" + UUID.randomUUID().toString().replace("-", "");
        appendTo(category + "-a", added(1) + "," + added(2));
        appendTo(category + "-b", added(3));

        List<ServerSentEvent<String>> first = follow(category, null);
        appendTo(category + "-a", added(4));
        List<ServerSentEvent<String>> second = follow(category, first.getLast().id());

        assertThat(first).hasSize(4);
        assertThat(first.getFirst().id()).as("more of the same step follows").isNull();
        assertThat(first.get(1).id()).isNotNull();
        assertThat(first.getFirst().data())
                .startsWith("{\"stream\":\"" + category + "-a\",\"event\":{\"index\":0,\"type\":\"Added\"")
                .contains("{\"item\": 1.50}");
        assertThat(second).hasSize(2);
        assertThat(second.getFirst().data()).contains("{\"item\": 4.50}").contains("\"index\":2");
    }

    @Test
    void eventsOfOneStream_areFollowedAlone() {
        String category = "One" + UUID.randomUUID().toString().replace("-", "");
        appendTo(category + "-a", added(1));
        appendTo(category + "-a2", added(2));

        List<ServerSentEvent<String>> first = followed("stream=" + category + "-a", null);
        appendTo(category + "-a2", added(3));
        appendTo(category + "-a", added(4));
        List<ServerSentEvent<String>> second =
                followed("stream=" + category + "-a", first.getLast().id());

        assertThat(first).hasSize(2);
        assertThat(first.getFirst().data()).startsWith("{\"stream\":\"" + category + "-a\",\"event\":{\"index\":0,");
        assertThat(second).hasSize(2);
        assertThat(second.getFirst().data()).contains("\"event\":{\"index\":1,");
    }

    @Test
    void positionsThatAreNotValid_areRefused() {
        for (String[] refused : new String[][] {
            {"?since=x", "400"},
            {"?since=9-1", "400"},
            {"?since=0-900000000000000", "410"},
            {"?category=a-b", "400"},
            {"?stream=a", "400"},
            {"?stream=a-b&category=a", "400"}
        }) {
            http.get()
                    .uri("/api/v1/streams" + refused[0])
                    .accept(MediaType.TEXT_EVENT_STREAM, MediaType.APPLICATION_PROBLEM_JSON)
                    .exchange()
                    .expectStatus()
                    .isEqualTo(Integer.parseInt(refused[1]))
                    .expectBody();
        }
    }
}
