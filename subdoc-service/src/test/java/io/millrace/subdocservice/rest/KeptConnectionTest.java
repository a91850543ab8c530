package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A connection stays readable after pipelined requests; the HTTP server once stopped reading. */
class KeptConnectionTest {

    private static final String BUCKET = "kept";

    @Test
    void requestBehindPipelinedOnes_isAnswered() throws IOException {
        HeldStore store = new HeldStore(new MemoryDocumentStore(InstantSource.system()));
        StoreKit.await(store.catalog().createBucket(BUCKET, 1));
        String put =
                "PUT /api/v1/buckets/" + BUCKET + "/docs/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n1";
        String unknown = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";

        try (RestServer http = new RestServer(store, InstantSource.system());
                Socket socket = new Socket("127.0.0.1", http.port())) {
            socket.setSoTimeout(10_000);
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            store.held = true;
            send(socket, put + unknown);
            Awaitility.await().until(() -> store.begun.get() == 1);
            store.release();
            assertThat(status(answers)).isEqualTo("201");
            assertThat(status(answers)).isEqualTo("404");

            send(socket, unknown);
            assertThat(status(answers)).isEqualTo("404");
        }
        assertThat(StoreKit.await(store.count(Keyspace.of(BUCKET)))).isOne();
    }

    private static void send(Socket socket, String requests) throws IOException {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** Returns the status of the next response, which starts right after the body of the last one. */
    private static String status(BufferedReader answers) throws IOException {
        String line = answers.readLine();
        while (line != null && !line.contains("HTTP/1.1 ")) {
            line = answers.readLine();
        }
        return line == null
                ? "closed"
                : line.substring(line.indexOf("HTTP/1.1 ")).split(" ")[1];
    }
}
