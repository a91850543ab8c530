package io.millrace.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;
import com.pty4j.WinSize;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jline.utils.ScreenTerminal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The query shell as a process in a pseudo-terminal, on the running suite. */
class QueryShellIT {

    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String UP = "\u001bOA";
    private static final String ENDLESS =
            "SELECT COUNT(*) AS n FROM ARRAY_RANGE(0, 1000000) AS a UNNEST ARRAY_RANGE(0, 1000000) AS b;";

    private static final Path STATE = RunningSuite.scratch("shell");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** A terminal of 100 columns in which the shell runs, and what its screen shows. */
    private static final class Window implements AutoCloseable {

        private final PtyProcess process;
        private final ScreenTerminal screen = new ScreenTerminal(100, 40);
        private final Thread reader;

        Window() throws IOException {
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(RunningSuite.environment());
            environment.put("XDG_STATE_HOME", STATE.toString());
            environment.put("TERM", "xterm-256color");
            process = new PtyProcessBuilder(LauncherProcess.command("-Dmillrace.terminals=012", "query")
                            .toArray(String[]::new))
                    .setEnvironment(environment)
                    .setInitialColumns(100)
                    .setInitialRows(40)
                    .start();
            process.setWinSize(new WinSize(100, 40));
            reader = Thread.ofPlatform().daemon().start(this::read);
        }

        private void read() {
            byte[] bytes = new byte[4_096];
            try (InputStream in = process.getInputStream()) {
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    screen.write(new String(bytes, 0, n, UTF_8));
                }
            } catch (IOException e) {
                // the process has ended
            }
        }

        Window type(String keys) throws IOException {
            process.getOutputStream().write(keys.getBytes(UTF_8));
            process.getOutputStream().flush();
            return this;
        }

        Window sees(String text) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(screen.toString()).contains(text));
            return this;
        }

        /** Waits for the next prompt, because a key that comes before it belongs to the line that is given up. */
        Window givesUpTheLine() throws IOException {
            type(CTRL_C);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(screen.toString().stripTrailing()).endsWith("millrace>"));
            return this;
        }

        /** A key that comes while the terminal changes its mode may be lost, so it is pressed until the shell has ended. */
        void leaves() {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        if (process.isAlive()) {
                            type(CTRL_D);
                        }
                        return process.waitFor(500, TimeUnit.MILLISECONDS);
                    });
            assertThat(process.exitValue()).isZero();
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly();
            reader.join(Duration.ofSeconds(10));
        }
    }

    @BeforeAll
    static void documents() throws Exception {
        send("PUT", "/api/v1/buckets/parcels", "");
        send("PUT", "/api/v1/buckets/parcels/docs/1", "{\"grams\": 4711, \"to\": \"Oslo\"}");
        send("POST", "/query/service", "{\"statement\": \"CREATE PRIMARY INDEX IF NOT EXISTS ON parcels\"}");
    }

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    private static String send(String method, String path, String body) throws IOException, InterruptedException {
        URI url = RunningSuite.gateway().resolve(path);
        HttpRequest request = HttpRequest.newBuilder(url)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("Authorization", BuiltSuite.LOGIN.authorization())
                .build();
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode())
                .as("%s %s: %s", method, path, response.body())
                .isBetween(200, 299);
        return response.body();
    }

    @Test
    void statements_areCompletedTypedOverLinesAndKept() throws Exception {
        try (Window first = new Window()) {
            first.sees("millrace>")
                    .type("sel\t")
                    .sees("millrace> select ")
                    .type("p.*\r")
                    .sees(" -> ");
            first.type("FROM parc\t")
                    .sees("FROM parcels ")
                    .type("p;\r")
                    .sees("4711")
                    .sees("(1 row");
            first.type("SELECT p.gra\t").sees("SELECT p.grams").givesUpTheLine();
            first.leaves();
        }
        try (Window second = new Window()) {
            second.sees("millrace>").type(UP).sees("FROM parcels p;").type("\r").sees("4711");
            second.leaves();
        }
    }

    @Test
    void ctrlC_cancelsTheStatementOnTheServer() throws Exception {
        try (Window window = new Window()) {
            window.sees("millrace>").type(ENDLESS + "\r");
            await().atMost(Duration.ofSeconds(60)).until(() -> active().contains("ARRAY_RANGE"));

            window.type(CTRL_C).sees("Request cancelled");

            assertThat(active()).doesNotContain("ARRAY_RANGE");
            window.type("SELECT 40 + 2 AS n;\r").sees("42").leaves();
        }
    }

    private static String active() throws IOException, InterruptedException {
        return send("GET", "/admin/active_requests", "");
    }
}
