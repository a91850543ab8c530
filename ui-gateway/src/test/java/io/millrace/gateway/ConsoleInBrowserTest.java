package io.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import reactor.core.publisher.Mono;

/** What the console shows in a real browser, under the policy of the gateway, for what the services answer. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ConsoleInBrowserTest {

    private static final FakeService service = new FakeService();

    private static final String STATES = """
            {"num_eventing_nodes": 1, "apps": [
              {"name": "add_totals", "composite_status": "deployed", "function_scope": {"bucket": "*", "scope": "*"},
               "deployment_status": true, "processing_status": true, "since": "2026-01-31T12:00:00Z"},
              {"name": "send_mail", "composite_status": "undeployed", "function_scope": {"bucket": "*", "scope": "*"},
               "deployment_status": false, "processing_status": false, "since": "2026-01-31T12:00:00Z",
               "failure": {"message": "OnDeploy: no <mail> server", "line": 7, "column": 3, "at": "2026-01-31T12:00:00Z"}}]}""";

    private static final String TOPOLOGY = """
            {"mode": "manual", "live": ["a", "c"], "unreachable": ["c"], "members": ["a", "b", "c"], "out": [], "frozen": false, "rebalancing": false,
             "planned": {"a": "0-511", "b": "512-1023"}, "before": {}, "change": null}""";

    /** Chromium does not wait for what a shared worker asks; without one, the page asks itself. */
    private static final String WITHOUT_SHARED_WORKERS = "--disable-blink-features=SharedWorker";

    @TempDir
    private Path directory;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @Test
    void home_namesTheServicesThatDoNotAnswer() throws Exception {
        service.answers(503, "{\"status\": \"DOWN\"}");

        Optional<String> page = shown("/console/");

        page.ifPresent(home -> assertThat(home)
                .contains("3 things need attention.")
                .contains("eventing-service does not answer: 503")
                .contains("See its log with ./millrace logs"));
    }

    @Test
    void home_givesTheReasonsOfFailuresAndLeadsToThem() throws Exception {
        answers(200, Map.of("/api/v1/status", STATES, "/api/v1/stats", "[]", "/api/v1/topology", TOPOLOGY));

        Optional<String> page = shown("/console/");

        page.ifPresent(home -> assertThat(home)
                .contains("3 things need attention.")
                .contains("Function send_mail failed to deploy: OnDeploy: no &lt;mail&gt; server (7:3)")
                .contains("href=\"/console/functions/send_mail\"")
                .contains("Eventing node b is gone.")
                .contains("Eventing node c takes no connections."));
    }

    @Test
    void home_behindAProxyThatAnswersForTheGateway_doesNotSayThatEverythingWorks() throws Exception {
        answers(200, Map.of("/api/v1/status", "{\"num_eventing_nodes\": 1, \"apps\": []}", "/api/v1/stats", "[]"));
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (HttpClient client = HttpClient.newHttpClient()) {
            proxy.createContext("/", exchange -> forward(client, exchange));
            proxy.createContext(
                    "/actuator/health",
                    exchange -> answer(
                            exchange, 503, "text/html", "<h1>Maintenance</h1>".getBytes(StandardCharsets.UTF_8)));
            proxy.start();

            Optional<String> page = shown(proxy.getAddress().getPort(), "/console/");

            page.ifPresent(home -> assertThat(home)
                    .contains("The server answered with status 503.")
                    .doesNotContain("Everything works"));
        } finally {
            proxy.stop(0);
        }
    }

    private void forward(HttpClient client, HttpExchange exchange) throws IOException {
        URI target = URI.create("http://127.0.0.1:" + port + exchange.getRequestURI());
        try {
            HttpResponse<byte[]> response =
                    client.send(HttpRequest.newBuilder(target).build(), HttpResponse.BodyHandlers.ofByteArray());
            String type = response.headers().firstValue("Content-Type").orElse("application/octet-stream");
            answer(exchange, response.statusCode(), type, response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void cluster_drawsEveryVbucketWithItsOwner() throws Exception {
        answers(
                200,
                Map.of(
                        "/api/v1/topology",
                        TOPOLOGY,
                        "/api/v1/topology/tasks",
                        "{\"rev\": \"\", \"tasks\": []}",
                        "/getOwnershipMap",
                        "{\"layout\": \"first\", \"frozen\": false, \"planned\": {}, \"functions\": {}}"));

        Optional<String> page = shown("/console/cluster");

        page.ifPresent(cluster -> {
            assertThat(cluster).contains("2 of 3 nodes are alive").contains("1,024 vbuckets: a 512, b 512");
            assertThat(cluster.split("<rect ", -1)).hasSize(1024 + 1);
        });
    }

    @Test
    void cluster_saysThatANodeJoins() throws Exception {
        answers(200, Map.of("/api/v1/topology", """
                {"mode": "auto", "live": ["a", "b"], "unreachable": [], "members": ["a"], "out": [], "frozen": false,
                 "rebalancing": true, "planned": {"a": "0-511", "b": "512-1023"}, "before": {"a": "0-1023"},
                 "change": {"phase": "PREPARE", "message": {"id": "7b68680e", "type": "topology-change-rebalance"}}}""", "/api/v1/topology/tasks", "{\"rev\": \"\", \"tasks\": []}"));

        Optional<String> page = shown("/console/cluster");

        page.ifPresent(cluster -> assertThat(cluster)
                .contains("One node is alive, 1 more joins. Rebalances are automatic.")
                .contains("A rebalance is in progress, phase prepare: 7b68680e."));
    }

    @Test
    void everyPlace_saysThatALoginIsMissing() throws Exception {
        service.answers(401, "{\"code\": \"unauthorized\", \"detail\": \"Log in.\", \"status\": 401}");

        Optional<String> page = shown("/console/functions");

        page.ifPresent(functions -> assertThat(functions)
                .contains("The server wants to know who you are")
                .contains("href=\"/login.html?next=%2Fconsole%2Ffunctions\""));
    }

    private static void answers(int status, Map<String, String> bodies) {
        service.plays((request, response) -> {
            String body = bodies.get(request.uri().replaceAll("\\?.*", ""));
            return request.receive()
                    .then(response.status(body == null && !request.uri().startsWith("/actuator") ? 404 : status)
                            .header("Content-Type", "application/json")
                            .sendString(Mono.just(body == null ? "{}" : body))
                            .then());
        });
    }

    /** Returns the elements of a page after its requests; empty where there is no browser. */
    private Optional<String> shown(String path) throws InterruptedException {
        return shown(port, path);
    }

    private Optional<String> shown(int port, String path) throws InterruptedException {
        Optional<Chromium> browser = Chromium.find(directory, "the console");
        return browser.isEmpty()
                ? Optional.empty()
                : Optional.of(browser.get().open("http://127.0.0.1:" + port + path, WITHOUT_SHARED_WORKERS));
    }
}
