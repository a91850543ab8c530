package io.millrace.metakv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** What the HTTP client does when the network or the service misbehaves; a scripted server plays the service. */
class HttpMetakvTest {

    private interface Scene {
        Publisher<Void> play(HttpServerRequest request, HttpServerResponse response);
    }

    private record Asked(String method, String uri, String key, String lastEventId) {}

    private final Queue<Scene> script = new ConcurrentLinkedQueue<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private DisposableServer server;
    private MetakvClient metakv;

    @BeforeEach
    void start() {
        server = HttpServer.create()
                .host("127.0.0.1")
                .handle((request, response) -> {
                    asked.add(new Asked(
                            request.method().name(),
                            request.uri(),
                            request.requestHeaders().get("Idempotency-Key", ""),
                            request.requestHeaders().get("Last-Event-ID", "")));
                    Scene scene = script.poll();
                    return scene == null ? response.status(500).send() : scene.play(request, response);
                })
                .bindNow();
        metakv = MetakvClient.http(URI.create("http://127.0.0.1:" + server.port() + "/"));
    }

    @AfterEach
    void stop() {
        server.disposeNow();
    }

    @Test
    void write_isRepeatedWithTheSameKeyAfterALostAnswer() {
        script.add((request, response) -> request.receive().then(hangUp(response)));
        script.add((request, response) -> request.receive()
                .then(response.status(503)
                        .sendString(Mono.just("{\"error\":\"unavailable\",\"message\":\"m\",\"status\":503}"))
                        .then()));
        script.add((request, response) -> request.receive()
                .then(response.header(HttpHeaderNames.ETAG, "\"7\"")
                        .sendString(Mono.just("{}"))
                        .then()));

        String rev = metakv.set("/a", new byte[] {1}).block();

        assertThat(rev).isEqualTo("7");
        assertThat(asked).extracting(Asked::key).doesNotContain("");
        assertThat(asked.stream().map(Asked::key).distinct()).hasSize(1);
    }

    @Test
    void manyCallsAtOnce_waitForAConnection() {
        int calls = 200;
        Sinks.Empty<Void> answer = Sinks.empty();
        for (int i = 0; i < calls; i++) {
            script.add((request, response) -> answer.asMono()
                    .then(response.header(HttpHeaderNames.ETAG, "\"7\"")
                            .sendString(Mono.just("{}"))
                            .then()));
        }

        CompletableFuture<List<MetakvEntry>> all = Flux.range(0, calls)
                .flatMap(i -> metakv.get("/a"), calls)
                .collectList()
                .toFuture();
        answer.tryEmitEmpty(); // every call has been made: those without a connection wait

        assertThat(all).succeedsWithin(Duration.ofSeconds(60));
        assertThat(all.join()).hasSize(calls);
    }

    @Test
    void call_refusedByTheServiceIsNotRepeated() {
        script.add((request, response) -> response.status(400)
                .sendString(Mono.just("{\"code\":\"invalid_path\",\"detail\":\"Not so.\",\"status\":400}")));

        assertThatThrownBy(() -> metakv.get("/a").block()).isInstanceOfSatisfying(MetakvException.class, failure -> {
            assertThat(failure.code()).isEqualTo(MetakvException.Code.INVALID_PATH);
            assertThat(failure).hasMessage("Not so.");
        });
        assertThat(asked).hasSize(1);
    }

    @Test
    void call_toAnAbsentServiceIsUnavailable() {
        server.disposeNow();

        assertThatThrownBy(() -> metakv.get("/a").block(Duration.ofSeconds(20)))
                .isInstanceOfSatisfying(
                        MetakvException.class,
                        failure -> assertThat(failure.code()).isEqualTo(MetakvException.Code.UNAVAILABLE));
    }

    @Test
    void call_toAnotherServiceIsUnexpected() {
        script.add((request, response) -> response.status(200).sendString(Mono.just("<html>")));

        assertThatThrownBy(() -> metakv.list("/").block())
                .isInstanceOfSatisfying(
                        MetakvException.class,
                        failure -> assertThat(failure.code()).isEqualTo(MetakvException.Code.UNEXPECTED));
    }

