package io.millrace.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {

    private static final Wire HTTP = Wire.http("GET", URI.create("http://127.0.0.1:1/d"), "", new byte[0]);
    private static final Wire REDIS = Wire.redis(bytes("GET"), bytes("d"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n",
                "$5\r\nhello\r\n",
                "+OK\r\n"
            })
    void response_isCompleteWithItsLastByteAndNotBefore(String response) throws IOException {
        Wire wire = response.startsWith("HTTP") ? HTTP : REDIS;
        byte[] received = bytes(response + "next");

        for (int length = 0; length < response.length(); length++) {
            assertThat(wire.end(received, length)).isEqualTo(Wire.INCOMPLETE);
        }
        assertThat(wire.end(received, response.length())).isEqualTo(response.length());
        assertThat(wire.end(received, received.length)).isEqualTo(response.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "$-1\r\n", "-ERR unknown\r\n"})
    void error_isNotCounted(String response) {
        Wire wire = response.startsWith("HTTP") ? HTTP : REDIS;

        assertThatThrownBy(() -> wire.end(bytes(response), response.length())).isInstanceOf(IOException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
