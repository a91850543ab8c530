package io.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.reactive.server.WebTestClient;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class DocsPagesTest {

    @LocalServerPort
    private int port;

    private WebTestClient gateway;

    @BeforeEach
    void connect() {
        gateway =
                WebTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
    }

    @ParameterizedTest
    @CsvSource({"/docs, docs/index.html", "/docs/, index.html"})
    void docs_leadsToTheFirstPage(String path, String location) {
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
    @ValueSource(
            strings = {
                "/docs/index.html",
                "/docs/overview.html",
                "/docs/reference/settings.html",
                "/docs/explanation/where-things-happen.html",
                "/docs/glossary.html"
            })
    void page_isServed(String path) {
        gateway.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .value(page -> assertThat(page).contains("<main id=\"main\">"));
    }

    @Test
    void filesThatThePagesShare_areServed() {
        for (String path : List.of("/style.css", "/icon.svg", "/docs/docs.css", "/docs/docs.js", "/docs/search.json")) {
            gateway.get().uri(path).exchange().expectStatus().isOk().expectBody(Void.class);
        }
    }
}
