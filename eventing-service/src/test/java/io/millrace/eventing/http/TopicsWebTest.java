package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;

/** Topics followed over HTTP. */
@Timeout(120)
class TopicsWebTest extends WebTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Autowired
    private MemoryTopics topics;

    private final String topic = "t" + UUID.randomUUID();

    /** A client that reads event by event, as lines without the blank one. */
    private final class Follower implements AutoCloseable {

        private final InputStream body;
        private final BufferedReader lines;

        Follower(String path, String... headers) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<InputStream> answer =
                    HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
            body = answer.body();
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        String event() throws IOException {
            StringBuilder event = new StringBuilder();
            for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
                event.append(event.isEmpty() ? "" : "|").append(line);
            }
            return event.toString();
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    @AfterEach
    void redisIsBack() {
        topics.setAway(false);
    }

    private void add(int n) {
        topics.add(topic, Map.of("data", "{\"n\":" + n + "}"));
    }

    @Test
    void newFollower_getsWhatIsPublishedFromThen() throws Exception {
        add(1);
        try (Follower follower = new Follower("/api/v1/topics/" + topic)) {
            assertThat(follower.event()).isEqualTo("event: following|id: 1-0|data: {}");

            add(2);

            assertThat(follower.event()).startsWith("id: 2-0|data: {\"message\":{\"n\":2},\"meta\":{\"topic\":");
        }
    }

    @Test
    void followerFromZero_getsEveryKindOfMessage() throws Exception {
        topics.add(
                topic,
                Map.of(
                        "id",
                        "m1",
                        "key",
                        "k",
                        "content_type",
                        "application/json",
                        "header.a",
                        "b",
                        "data",
                        "[1,\r\n2]"));
        topics.add(topic, Map.of("content_type", "text/plain", "data", "two\nlines"));
        topics.add(topic, Map.of("content_type", "application/octet-stream", "data", "abc"));
        try (Follower follower = new Follower("/api/v1/topics/" + topic + "?since=0")) {
            assertThat(follower.event()).isEqualTo("event: following|id: 0-0|data: {}");

            assertThat(follower.event())
                    .isEqualTo("id: 1-0|data: {\"message\":[1,  2],\"meta\":{\"topic\":\"" + topic
                            + "\",\"id\":\"m1\",\"key\":\"k\",\"headers\":{\"a\":\"b\"},\"entry\":\"1-0\","
                            + "\"time\":\"1970-01-01T00:00:00.001Z\"}}");
            assertThat(follower.event()).startsWith("id: 2-0|data: {\"message\":\"two\\nlines\",");
            assertThat(follower.event()).startsWith("id: 3-0|data: {\"base64\":\"YWJj\",");
        }
    }

    @Test
    void followerThatComesBack_continuesBehindItsLastMessage_whateverItsAddressSays() throws Exception {
        for (int n = 1; n <= 50; n++) {
            add(n);
        }
        try (Follower follower = new Follower("/api/v1/topics/" + topic + "?since=0", "Last-Event-ID", "20-0")) {
            assertThat(follower.event()).isEqualTo("event: following|id: 20-0|data: {}");
            for (int n = 21; n <= 50; n++) {
                assertThat(follower.event()).startsWith("id: " + n + "-0|data: {\"message\":{\"n\":" + n + "}");
            }
        }
    }

    @Test
    void followerWhoseMessageWasRemoved_isToldOfTheGap() throws Exception {
        for (int n = 1; n <= 5; n++) {
            add(n);
        }
        topics.removeOldest(topic, 3);
        try (Follower follower = new Follower("/api/v1/topics/" + topic + "?since=2");
                Follower all = new Follower("/api/v1/topics/" + topic + "?since=0")) {
            assertThat(follower.event()).isEqualTo("event: following|id: 2-0|data: {}");
            assertThat(follower.event()).isEqualTo("event: gap|data: {}");
            assertThat(follower.event()).startsWith("id: 4-0|");

            all.event();
            assertThat(all.event()).startsWith("id: 4-0|");
        }
    }

    @Test
    void redisAway_refusesNewFollowers_andOthersContinueWhenItIsBack() throws Exception {
        try (Follower follower = new Follower("/api/v1/topics/" + topic)) {
            follower.event();
            topics.setAway(true);
            get("/api/v1/topics/" + topic).problem(503, "unavailable");

            add(1);
            topics.setAway(false);

            assertThat(follower.event()).startsWith("id: 1-0|");
        }
    }

    @Test
    void clientThatDoesNotRead_isNotReadFor() throws Exception {
        String slow = MemoryTopics.ENDLESS + "-slow";
        String quick = MemoryTopics.ENDLESS + "-quick";
        try (Socket socket = new Socket("127.0.0.1", port);
                Follower follower = new Follower("/api/v1/topics/" + quick)) {
            socket.getOutputStream()
                    .write("GET /api/v1/topics/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
                            .formatted(slow, port)
                            .getBytes(StandardCharsets.US_ASCII));
            await().atMost(PATIENCE).until(() -> topics.reads(slow) > 0);

            follower.event();
            for (int n = 1; n <= 4_000; n++) {
                assertThat(follower.event().startsWith("id: " + n + "-0|"))
                        .as("%d", n)
                        .isTrue();
            }

            assertThat(topics.reads(slow)).isLessThan(40);
        }
    }

    @Test
    void head_ends() {
        Answer answer = ask(HttpMethod.HEAD, "/api/v1/topics/" + topic, null);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a%20b, ''",
        "-a, ''",
        "t, ?since=now",
        "t, ?since=-1",
        "t, ?since=1-",
        "t, ?since=9999999999999999999",
    })
    void wrongRequests_areRefused(String name, String query) {
        Answer answer = get("/api/v1/topics/" + name + query);

        answer.problem(400, "invalid_request");
    }
}
