package io.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient;

/** How the console is served: one page at every address, and files whose names change with their content. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ConsolePagesTest {

    /** The budget of the first screen. */
    private static final int FIRST_SCREEN_BYTES = 250 * 1024;

    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    @LocalServerPort
    private int port;

    private WebTestClient gateway;

    @BeforeEach
    void connect() {
        gateway = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(4 * FIRST_SCREEN_BYTES))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"/, console/", "/index.html, console/", "/console, console/"})
    void start_leadsToTheConsole(String path, String location) {
        gateway.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isTemporaryRedirect()
                .expectHeader()
                .location(location)
                .expectBody();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/", "/console/functions/order.totals/log", "/console/documents/a.b/x"})
    void everyPlace_isTheSamePage(String path) {
        assertThat(page(path)).isEqualTo(page("/console/functions")).contains("<div id=\"app\">");
    }

    @Test
    void files_areThereAndKeptForGood() {
        Matcher links = LINK.matcher(page("/console/"));
        int assets = 0;

        while (links.find()) {
            boolean asset = links.group(1).contains("/assets/");
            gateway.get()
                    .uri(links.group(1))
                    .exchange()
                    .expectStatus()
                    .value(status -> assertThat(status).as(links.group(1)).isIn(200, 302))
                    .expectHeader()
                    .value(
                            HttpHeaders.CACHE_CONTROL,
                            cache -> assertThat(String.valueOf(cache).contains("immutable"))
                                    .isEqualTo(asset))
                    .expectBody();
            assets += asset ? 1 : 0;
        }
        assertThat(assets).isEqualTo(3);
        gateway.get()
                .uri("/console/assets/none.js")
                .exchange()
                .expectStatus()
                .isNotFound()
                .expectBody();
    }

    @Test
    void firstScreen_isCompressedAndWithinItsBudget() throws Exception {
        Matcher links = LINK.matcher(page("/console/"));
        int bytes = 0;

        while (links.find()) {
            if (links.group(1).contains("/assets/")) {
                HttpResponse<byte[]> answer = compressed(links.group(1));
                assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
                bytes += answer.body().length;
            }
        }
        assertThat(bytes).isBetween(1, FIRST_SCREEN_BYTES);
    }

    /** Asks with a client that leaves the answer compressed. */
    private HttpResponse<byte[]> compressed(String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .header("Accept-Encoding", "gzip")
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private String page(String path) {
        return Objects.requireNonNull(gateway.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals(HttpHeaders.CACHE_CONTROL, "no-cache")
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }
}
