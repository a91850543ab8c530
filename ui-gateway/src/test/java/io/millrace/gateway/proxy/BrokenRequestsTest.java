package io.millrace.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.gateway.FakeService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What the log says about requests that are not sent to their end: one line at most for each. */
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BrokenRequestsTest {

    private static final FakeService service = new FakeService();
    private static final String REQUEST = "PUT /couch/db/half HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n";

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @LocalServerPort
    private int port;

    @Autowired
    private Upstreams upstreams;

    @Test
    void requestThatEndsInItsHeader_isOneLine(CapturedOutput log) throws IOException {
        try (Socket client = send(REQUEST + "X-Half: ")) {
            client.shutdownOutput();
        }

        await().until(() -> log.getAll().contains("Decoding failed"));
        await().untilAsserted(() -> assertThat(linesOf(log))
                .allMatch(line -> line.startsWith("time="))
                .filteredOn(line -> line.contains("Decoding failed"))
                .singleElement()
                .asString()
                .contains("/couch/db/half"));
    }

    @Test
    void requestThatEndsInItsBody_isNoFailureOfTheService(CapturedOutput log) throws IOException {
        service.plays(
                (request, response) -> request.receive().then(response.send().then()));
        try (Socket client =
                send(REQUEST + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"half\":")) {
            await().until(() -> upstreams.subdoc().inFlight().running() == 1);
            client.setSoLinger(true, 0);
        }

        await().until(() -> upstreams.subdoc().inFlight().running() == 0);
        assertThat(linesOf(log)).allMatch(line -> line.startsWith("time=")).noneMatch(line -> line.contains("error"));
    }

    private Socket send(String text) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        client.getOutputStream().write(text.formatted(port).getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
        return client;
    }

    /** Returns what was logged since the gateway has started. */
    private static List<String> linesOf(CapturedOutput log) {
        String all = log.getAll();
        return all.substring(all.indexOf("Started " + BrokenRequestsTest.class.getSimpleName()))
                .lines()
                .skip(1)
                .toList();
    }
}
