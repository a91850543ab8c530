package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.eventing.consumer.StreamedResponse;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

/** Responses in parts, without workers: a fake runtime begins what OnRequest would. */
class StreamedRequestsWebTest extends WebTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeEach
    void createFunction() {
        create("f");
    }

    /** Lets the function begin a response, which ends when no client wants it any more. */
    private StreamedResponse streamed(List<String> told) {
        StreamedResponse response = response(told);
        runtime.onRequest(request -> CompletableFuture.completedFuture(new RequestResult.Streamed(response)));
        return response;
    }

    private static StreamedResponse response(List<String> told) {
        AtomicReference<StreamedResponse> own = new AtomicReference<>();
        StreamedResponse response = new StreamedResponse(
                new HttpResponse(
                        206,
                        List.of(new HttpResponse.Header("x-a", "b")),
                        new HttpBody(HttpBody.Kind.TEXT, "first".getBytes(StandardCharsets.UTF_8))),
                new StreamedResponse.Client() {
                    @Override
                    public void taken(long bytes) {
                        told.add("taken " + bytes);
                    }

                    @Override
                    public void gone() {
                        told.add("gone");
                        Objects.requireNonNull(own.get()).end(Outcome.success(1));
                    }
                });
        own.set(response);
        return response;
    }

    @Test
    void responseInParts_isSentAsTheyCome() {
        List<String> told = new CopyOnWriteArrayList<>();
        StreamedResponse response = streamed(told);

        var result = http.get().uri("/fn/f").exchange().returnResult(byte[].class);
        StepVerifier.create(result.getResponseBody().map(part -> new String(part, StandardCharsets.UTF_8)))
                .expectNext("first")
                .then(() -> response.part("second".getBytes(StandardCharsets.UTF_8)))
                .expectNext("second")
                .then(() -> response.end(Outcome.success(1)))
                .expectComplete()
                .verify(PATIENCE);

        assertThat(result.getStatus().value()).isEqualTo(206);
        assertThat(result.getResponseHeaders().getFirst("X-A")).isEqualTo("b");
        assertThat(result.getResponseHeaders().getFirst("Content-Type")).isEqualTo("text/plain;charset=UTF-8");
        assertThat(told).doesNotContain("gone");
    }

    @Test
    void responseThatFailsInTheMiddle_breaksTheConnection() {
        StreamedResponse response = streamed(new CopyOnWriteArrayList<>());

        var result = http.get().uri("/fn/f").exchange().returnResult(byte[].class);
        StepVerifier.create(result.getResponseBody())
                .expectNextCount(1)
                .then(() -> response.end(new Outcome(Outcome.Result.THREW, 1, "secret", 0, 0)))
                .expectErrorMatches(
                        failure -> !String.valueOf(failure.getMessage()).contains("secret"))
                .verify(PATIENCE);
    }

    @Test
    void clientThatHangsUp_endsTheResponse() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        streamed(told);

        try (Socket socket = call()) {
            StringBuilder read = new StringBuilder();
            while (read.indexOf("first") < 0) {
                read.append((char) socket.getInputStream().read());
            }
            assertThat(told).doesNotContain("gone");
        }

        await().atMost(PATIENCE).until(() -> told.contains("gone"));
    }

    private Socket call() throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        String request = "GET /fn/f HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void clientThatHangsUpBeforeTheResponseBegins_endsItToo() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        CompletableFuture<RequestResult> begins = new CompletableFuture<>();
        CompletableFuture<Boolean> called = new CompletableFuture<>();
        runtime.onRequest(request -> {
            called.complete(true);
            return begins;
        });

        try (Socket socket = call()) {
            assertThat(called.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
                    .isTrue();
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read())
                    .as("end of the server's side")
                    .isEqualTo(-1);
        }
        begins.complete(new RequestResult.Streamed(response(told)));

        await().atMost(PATIENCE).until(() -> told.contains("gone"));
    }

    @Test
    void headOfAResponseInParts_endsItAtOnce() {
        List<String> told = new CopyOnWriteArrayList<>();
        streamed(told);

        http.head()
                .uri("/fn/f")
                .exchange()
                .expectStatus()
                .isEqualTo(206)
                .expectBody()
                .isEmpty();

        assertThat(told).containsExactly("gone");
    }
}
