package io.millrace.metakvservice.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
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
                .responseTimeout(Duration.ofSeconds(20))
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
}
