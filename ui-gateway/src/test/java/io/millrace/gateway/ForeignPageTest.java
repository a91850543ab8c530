package io.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** What a page of another site can do to the gateway that listens on the same machine. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ForeignPageTest {

    private static final FakeService service = new FakeService();

    @TempDir
    private Path directory;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void services(DynamicPropertyRegistry properties) {
        service.register(properties);
    }

    @BeforeEach
    void answer() {
        service.answers(200, "{\"secret\":\"millstone\"}");
    }

    @Test
    void aMoveToAForeignRedis_isNotStartedByAPage() {
        WebTestClient gateway =
                WebTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();

        gateway.post()
                .uri("/api/v1/move")
                .header("Origin", "http://evil.example")
                .header("Sec-Fetch-Site", "cross-site")
                .header("Content-Type", "text/plain")
                .bodyValue("{\"redis\":\"redis://127.0.0.1:9486\",\"buckets\":[\"x\"]}")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("cross_site");

        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aPageInABrowser_changesNothingAndReadsNothing() throws Exception {
        Optional<Chromium> browser = Chromium.find(directory, "pages of other sites");
        if (browser.isEmpty()) {
            return;
        }
        DisposableServer site = site();
        try {
            // another site, and another origin of the same site
            for (String host : new String[] {"localhost", "127.0.0.1"}) {
                String page = browser.get().open("http://" + host + ":" + site.port() + "/");

                assertThat(page).contains("<pre id=\"state\">done</pre>").contains("<pre id=\"read\">[]</pre>");
                assertThat(service.asked()).isEmpty();
            }
        } finally {
            site.disposeNow();
        }
    }

    @Test
    void aNameThatPointsToOurAddress_opensNothing() throws Exception {
        Optional<Chromium> browser = Chromium.find(directory, "DNS rebinding");
        if (browser.isEmpty()) {
            return;
        }

        String page = browser.get()
                .open(
                        "http://evil.example:" + port + "/api/v1/functions",
                        "--host-resolver-rules=MAP evil.example 127.0.0.1");

        assertThat(page).contains("unknown_host");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void anAddressThatTheUserHasTyped_isAnswered() throws Exception {
        Optional<Chromium> browser = Chromium.find(directory, "the address bar");
        if (browser.isEmpty()) {
            return;
        }

        String page = browser.get().open("http://127.0.0.1:" + port + "/api/v1/functions");

        assertThat(page).contains("millstone");
    }

    /** A server of another origin, whose only page tries everything. */
    private DisposableServer site() throws IOException {
        String page = new ClassPathResource("foreign-page.html")
                .getContentAsString(StandardCharsets.UTF_8)
                .replace("TARGET", "http://127.0.0.1:" + port);
        return Objects.requireNonNull(HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> response.header("Content-Type", "text/html; charset=utf-8")
                        .sendString(Mono.just(page)))
                .bindNow());
    }
}
