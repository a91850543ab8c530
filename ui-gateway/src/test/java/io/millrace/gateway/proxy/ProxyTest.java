package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.gateway.FakeService;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClient;

/** Requests and answers on their way through the gateway, over real sockets. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ProxyTest {

    private static final FakeService service = new FakeService();
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int CHUNK = 64 * 1024;

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @LocalServerPort
    private int port;

    private HttpClient client;

    @BeforeEach
    void connect() {
        client = HttpClient.newConnection().baseUrl("http://127.0.0.1:" + port);
    }

    @Test
    void request_arrivesAsItWasSent() {
        var seen = new AtomicReference<HttpHeaders>();
        var body = new AtomicReference<String>();
        service.plays((request, response) -> {
            seen.set(request.requestHeaders().copy());
            return request.receive()
                    .aggregate()
                    .asString()
                    .doOnNext(body::set)
                    .then(response.status(204).send());
        });

        Integer status = client.headers(headers -> headers.set("If-Match", "\"42\"")
                        .set("Connection", "keep-alive, X-Private")
                        .set("X-Private", "between us")
                        .set("TE", "trailers")
                        .set("Cookie", "a=1; b=2")
                        .set("Content-Type", "application/json")
                        .set("X-Forwarded-For", "10.1.2.3"))
                .put()
                .uri("/api/v1/buckets/b/docs/a%2Fb%20c?expiry=5&x=%26")
                .send(Mono.fromSupplier(() -> Unpooled.copiedBuffer("{\"n\":1.10}".getBytes())))
                .responseSingle(
                        (response, content) -> Mono.just(response.status().code()))
                .block(LONG);

        assertThat(status).isEqualTo(204);
        assertThat(service.asked()).containsExactly("PUT /api/v1/buckets/b/docs/a%2Fb%20c?expiry=5&x=%26");
        assertThat(body).hasValue("{\"n\":1.10}");
        HttpHeaders arrived = Objects.requireNonNull(seen.get());
        assertThat(arrived.get("If-Match")).isEqualTo("\"42\"");
        assertThat(arrived.get("Cookie")).isEqualTo("a=1; b=2");
        assertThat(arrived.get("Host")).isEqualTo(service.url().substring("http://".length()));
        assertThat(arrived.get("X-Forwarded-For")).isEqualTo("10.1.2.3, 127.0.0.1");
        assertThat(arrived.get("X-Forwarded-Proto")).isEqualTo("http");
        assertThat(arrived.get("X-Forwarded-Host")).isEqualTo("127.0.0.1:" + port);
        assertThat(arrived.names().stream().map(String::toLowerCase)).doesNotContain("x-private", "te", "connection");
    }

    @Test
    void answer_arrivesAsItWasGiven() {
        service.plays((request, response) -> response.status(409)
                .header("ETag", "\"7\"")
                .header("status", "53")
                .header("Keep-Alive", "timeout=5")
                .addHeader("Set-Cookie", "a=1")
                .addHeader("Set-Cookie", "b=2")
                .header("Content-Type", "application/json")
                .sendString(Mono.just("{\"error\":\"conflict\"}")));

        String body = client.get()
                .uri("/api/v1/functions/f")
                .responseSingle((response, content) -> {
                    assertThat(response.status().code()).isEqualTo(409);
                    assertThat(response.responseHeaders().get("ETag")).isEqualTo("\"7\"");
                    assertThat(response.responseHeaders().get("status")).isEqualTo("53");
                    assertThat(response.responseHeaders().getAll("Set-Cookie")).containsExactly("a=1", "b=2");
                    assertThat(response.responseHeaders().contains("Keep-Alive"))
                            .isFalse();
                    return content.asString();
                })
                .block(LONG);

        assertThat(body).isEqualTo("{\"error\":\"conflict\"}");
    }

    @Test
    void answer_withoutABodyKeepsItsLength() {
        service.plays((request, response) -> response.status(200)
                .header("Content-Length", "17")
                .header("ETag", "\"1\"")
                .send());

        HttpHeaders headers = Objects.requireNonNull(client.request(HttpMethod.HEAD)
                .uri("/api/v1/buckets/b/docs/d")
                .response()
                .map(response -> response.responseHeaders())
                .block(LONG));

        assertThat(headers.get("Content-Length")).isEqualTo("17");
        service.plays((request, response) ->
                response.status(304).header("ETag", "\"1\"").send());
        assertThat(client.get()
                        .uri("/_metakv/x")
                        .response()
                        .map(response -> response.status().code())
                        .block(LONG))
                .isEqualTo(304);
    }

    @Test
    void eventStream_passesEachEventAtOnceAndEndsWithItsClient() {
        Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
        var ended = new AtomicInteger();
        service.plays(
                (request, response) -> response.sse().sendString(events.asFlux().doOnCancel(ended::incrementAndGet)));
        List<String> seen = new CopyOnWriteArrayList<>();

        Disposable stream = client.get()
                .uri("/_metakv/functions/")
                .responseContent()
                .asString()
                .subscribe(seen::add);

        for (int i = 0; i < 20; i++) {
            String event = "data: " + i + "\n\n";
            await().until(() -> events.tryEmitNext(event).isSuccess());
            int count = i;
            await().untilAsserted(() -> assertThat(String.join("", seen)).endsWith("data: " + count + "\n\n"));
        }
        stream.dispose();
        await().untilAsserted(() -> assertThat(ended).hasValue(1));
    }

    @Test
    void upload_isPassedOnPieceByPiece() {
        var received = new AtomicLong();
        service.plays((request, response) -> request.receive()
                .asByteArray()
                .doOnNext(bytes -> received.addAndGet(bytes.length))
                .then(response.sendString(Mono.just("done")).then()));
        Sinks.Many<ByteBuf> pieces = Sinks.many().unicast().onBackpressureBuffer();

        Mono<String> answer = client.headers(headers -> headers.set("Content-Type", "application/x-ndjson"))
                .post()
                .uri("/api/v1/buckets/b/bulk")
                .send((request, out) -> out.send(pieces.asFlux(), piece -> true))
                .responseSingle((response, content) -> content.asString())
                .cache();
        Disposable running = answer.subscribe();
        pieces.tryEmitNext(Unpooled.wrappedBuffer(new byte[1000]));

        await().untilAsserted(() -> assertThat(received).hasValue(1000));
        pieces.tryEmitNext(Unpooled.wrappedBuffer(new byte[500]));
        await().untilAsserted(() -> assertThat(received).hasValue(1500));
        pieces.tryEmitComplete();
        assertThat(answer.block(LONG)).isEqualTo("done");
        running.dispose();
    }

    @Test
    void upload_thatIsShortArrivesWhole() {
        List<String> received = new CopyOnWriteArrayList<>();
        service.plays((request, response) -> request.receive()
                .asString()
                .doOnNext(received::add)
                .then(response.sendString(Mono.just("done")).then()));

        String answer = client.headers(headers -> headers.set("Content-Length", "12"))
                .put()
                .uri("/api/v1/buckets/b/docs/d")
                .send((request, out) -> out.send(
                        Flux.just("{\"a\"", ":[1,", "2]} ")
                                .map(text -> Unpooled.copiedBuffer(text.getBytes()))
                                .delayElements(Duration.ofMillis(50)),
                        piece -> true))
                .responseSingle((response, content) -> content.asString())
                .block(LONG);

        assertThat(answer).isEqualTo("done");
        assertThat(received).containsExactly("{\"a\":[1,2]} ");
    }

    @Test
    void upload_thatTheServiceIsSlowToTakeWaitsAtTheClient() {
        int chunks = 4_000; // 250 MiB
        var go = Sinks.<Boolean>one();
        var received = new AtomicLong();
        service.plays((request, response) -> go.asMono()
                .thenMany(request.receive().asByteArray().doOnNext(bytes -> received.addAndGet(bytes.length)))
                .then(response.sendString(Mono.just("done")).then()));
        var sent = new AtomicInteger();

        Mono<String> answer = client.headers(headers -> headers.set("Content-Type", "application/x-ndjson"))
                .post()
                .uri("/api/v1/buckets/b/bulk")
                .send(Flux.range(0, chunks)
                        .doOnNext(i -> sent.incrementAndGet())
                        .map(i -> Unpooled.wrappedBuffer(new byte[CHUNK])))
                .responseSingle((response, content) -> content.asString())
                .cache();
        Disposable running = answer.subscribe();

        var before = new AtomicInteger(-1);
        await().pollInterval(Duration.ofMillis(500)).atMost(LONG).until(() -> {
            int now = sent.get();
            return now > 0 && before.getAndSet(now) == now;
        });
        assertThat(sent.get()).isLessThan(chunks / 2); // the buffers of sockets grow to 32 MiB
        go.tryEmitValue(true);
        assertThat(answer.block(LONG)).isEqualTo("done");
        assertThat(received).hasValue((long) chunks * CHUNK);
        running.dispose();
    }

    @Test
    void download_thatTheClientIsSlowToTakeWaitsAtTheService() {
        int chunks = 4_000;
        var sent = new AtomicInteger();
        service.plays((request, response) -> response.send(Flux.range(0, chunks)
                .doOnNext(i -> sent.incrementAndGet())
                .map(i -> Unpooled.wrappedBuffer(new byte[CHUNK]))));
        var go = Sinks.<Boolean>one();

        Mono<Long> answer = client.get()
                .uri("/api/v1/export")
                .response((response, content) ->
                        go.asMono().thenMany(content.asByteArray().map(bytes -> (long) bytes.length)))
                .reduce(0L, Long::sum)
                .cache();
        Disposable running = answer.subscribe();

        var before = new AtomicInteger(-1);
        await().pollInterval(Duration.ofMillis(500)).atMost(LONG).until(() -> {
            int now = sent.get();
            return now > 0 && before.getAndSet(now) == now;
        });
        assertThat(sent.get()).isLessThan(chunks / 2); // the buffers of sockets grow to 32 MiB
        go.tryEmitValue(true);
        assertThat(answer.block(LONG)).isEqualTo((long) chunks * CHUNK);
        running.dispose();
    }

    @Test
    void path_thatBelongsToNoServiceIsNotFound() {
        service.answers(200, "{}");

        String body = client.get()
                .uri("/api/v1/bucketsful")
                .responseSingle((response, content) -> {
                    assertThat(response.status().code()).isEqualTo(404);
                    return content.asString();
                })
                .block(LONG);

        assertThat(body).contains("\"code\":\"not_found\"");
        assertThat(service.asked()).isEmpty();
    }
}
