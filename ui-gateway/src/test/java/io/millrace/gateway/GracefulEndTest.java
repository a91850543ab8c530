package io.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The end of a gateway with requests in flight on its fast path. */
class GracefulEndTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void gatewayThatEnds_letsRequestsEnd() {
        var service = new FakeService();
        Sinks.Empty<Void> held = Sinks.empty();
        service.plays((request, response) ->
                held.asMono().then(response.sendString(Mono.just("at last")).then()));
        ConfigurableApplicationContext gateway = new SpringApplicationBuilder(GatewayApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.access.open=yes",
                        "--millrace.subdoc.url=" + service.url(),
                        "--millrace.metakv.url=" + service.url());
        int port = gateway.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            CompletableFuture<HttpResponse<String>> response = client.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/keys/slow"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            await().until(() -> service.asked().contains("GET /api/v1/keys/slow"));

            CompletableFuture<Void> end = CompletableFuture.runAsync(gateway::close);
            await().until(() -> refuses(port));
            assertThat(end).isNotDone();
            held.tryEmitEmpty();

            assertThat(response)
                    .succeedsWithin(LONG)
                    .extracting(HttpResponse::body)
                    .isEqualTo("at last");
            assertThat(end).succeedsWithin(LONG);
        } finally {
            service.stop();
        }
    }

    @Test
    void gatewayThatEnds_tellsWebSockets() {
        var service = new FakeService();
        service.plays((request, response) ->
                response.sse().sendString(Flux.just("data: {}\n\n").concatWith(Flux.never())));
        CompletableFuture<String> closed = new CompletableFuture<>();
        ConfigurableApplicationContext gateway = new SpringApplicationBuilder(GatewayApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.access.open=yes",
                        "--millrace.eventing.url=" + service.url(),
                        "--millrace.metakv.url=" + service.url());
        int port = gateway.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + port + "/api/v1/topics/news"), new WebSocket.Listener() {
                        @Override
                        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                            closed.complete(code + " " + reason);
                            return null;
                        }
                    })
                    .join();

            gateway.close();

            assertThat(closed).succeedsWithin(LONG).isEqualTo("1001 stopping");
        } finally {
            service.stop();
        }
    }

    private static boolean refuses(int port) {
        try (Socket another = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !another.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
