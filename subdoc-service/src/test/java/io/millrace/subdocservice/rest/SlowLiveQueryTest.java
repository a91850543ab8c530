package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.SubdocService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** A live query of a client that does not read. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "millrace.kv.port=0")
@Import(SlowLiveQueryTest.Memory.class)
class SlowLiveQueryTest {

    private static final String BUCKET = "slow";
    private static final String PATH = "/api/v1/buckets/" + BUCKET;
    private static final int DOCUMENTS = 4_000;

    /** All of them are several times what the buffers of a connection take. */
    private static final byte[] LARGE =
            ("{\"text\": \"" + "x".repeat(20_000) + "\"}").getBytes(StandardCharsets.US_ASCII);

    private static final ReadStore store = new ReadStore(new MemoryDocumentStore(InstantSource.system()));

    @TestConfiguration(proxyBeanMethods = false)
    static class Memory {

        @Bean
        @Primary
        DocumentStore memory() {
            return store;
        }
    }

    @LocalServerPort
    private int port;

    /** A client that reads everything shows when the other one has had its time. */
    @Test
    void clientThatDoesNotRead_hasNoFurtherPiecesMade() throws IOException {
        store.catalog().createBucket(BUCKET, 1).join();
        for (int i = 0; i < DOCUMENTS; i++) {
            store.write(Write.upsert(new DocumentKey(Keyspace.of(BUCKET), "d" + i), LARGE))
                    .join();
        }
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1 << 12);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream()
                    .write(("GET " + PATH + "/live HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() ->
                    store.read().size() == 1 && store.read().getFirst().get() > 0);

            try (LiveClient reader = new LiveClient(port, PATH, "text IS VALUED").connect()) {
                await().atMost(Duration.ofMinutes(2)).until(() -> reader.documents.size() == DOCUMENTS);
            }

            assertThat(store.read().getFirst().get()).isLessThan(DOCUMENTS / 2);
        }
    }
}
