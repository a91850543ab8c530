package io.millrace.launcher.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadTest {

    @TempDir
    Path directory;

    private final List<String> requests = new ArrayList<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private HttpServer server;
    private GatewayClient gateway;
    private boolean bucketExists = true;
    private String answer = "";

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
        gateway = new GatewayClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), null);
    }

    @AfterEach
    void stop() {
        gateway.close();
        server.stop(0);
    }

    @Test
    void run_withAllLinesStored_printsTheirNumber() throws IOException {
        answer = """
            {"loaded":1,"refused":0,"bytes":10}
            {"done":true,"loaded":2,"refused":0,"lines":2,"bytes":20,"seconds":0.5,"refusals":[]}
            """;

        boolean complete = load("{\"id\":\"a\",\"value\":1}\n{\"id\":\"b\",\"value\":2}\n");

        assertThat(complete).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("2 documents in my bucket, 0 refused, 0.5 s (4 documents/s)");
        assertThat(requests)
                .containsExactly(
                        "GET /api/v1/buckets/my%20bucket ",
                        "POST /api/v1/buckets/my%20bucket/bulk {\"id\":\"a\",\"value\":1}\n"
                                + "{\"id\":\"b\",\"value\":2}\n");
    }

    @Test
    void run_withOneLine_countsIt() throws IOException {
        answer = "{\"done\":true,\"loaded\":1,\"refused\":0,\"seconds\":0.5,\"refusals\":[]}";

        load("{\"id\":\"a\",\"value\":1}\n");

        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("1 document in my bucket, 0 refused");
    }

    @Test
    void run_withoutTheBucket_createsIt() throws IOException {
        bucketExists = false;
        answer = "{\"done\":true,\"loaded\":0,\"refused\":0,\"seconds\":0,\"refusals\":[]}\n";

        load("[]\n{\"id\":\"a\",\"value\":1}\n");

        assertThat(requests).contains("PUT /api/v1/buckets/my%20bucket ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON\n", "{\"value\":1}\n{\"id\":\"a\"}\n", "{\"id\":7,\"value\":1}\n", "7\n\n"})
    void run_withoutTheBucketAndWithoutADocument_createsNone(String lines) {
        bucketExists = false;

        assertThatThrownBy(() -> load(lines))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("so the bucket my bucket was not created");

        assertThat(requests).containsExactly("GET /api/v1/buckets/my%20bucket ");
    }

    @Test
    void run_withARefusedLine_showsItAndIsIncomplete() throws IOException {
        answer = """
            {"done":true,"loaded":1,"refused":1,"seconds":1,"refusals":[{"line":2,"id":"b","code":"invalid_json","detail":"no value"}]}
            """;

        boolean complete = load("x");

        assertThat(complete).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("line 2 (b): invalid_json: no value");
    }

    @Test
    void run_thatStoppedEarly_fails() {
        answer = """
            {"done":true,"loaded":1,"refused":0,"seconds":1,"refusals":[],"stopped":"the store is away"}
            """;

        assertThatThrownBy(() -> load("x"))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("the store is away");
    }

    @Test
    void run_withoutTheFile_fails() {
        assertThatThrownBy(() -> new Load(gateway, out()).run(directory.resolve("absent"), "b"))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("Cannot read the file");
    }

    @Test
    void run_withoutAServer_saysHowToStartOne() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "x");
        try (GatewayClient closed = new GatewayClient(URI.create("http://127.0.0.1:1"), null)) {
            assertThatThrownBy(() -> new Load(closed, out()).run(file, "b"))
                    .isInstanceOf(LauncherException.class)
                    .hasMessageContaining("./millrace up");
        }
    }

    private boolean load(String lines) throws IOException {
        return new Load(gateway, out()).run(Files.writeString(directory.resolve("lines"), lines), "my bucket");
    }

    private PrintStream out() {
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
        boolean isLoad = exchange.getRequestURI().getPath().endsWith("/bulk");
        byte[] bytes = (isLoad ? answer : "{}").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(
                exchange.getRequestMethod().equals("GET") && !bucketExists ? 404 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
