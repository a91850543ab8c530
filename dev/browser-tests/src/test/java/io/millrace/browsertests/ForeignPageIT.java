package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a page of another origin can do in the browser of a user who is logged in to the console. */
@ExtendWith(RealBrowser.class)
@Order(5)
class ForeignPageIT {

    private static final Path PAGE = Store.ROOT.resolve("ui-gateway/src/test/resources/foreign-page.html");
    private static final List<String> STATE = List.of(
            "/api/v1/functions",
            "/api/v1/buckets",
            "/settings/rbac/users",
            "/api/v1/keys",
            "/api/v1/secrets",
            "/couch/orders/_all_docs");

    private HttpServer site;

    @BeforeEach
    void begin(Browser browser, Store store) throws IOException {
        Samples.once(store, browser);
        browser.shape(Browser.WIDE, false);
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] page = Files.readString(PAGE).replace("TARGET", store.origin()).getBytes(StandardCharsets.UTF_8);
        site.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        site.start();
    }

    @AfterEach
    void end() {
        site.stop(0);
    }

    /** A page of the same host and another port is of the same site: the browser sends it the cookie of the session. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void page_readsAndChangesNothing(String host, Browser browser, Store store) {
        browser.open("/console/functions");
        browser.awaitText("main", "order_totals");
        List<String> before = state(store);
        Instant visited = Instant.now();

        browser.visit("http://" + host + ":" + site.getAddress().getPort() + "/");
        browser.awaitText("#state", "done");

        assertThat(browser.text("#read")).isEqualTo("[]");
        assertThat(state(store)).isEqualTo(before);
        assertThat(allowedActs(store, visited)).isEmpty();
        browser.open("/console/functions");
        browser.awaitText("main", "order_totals");
    }

    /**
     * Every administrative act is recorded before it is carried out, whatever comes of it. What another test has done before comes to
     * the stream of the audit when it comes.
     */
    private static List<String> allowedActs(Store store, Instant since) {
        List<String> allowed = new ArrayList<>();
        JsonNode page;
        long next = 0;
        do {
            page = store.get("/api/v1/audit?max=1000&since=" + next);
            for (JsonNode line : page.get("lines")) {
                boolean later = Instant.parse(line.get("timestamp").asString()).isAfter(since);
                if (later && line.get("outcome").asString().equals("allowed")) {
                    allowed.add(line.toString());
                }
            }
            next = page.get("next").asLong();
        } while (page.get("more").asBoolean());
        return allowed;
    }

    private static List<String> state(Store store) {
        return STATE.stream().map(path -> store.send("GET", path, "").body()).toList();
    }
}
