package io.millrace.worker.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentsException;
import io.millrace.worker.cloudevents.Receiver.Request;
import io.millrace.worker.curl.Poster;
import io.millrace.worker.messages.Message;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(120)
class EventSinkTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Receiver server = new Receiver();
    private final List<EventSink> sinks = new ArrayList<>();

    EventSinkTest() throws IOException {}

    @AfterEach
    void close() {
        sinks.forEach(EventSink::close);
        server.close();
    }

    private EventSink sink(String secret, Duration patience, List<String> allowed) {
        HandlerSettings.Url url =
                new HandlerSettings.Url("shop", server.url() + "?x=1", "bearer", "", "", "token", false, true);
        EventSink sink = new EventSink(
                new Poster(
                        url,
                        new HandlerSettings.Access(allowed, List.of(), List.of(), "drivers", "kafka"),
                        "redis://127.0.0.1:1"),
                new EventSink.Settings("/functions/f", "com.example.paid", secret, patience));
        sinks.add(sink);
        return sink;
    }

    private EventSink sink() {
        return sink(SECRET, PATIENCE, List.of("127.0.0.1"));
    }

    private static Message message(String id, @Nullable String key, String type, String content) {
        return new Message(id, key, type, Map.of("X-Tenant", "a"), content.getBytes(StandardCharsets.UTF_8));
    }

    private static Message json(int n, String key) {
        return message("id" + n, key, "application/json", "{\"n\":" + n + "}");
    }

    private static DocumentsException failure(CompletableFuture<Void> answer) {
        CompletionException failed = catchThrowableOfType(CompletionException.class, answer::join);
        return (DocumentsException) Objects.requireNonNull(failed.getCause());
    }

    @Test
    void message_arrivesAsACloudEvent() {
        Instant before = Instant.now();
        sink().send(message("id1", "k\"ö", "application/json", "{\"price\":1.10}"), "00-trace")
                .join();

        Request request = server.requests().getFirst();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/events?x=1");
        assertThat(request.headers())
                .containsEntry("content-type", "application/cloudevents+json; charset=utf-8")
                .containsEntry("authorization", "Bearer token")
                .containsEntry("x-tenant", "a")
                .containsEntry("traceparent", "00-trace");
        JsonNode event = request.json();
        assertThat(event.propertyNames())
                .containsExactly("specversion", "id", "source", "type", "subject", "time", "datacontenttype", "data");
        assertThat(event.path("specversion").asString()).isEqualTo("1.0");
        assertThat(event.path("id").asString()).isEqualTo("id1");
        assertThat(event.path("source").asString()).isEqualTo("/functions/f");
        assertThat(event.path("type").asString()).isEqualTo("com.example.paid");
        assertThat(event.path("subject").asString()).isEqualTo("k\"ö");
        assertThat(Instant.parse(event.path("time").asString())).isBetween(before.minusMillis(1), Instant.now());
        assertThat(event.path("datacontenttype").asString()).isEqualTo("application/json");
        assertThat(request.text()).endsWith("\"data\":{\"price\":1.10}}");
    }

    @Test
    void textAndBytes_areWrittenAsTheFormatSays() {
        EventSink sink = sink();
        sink.send(message("id1", null, "text/plain", "a \"b\"\nü"), null).join();
        sink.send(message("id2", "", "application/octet-stream", "abc"), null).join();

        assertThat(server.requests().getFirst().json().path("data").asString()).isEqualTo("a \"b\"\nü");
        assertThat(server.requests().getFirst().json().has("subject")).isFalse();
        assertThat(server.requests().getLast().json().path("data_base64").asString())
                .isEqualTo("YWJj");
        assertThat(server.requests().getLast().json().has("subject")).isFalse();
    }

    /** HMAC-SHA256 as RFC 2104 defines it, of nothing but the hash. */
    private static String hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
        byte[] inner = Arrays.copyOf(key, 64);
        byte[] outer = Arrays.copyOf(key, 64);
        for (int i = 0; i < 64; i++) {
            inner[i] ^= 0x36;
            outer[i] ^= 0x5c;
        }
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        hash.update(inner);
        for (byte[] part : parts) {
            hash.update(part);
        }
        byte[] first = hash.digest();
        hash.update(outer);
        return Base64.getEncoder().encodeToString(hash.digest(first));
    }

    @Test
    void signature_isThatOfStandardWebhooks() throws GeneralSecurityException {
        long before = Instant.now().getEpochSecond();
        sink().send(json(1, "k"), null).join();

        Request request = server.requests().getFirst();
        String time = request.headers().getOrDefault("webhook-timestamp", "");
        assertThat(Long.parseLong(time)).isBetween(before, Instant.now().getEpochSecond());
        assertThat(request.headers()).containsEntry("webhook-id", "id1");
        byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
        String expected = hmac(key, ("id1." + time + ".").getBytes(StandardCharsets.UTF_8), request.body());
        assertThat(request.headers()).containsEntry("webhook-signature", "v1," + expected);
        // the example of the libraries for receivers
        assertThat(new Signature(SECRET)
                        .headers(
                                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                Instant.ofEpochSecond(1_614_265_330),
                                "{\"test\": 2432232314}".getBytes(StandardCharsets.US_ASCII)))
                .containsEntry("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void withoutASecret_nothingIsSigned() {
        sink("", PATIENCE, List.of("127.0.0.1")).send(json(1, "k"), null).join();

        assertThat(server.requests().getFirst().headers().keySet()).noneMatch(name -> name.startsWith("webhook-"));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 500, 503})
    void failuresThatPass_areTriedAgainWithTheSameEvent(int status) {
        server.behaves(number -> number <= 2 ? status : 200);

        sink().send(json(1, "k"), null).join();

        assertThat(server.requests()).hasSize(3);
        assertThat(server.requests())
                .extracting(Request::text)
                .containsOnly(server.requests().getFirst().text());
        assertThat(server.requests())
                .extracting(request -> request.headers().get("webhook-id"))
                .containsOnly("id1");
    }

    @Test
    void retryAfter_isWaitedFor() {
        server.behaves(number -> number == 1 ? 429 : 200, Map.of("Retry-After", "2"));
        long before = System.nanoTime();

        sink().send(json(1, "k"), null).join();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void retryAfterBeyondTheTime_givesUpAtOnce() {
        server.behaves(number -> 429, Map.of("Retry-After", "3600"));

        DocumentsException failure = failure(sink().send(json(1, "k"), null));

        assertThat(failure.code()).isEqualTo(DocumentsException.Code.UNAVAILABLE);
        assertThat(failure).hasMessage("It was not accepted within 60 seconds: The server answered 429: not now");
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 410, 413, 422})
    void refusal_isFinal(int status) {
        server.behaves(number -> status);

        DocumentsException failure = failure(sink().send(json(1, "k"), null));

        assertThat(failure.code()).isEqualTo(DocumentsException.Code.REFUSED);
        assertThat(failure).hasMessage("The server answered %d: not now".formatted(status));
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void redirect_isNotFollowed() {
        server.behaves(number -> 307, Map.of("Location", "/other"));

        assertThat(failure(sink().send(json(1, "k"), null)))
                .hasMessage(
                        "The server answered 307; events do not follow redirects, so bind the URL to which it leads");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void privateAddress_isNotCalledUnlessTheOperatorNamesIt() {
        DocumentsException failure = failure(sink(SECRET, PATIENCE, List.of()).send(json(1, "k"), null));

        assertThat(failure.code()).isEqualTo(DocumentsException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("MILLRACE_CURL_ALLOWED does not name 127.0.0.1");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void serverThatIsAway_getsTheEventsWhenItIsBack() {
        server.kill();
        EventSink sink = sink();
        List<CompletableFuture<Void>> answers = IntStream.range(0, 20)
                .mapToObj(n -> sink.send(json(n, "k" + n), null))
                .toList();

        server.restart();

        answers.forEach(CompletableFuture::join);
        assertThat(server.accepted()).hasSize(20);
    }

    @Test
    void serverThatStaysAway_failsWhenTheTimeIsOver() {
        server.behaves(number -> 503);

        DocumentsException failure = failure(
                sink(SECRET, Duration.ofSeconds(2), List.of("127.0.0.1")).send(json(1, "k"), null));

        assertThat(failure.code()).isEqualTo(DocumentsException.Code.UNAVAILABLE);
        assertThat(failure).hasMessage("It was not accepted within 2 seconds: The server answered 503: not now");
    }

    @Test
    void messagesOfAKey_keepTheirOrder_whateverFails() {
        server.behaves(number -> number % 3 == 0 ? 500 : 200);
        EventSink sink = sink();
        List<CompletableFuture<Void>> answers = IntStream.range(0, 60)
                .mapToObj(n -> sink.send(json(n, "k" + n % 6), null))
                .toList();

        answers.forEach(CompletableFuture::join);

        for (int k = 0; k < 6; k++) {
            String key = "k" + k;
            List<Integer> numbers = server.accepted().stream()
                    .filter(request -> request.json().path("subject").asString().equals(key))
                    .map(request -> request.json().path("data").path("n").asInt())
                    .toList();
            assertThat(numbers).hasSize(10).isSorted();
        }
    }

    @Test
    void unforeseenFailure_failsItsMessageAlone() {
        EventSink sink = sink();
        Map<String, String> none = Collections.singletonMap("X-Tenant", null); // which no handler can send

        CompletableFuture<Void> first = sink.send(new Message("id1", "k", "text/plain", none, new byte[0]), null);
        CompletableFuture<Void> second = sink.send(json(2, "k"), null);

        assertThat(failure(first))
                .hasMessageContaining("because of a defect of Millrace: java.lang.NullPointerException");
        assertThat(second).succeedsWithin(PATIENCE);
        assertThat(server.accepted()).hasSize(1);
    }

    @Test
    void end_failsWhatIsOnItsWayAndWhatWaits() {
        server.behaves(number -> Receiver.STALL);
        EventSink sink = sink();
        CompletableFuture<Void> first = sink.send(json(1, "k"), null);
        CompletableFuture<Void> second = sink.send(json(2, "k"), null);
        await().atMost(PATIENCE).until(() -> server.requests().size() == 1);

        sink.close();

        assertThat(failure(first)).hasMessage("The function has ended");
        assertThat(failure(second)).hasMessage("The function has ended");
        assertThat(failure(sink.send(json(3, "k"), null))).hasMessage("The function has ended");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Type", "AUTHORIZATION", "webhook-id", "Host"})
    void headersOfTheRequestItself_areNamed(String name) {
        Message message = new Message("i", null, "text/plain", Map.of(name, "x"), new byte[0]);

        assertThat(EventSink.refusedHeader(message)).hasValue(name);
        assertThat(EventSink.refusedHeader(json(1, "k"))).isEmpty();
    }
}