    @Test
    void watch_resumesAfterALostConnection() {
        script.add(sse(true, reset(), entry("/d/a", "1", "r1"), ready("e-1"), entry("/d/a", "2", "r2") + "id: e-2\n"));
        script.add(sse(false, ready("e-2"), entry("/d/a", "3", "r3") + "id: e-3\n"));

        List<String> seen = watch();

        await().untilAsserted(() -> assertThat(seen).containsExactly("/d/a=1", "ready", "/d/a=2", "/d/a=3"));
        assertThat(asked).extracting(Asked::lastEventId).containsExactly("", "e-2");
    }

    @Test
    void watch_emitsOnlyTheDifferencesAfterANewFullList() {
        script.add(sse(
                true,
                reset(),
                entry("/d/a", "1", "r1"),
                entry("/d/b", "1", "r2"),
                entry("/d/c", "1", "r3"),
                ready("e-1")));
        script.add(sse(
                false,
                reset(),
                entry("/d/a", "1", "r1"),
                entry("/d/c", "2", "r4"),
                entry("/d/d", "1", "r5"),
                ready("f-9")));

        List<String> seen = watch();

        await().untilAsserted(() -> assertThat(seen)
                .containsExactly("/d/a=1", "/d/b=1", "/d/c=1", "ready", "/d/c=2", "/d/d=1", "/d/b gone"));
    }

    @Test
    void watch_disconnectedWithinAListStartsOver() {
        script.add(sse(true, reset(), entry("/d/a", "1", "r1")));
        script.add((request, response) -> response.status(503).send());
        script.add(sse(false, reset(), entry("/d/b", "1", "r2"), ready("e-1")));

        List<String> seen = watch();

        await().untilAsserted(() -> assertThat(seen).containsExactly("/d/a=1", "/d/b=1", "/d/a gone", "ready"));
        assertThat(asked).extracting(Asked::lastEventId).containsOnly("");
    }

    @Test
    void watch_continuesAfterAnUnknownResponse() {
        script.add((request, response) -> response.status(500).sendString(Mono.just("what is that?")));
        script.add(sse(true, "event: changed\ndata: {no json\n\n"));
        script.add(sse(false, reset(), entry("/d/a", "1", "r1"), ready("e-1")));

        List<String> seen = watch();

        await().untilAsserted(() -> assertThat(seen).containsExactly("/d/a=1", "ready"));
    }

    @Test
    void watch_parsesEventsSplitAnywhere() {
        String text = ": hello\n\n" + event(reset()) + event(entry("/d/ü", "größe", "r1")) + event(ready("e-1"));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var pieces = new ArrayDeque<byte[]>();
        for (byte b : bytes) {
            pieces.add(new byte[] {b});
        }
        script.add((request, response) ->
                response.sse().sendByteArray(Flux.fromIterable(pieces).concatWith(Flux.never())));

        List<String> seen = watch();

        await().untilAsserted(() -> assertThat(seen).containsExactly("/d/ü=größe", "ready"));
    }

    private List<String> watch() {
        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv.watch("/d/")
                .map(event -> switch (event) {
                    case MetakvEvent.Changed(MetakvEntry entry) -> entry.path() + "=" + entry.text();
                    case MetakvEvent.Deleted(String path) -> path + " gone";
                    case MetakvEvent.Ready() -> "ready";
                })
                .subscribe(seen::add);
        server.onDispose(watch);
        return seen;
    }

    private static Scene sse(boolean cutOff, String... events) {
        Flux<String> said = Flux.just(events).map(HttpMetakvTest::event);
        return (request, response) -> response.sse()
                .sendString(said.concatWith(cutOff ? Flux.empty() : Flux.never()))
                .then(cutOff ? hangUp(response) : Mono.empty());
    }

    private static Mono<Void> hangUp(HttpServerResponse response) {
        return Mono.fromRunnable(
                () -> response.withConnection(connection -> connection.channel().close()));
    }

    private static String event(String lines) {
        return lines + "\n";
    }

    private static String reset() {
        return "event: reset\ndata: {}\n";
    }

    private static String ready(String id) {
        return "event:ready\r\ndata:{}\r\nid:" + id + "\r\n";
    }

    private static String entry(String path, String value, String rev) {
        String base64 = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        return "event: entry\ndata: {\"path\":\"" + path + "\",\"value\":\"" + base64 + "\",\ndata: \"rev\":\"" + rev
                + "\"}\n";
    }
}
