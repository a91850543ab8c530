package io.millrace.httpdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** Slow and silent clients, over real sockets. */
@Timeout(60)
class RequestDeadlinesTest {

    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final DataSize NO_BUDGET = DataSize.ofBytes(0);

    private @Nullable WebServer server;

    @AfterEach
    void stop() {
        Objects.requireNonNull(server).stop();
    }

    @Test
    void halfOfAHeader_endsTheConnection_howeverManyBytesFollow() throws Exception {
        serves(limits(SHORT, LONG, LONG, 100), ServerHttpResponse::setComplete);

        try (Socket client = connected()) {
            OutputStream out = client.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
            Thread.ofVirtual().start(() -> drip(client, out));

            // closing with unread bytes may reset the connection before the client has read the 408
            assertThat(rest(client)).matches("(?s)(HTTP/1.1 408 .*)?");
        }
    }

    @Test
    void halfOfABody_isAnsweredWith408() throws Exception {
        serves(limits(LONG, SHORT, LONG, 100), ServerHttpResponse::setComplete);

        try (Socket client = connected()) {
            send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");

            assertThat(rest(client)).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void connectionWithoutARequest_isClosed() throws Exception {
        serves(limits(LONG, LONG, SHORT, 100), ServerHttpResponse::setComplete);

        try (Socket silent = connected();
                Socket used = connected()) {
            send(used, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(rest(silent)).isEmpty();
            assertThat(rest(used)).startsWith("HTTP/1.1 200 ").doesNotContain("408");
        }
    }

    @Test
    void unknownVersionOfHttp_isRefusedInAKnownOne() throws Exception {
        serves(limits(LONG, LONG, LONG, 100), ServerHttpResponse::setComplete);

        try (Socket client = connected()) {
            send(client, "POST / HTTP/3.9\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");

            assertThat(rest(client)).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void answer_mayTakeLongerThanAnyDeadline() throws Exception {
        serves(
                limits(SHORT, SHORT, SHORT, 100),
                response -> response.writeAndFlushWith(Flux.interval(SHORT.multipliedBy(2))
                        .take(2)
                        .map(i -> Mono.just(
                                response.bufferFactory().wrap(("piece" + i).getBytes(StandardCharsets.US_ASCII))))));

        try (Socket client = connected()) {
            send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");

            assertThat(rest(client)).startsWith("HTTP/1.1 200 ").contains("piece0", "piece1");
        }
    }

    @Test
    void connectionsAboveTheLimitOfAnAddress_areClosedAtOnce() throws Exception {
        serves(limits(LONG, LONG, LONG, 4), ServerHttpResponse::setComplete);

        try (Socket first = connected();
                Socket second = connected()) {
            assertThat(answered(first)).startsWith("HTTP/1.1 200 ");
            assertThat(answered(second)).startsWith("HTTP/1.1 200 ");

            try (Socket third = connected()) {
                assertThat(rest(third)).isEmpty();
            }
            assertThat(answered(first)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void responseThatIsNotRead_endsTheConnection_butASlowReaderGetsItAll() throws Exception {
        byte[] large = new byte[16 << 20];
        serves(
                new HttpDoorLimits(LONG, LONG, LONG, SHORT, 100, NO_BUDGET, LONG),
                response ->
                        response.writeWith(Mono.just(response.bufferFactory().wrap(large))));

        try (Socket silent = connected();
                Socket slow = connected()) {
            send(silent, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            send(slow, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            long read = 0;
            for (int part = 0; part < 10; part++) {
                LockSupport.parkNanos(SHORT.toNanos() / 2);
                read += slow.getInputStream().readNBytes(large.length / 10).length;
            }
            read += slow.getInputStream().readAllBytes().length;

            assertThat(read).isGreaterThan(large.length);
            assertThat(rest(silent).length()).isLessThan(large.length);
        }
    }

    @Test
    void webSocket_hasNoDeadlinesOfRequests() throws Exception {
        serves(
                limits(SHORT, SHORT, SHORT, 100),
                response -> response.setComplete()
                        .then(Mono.defer(() -> ServerHttpResponseDecorator.<HttpServerResponse>getNativeResponse(
                                        response)
                                .sendWebsocket((in, out) ->
                                        out.sendString(in.receive().asString().map(text -> "heard " + text))))));

        try (Socket client = connected()) {
            send(
                    client,
                    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            readUntil(client, "\r\n\r\n");
            byte[] frame = {(byte) 0x81, (byte) 0x85, 0, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'}; // text, masked with zeros
            client.getOutputStream().write(frame, 0, 4);
            LockSupport.parkNanos(SHORT.multipliedBy(3).toNanos());
            client.getOutputStream().write(frame, 4, frame.length - 4);

            readUntil(client, "heard hello");
        }
    }

    private static void readUntil(Socket client, String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(end) < 0) {
            int next = client.getInputStream().read();
            assertThat(next).as("after '%s'", read).isNotNegative();
            read.append((char) next);
        }
    }

    private static HttpDoorLimits limits(Duration header, Duration body, Duration idle, int connections) {
        return new HttpDoorLimits(header, body, idle, LONG, connections, NO_BUDGET, LONG);
    }

    private interface Answer {
        Mono<Void> give(ServerHttpResponse response);
    }

    /** Reads the body of each request to its end and then gives the answer. */
    private void serves(HttpDoorLimits limits, Answer answer) {
        var factory = new NettyReactiveWebServerFactory(0);
        factory.setAddress(java.net.InetAddress.getLoopbackAddress());
        new HttpDoorAutoConfiguration().httpDoor(limits).customize(factory);
        HttpHandler handler =
                (request, response) -> request.getBody().then().then(Mono.defer(() -> answer.give(response)));
        WebServer started = factory.getWebServer(handler);
        started.start();
        server = started;
    }

    private Socket connected() throws IOException {
        return new Socket(
                java.net.InetAddress.getLoopbackAddress(),
                Objects.requireNonNull(server).getPort());
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String answered(Socket client) throws IOException {
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        byte[] start = client.getInputStream().readNBytes("HTTP/1.1 200 ".length());
        client.getInputStream().read(new byte[4096]);
        return new String(start, StandardCharsets.US_ASCII);
    }

    /** Returns everything until the server closes the connection. */
    private static String rest(Socket client) throws IOException {
        try {
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (java.net.SocketException reset) {
            return "";
        }
    }

    private static void drip(Socket client, OutputStream out) {
        try {
            while (!client.isClosed()) {
                out.write('x');
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        } catch (IOException e) {
            // the server has closed the connection, or the test is over
        }
    }
}
