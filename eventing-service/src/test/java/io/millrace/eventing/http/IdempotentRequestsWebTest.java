package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.consumer.RequestResult;
import io.millrace.workerprotocol.HttpBody;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Requests for functions with an Idempotency-Key; a fake runtime counts the calls. */
class IdempotentRequestsWebTest extends WebTest {

    private final AtomicInteger calls = new AtomicInteger();
    private final String key = UUID.randomUUID().toString();
    private WebTestClient client;

    @BeforeEach
    void createFunction() {
        client = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(Duration.ofSeconds(60))
                .build();
        create("f");
        runtime.onRequest(request -> {
            byte[] text = ("call " + calls.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            return CompletableFuture.completedFuture(new RequestResult.Answered(
                    Outcome.success(10), new HttpResponse(201, List.of(), new HttpBody(HttpBody.Kind.TEXT, text))));
        });
    }

    private EntityExchangeResult<String> send(HttpMethod method, String path, String body, String usedKey) {
        return client.method(method)
                .uri(path)
                .header("Idempotency-Key", usedKey)
                .header("Content-Type", "application/json")
                .bodyValue(body)
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }

    private static String code(EntityExchangeResult<String> result) {
        return result.getStatus().value() + " "
                + JSON.readTree(result.getResponseBody()).path("code").asString();
    }

    @Test
    void sameRequest_getsTheFirstAnswerAgain() {
        var first = send(HttpMethod.POST, "/fn/f/orders", "{}", key);
        var second = send(HttpMethod.POST, "/fn/f/orders", "{}", key);

        assertThat(first.getStatus().value()).isEqualTo(201);
        assertThat(first.getResponseHeaders().getFirst("Idempotency-Replayed")).isNull();
        assertThat(second.getStatus().value()).isEqualTo(201);
        assertThat(second.getResponseBody()).isEqualTo("call 1");
        assertThat(second.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
        assertThat(send(HttpMethod.POST, "/fn/f/orders", "{}", key + "2").getResponseBody())
                .isEqualTo("call 2");
    }

    @Test
    void sameRequest_getsTheFirstFailureAgain() {
        runtime.onRequest(request -> {
            calls.incrementAndGet();
            return CompletableFuture.completedFuture(new RequestResult.WorkerEnded());
        });
        var first = send(HttpMethod.POST, "/fn/f/orders", "{}", key);
        var second = send(HttpMethod.POST, "/fn/f/orders", "{}", key);

        assertThat(code(first)).isEqualTo("502 worker_ended");
        assertThat(first.getResponseHeaders().getFirst("Idempotency-Replayed")).isNull();
        assertThat(code(second)).isEqualTo("502 worker_ended");
        assertThat(second.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
        assertThat(calls).hasValue(1);
    }

    @Test
    void otherRequest_isRefused() {
        send(HttpMethod.POST, "/fn/f/orders", "{}", key);

        assertThat(code(send(HttpMethod.POST, "/fn/f/orders", "[]", key))).isEqualTo("422 idempotency_key_reused");
        assertThat(code(send(HttpMethod.POST, "/fn/f/other", "{}", key))).isEqualTo("422 idempotency_key_reused");
        assertThat(code(send(HttpMethod.PUT, "/fn/f/orders", "{}", key))).isEqualTo("422 idempotency_key_reused");
        assertThat(calls).hasValue(1);
    }

    @Test
    void keyIsOfOneFunction_andOfNoUseToReads() {
        create("g");
        send(HttpMethod.POST, "/fn/f/orders", "{}", key);

        assertThat(send(HttpMethod.POST, "/fn/g/orders", "{}", key).getResponseBody())
                .isEqualTo("call 2");
        for (int call = 3; call < 5; call++) {
            assertThat(client.get()
                            .uri("/fn/f/orders")
                            .header("Idempotency-Key", key)
                            .exchange()
                            .expectBody(String.class)
                            .returnResult()
                            .getResponseBody())
                    .isEqualTo("call " + call);
        }
    }

    @Test
    void badKeys_areRefused() {
        assertThat(code(send(HttpMethod.POST, "/fn/f", "{}", "k".repeat(256)))).isEqualTo("400 invalid_header");
        assertThat(calls).hasValue(0);
    }
}
