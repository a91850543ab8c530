package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.Write;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.subdocservice.SubdocService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;

/** The bytes that requests and responses hold of the budget of the service. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "millrace.kv.port=0")
@AutoConfigureWebTestClient(timeout = "60s")
@Import(OpenApiTest.Memory.class)
class BudgetTest {

    private static final String BUCKET = "budget";
    private static final int HALF_BYTES = 1 << 20;

    @Autowired
    private ByteBudget budget;

    @Autowired
    private DocumentStore store;

    @Autowired
    private WebTestClient client;

    @LocalServerPort
    private int port;

    private long held;

    @BeforeEach
    void createBucket() {
        if (store.catalog().find(BUCKET).join().isEmpty()) {
            store.catalog().createBucket(BUCKET, 1).join();
        }
    }

    @AfterEach
    void everythingIsReturned() {
        budget.give(held);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(budget.held()).isZero();
            assertThat(budget.waiting()).isZero();
        });
    }

    private void fill() {
        held = budget.limit();
        budget.hold(held);
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /api/v1/buckets/budget/docs/a, application/json, overloaded",
        "PUT, /couch/budget/a, application/json, unavailable",
        "POST, /query/service, application/json, 12008",
        "POST, /query/service, application/x-www-form-urlencoded, 12008"
    })
    void requestThatDoesNotFit_isRefusedForNow(String method, String path, String type, String code) {
        fill();

        client.method(org.springframework.http.HttpMethod.valueOf(method))
                .uri(path)
                .contentType(MediaType.parseMediaType(type))
                .body(BodyInserters.fromResource(
                        new ByteArrayResource("{\"statement\":\"SELECT 1\"}".getBytes(StandardCharsets.US_ASCII))))
                .exchange()
                .expectStatus()
                .isEqualTo(503)
                .expectHeader()
                .valueEquals("Retry-After", "1")
                .expectBody(String.class)
                .value(body -> assertThat(body).contains(code));
    }

    @Test
    void requestThatWaits_isServedWhenThereIsRoom() throws Exception {
        fill();
        try (Socket socket = connected()) {
            send(socket, "PUT /api/v1/buckets/budget/docs/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1");
            await().until(() -> budget.waiting() == 1);
            budget.give(held);
            held = 0;

            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 20");
        }
    }

    @Test
    void halfOfABody_holdsWhatHasArrived() throws Exception {
        try (Socket socket = connected()) {
            send(
                    socket,
                    "PUT /api/v1/buckets/budget/docs/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                            .formatted(2 * HALF_BYTES));
            socket.getOutputStream().write(new byte[HALF_BYTES]);

            await().until(() -> budget.held() == HALF_BYTES);
        }
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/buckets/budget/docs/large", "/couch/budget/large"})
    void responseThatIsNotRead_isHeldUntilTheClientHasGone(String path) throws Exception {
        DocumentKey key = new DocumentKey(Keyspace.of(BUCKET), "large");
        byte[] body = ("{\"text\":\"" + "x".repeat(Limits.MAX_DOCUMENT_BYTES - 100) + "\"}")
                .getBytes(StandardCharsets.US_ASCII);
        store.write(Write.upsert(key, body)).join();

        try (Socket socket = connected()) {
            send(socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
            assertThat(budget.held()).isGreaterThanOrEqualTo(body.length);
        }
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 * 1024); // otherwise the system may take a whole response
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
