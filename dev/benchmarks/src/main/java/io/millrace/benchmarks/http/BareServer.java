package io.millrace.benchmarks.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * A program with the server of the HTTP library and nothing else: what service and gateway cannot go below. With a number it
 * responds to every request with as many bytes; with a URL it passes every request on to it. Prints its port.
 */
final class BareServer {

    private static final int CONNECTIONS = 64;

    private BareServer() {}

    public static void main(String[] args) throws Exception {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(args[0].startsWith("http") ? pipe(args[0])::pass : bytes(Integer.parseInt(args[0]))::pass)
                .bindNow(Duration.ofSeconds(30));
        System.out.println(server.port());
        System.in.read(); // until the benchmark, which holds the other end, ends
        server.disposeNow();
    }

    private interface Handler {
        Publisher<Void> pass(HttpServerRequest request, HttpServerResponse response);
    }

    private static Handler bytes(int count) {
        byte[] body = new byte[count];
        return (request, response) -> response.header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(count))
                .sendObject(Unpooled.wrappedBuffer(body));
    }

    private static Handler pipe(String url) {
        HttpClient client = HttpClient.create(ConnectionProvider.create("pipe", CONNECTIONS));
        return (request, response) -> client.headers(
                        headers -> headers.set(request.requestHeaders()).remove(HttpHeaderNames.HOST))
                .request(HttpMethod.valueOf(request.method().name()))
                .uri(url + request.uri())
                .send((outgoing, out) -> request.requestHeaders().contains(HttpHeaderNames.CONTENT_LENGTH)
                        ? out.send(request.receive().retain())
                        : out)
                .response((answer, body) -> {
                    response.status(answer.status()).headers(answer.responseHeaders());
                    return Mono.from(response.send(body.retain()).then());
                });
    }
}
