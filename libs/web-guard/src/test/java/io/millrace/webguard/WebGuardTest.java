package io.millrace.webguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.problemdetails.ProblemException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WebGuardTest {

    private static final String EVIL = "http://evil.example";
    private static final String APP = "https://app.example.com";

    private final WebGuard guard = new WebGuard(
            OwnHosts.of(List.of("db.example.com", "2001:db8::7"), List.of("builder")), new CorsDoor(List.of(APP)));

    private final AtomicBoolean passed = new AtomicBoolean();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8080",
                "localhost.:8080",
                "127.0.0.1:8080",
                "127.3.2.1",
                "[::1]:8080",
                "db.example.com",
                "DB.example.com:443",
                "[2001:db8::7]:8080",
                "builder:8080",
                "10.1.2.3:8080"
            })
    void aHostOfOurs_passes(String host) {
        assertThat(send(get("/api/v1/buckets").header("Host", host))).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example:8080",
                "127.0.0.1.evil.example",
                "db.example.com.evil.example",
                "10.1.2.4:8080",
                "evil@localhost",
                "localhost/",
                "localhost:8080:8080",
                "[::2]",
                "2130706433",
                "",
            })
    void aHostThatIsNotOurs_isMisdirected(String host) {
        assertThat(send(get("/api/v1/buckets").header("Host", host))).isEqualTo(421);
        assertThat(passed).isFalse();
    }

    @Test
    void severalHosts_areMisdirected() {
        assertThat(send(get("/").header("Host", "localhost", "localhost"))).isEqualTo(421);
    }

    @Test
    void noHost_isNotABrowser() {
        assertThat(send(get("/actuator/health"))).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"})
    void aForeignOrigin_isForbiddenWhateverTheMethod(String method) {
        assertThat(send(request(method, "/api/v1/move")
                        .header("Host", "localhost:8080")
                        .header("Origin", EVIL)))
                .isEqualTo(403);
        assertThat(passed).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "http://localhost:3000",
                "http://localhost",
                "file://",
                "http://localhost:8080.evil.example",
                "http://localhost:8080@evil.example",
                "chrome-extension://abc"
            })
    void anOriginThatIsAlmostOurs_isForeign(String origin) {
        assertThat(send(post("/api/v1/move").header("Host", "localhost:8080").header("Origin", origin)))
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, http://localhost:8080",
        "db.example.com, https://db.example.com",
        "db.example.com:443, https://db.example.com",
        "db.example.com, https://db.example.com:443",
        "[::1]:8080, http://[::1]:8080",
    })
    void ourOwnPages_pass(String host, String origin) {
        assertThat(send(post("/api/v1/move")
                        .header("Host", host)
                        .header("Origin", origin)
                        .header("Sec-Fetch-Site", "same-origin")))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "unknown"})
    void aRequestFromAnotherSite_isForbiddenWithoutAnOriginToo(String site) {
        assertThat(send(post("/api/v1/move").header("Host", "localhost").header("Sec-Fetch-Site", site)))
                .isEqualTo(403);
        assertThat(send(get("/api/v1/functions")
                        .header("Host", "localhost")
                        .header("Sec-Fetch-Site", site)
                        .header("Sec-Fetch-Mode", "no-cors")
                        .header("Sec-Fetch-Dest", "script")))
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "/, document, 200",
        "/docs/index.html, document, 200",
        "/, iframe, 403",
        "/, object, 403",
        "/resetStatsCounters, document, 403",
        "/%72esetStatsCounters, document, 403",
        "/resetNodeStatsCounters, document, 403"
    })
    void aLinkFromAnotherSite_opensAPageAndChangesNothing(String path, String destination, int status) {
        assertThat(send(MockServerHttpRequest.method(HttpMethod.GET, URI.create(path))
                        .header("Host", "localhost")
                        .header("Sec-Fetch-Site", "cross-site")
                        .header("Sec-Fetch-Mode", "navigate")
                        .header("Sec-Fetch-Dest", destination)))
                .isEqualTo(status);
    }

    @Test
    void anAddressThatTheUserHasTyped_passes() {
        assertThat(send(get("/").header("Host", "localhost").header("Sec-Fetch-Site", "none")))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, 200",
        "application/json;charset=utf-8, 200",
        "application/x-ndjson, 200",
        "application/zip, 200",
        "text/plain, 415",
        "TEXT/PLAIN;charset=utf-8, 415",
        "multipart/form-data;boundary=x, 415",
        "application/x-www-form-urlencoded, 415",
        "'', 415"
    })
    void aBodyThatAnyPageCanSend_isNotTaken(String type, int status) {
        assertThat(send(withBody("/api/v1/import", type))).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"application/x-www-form-urlencoded, 200", "'', 200", "text/plain, 415"})
    void aFormWithCredentials_isTaken(String type, int status) {
        assertThat(send(withBody("/query/service", type).header("Authorization", "Basic YTpi")))
                .isEqualTo(status);
        assertThat(send(withBody("/query/service", type).header("X-Millrace-Identity", "the gateway passed it on")))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"text/plain, true, 200", "text/plain, false, 415", "multipart/form-data, true, 200", "'', false, 415"})
    void aTextForAFunction_isTakenWithCredentials(String type, boolean credentials, int status) {
        MockServerHttpRequest.BaseBuilder<?> request = withBody("/fn/f/x", type);

        assertThat(send(credentials ? request.header("Authorization", "Basic YTpi") : request))
                .isEqualTo(status);
    }

    @Test
    void aFormOfALogin_isTaken() {
        assertThat(send(withBody("/couch/_session", "application/x-www-form-urlencoded")))
                .isEqualTo(200);
    }

    @Test
    void aPostWithoutABody_needsNoType() {
        assertThat(send(post("/api/v1/functions/f/deploy").header("Host", "localhost")))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/couch/db/doc", "/fn/f/x"})
    void anAdmittedOrigin_usesTheCouchApiAndFunctionsAlone(String path) {
        MockServerWebExchange exchange = exchange(get(path)
                .header("Host", "localhost")
                .header("Origin", APP)
                .header("Sec-Fetch-Site", "cross-site")
                .header("Sec-Fetch-Mode", "cors"));

        guard.filter(exchange, chain -> pass(exchange)).block();

        assertThat(passed).isTrue();
        HttpHeaders headers = exchange.getResponse().getHeaders();
        assertThat(headers.getAccessControlAllowOrigin()).isEqualTo(APP);
        assertThat(headers.getAccessControlAllowCredentials()).isTrue();
        assertThat(headers.getAccessControlExposeHeaders())
                .contains("etag", "location", "content-range", "idempotency-replayed", "x-couch-request-id");
        assertThat(send(get("/api/v1/buckets").header("Host", "localhost").header("Origin", APP)))
                .isEqualTo(403);
    }

    private HttpHeaders preflight(String method, String headers) {
        MockServerWebExchange exchange = exchange(request("OPTIONS", "/couch/db/doc")
                .header("Host", "localhost")
                .header("Origin", APP)
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", headers));
        guard.filter(exchange, chain -> pass(exchange)).block();
        return exchange.getResponse().getHeaders();
    }

    @Test
    void aPreflight_isAnsweredWithoutCredentials() {
        HttpHeaders headers = preflight("PUT", "authorization,content-type,traceparent");

        assertThat(passed).isFalse();
        assertThat(headers.getAccessControlAllowOrigin()).isEqualTo(APP);
        assertThat(headers.getAccessControlAllowMethods()).contains(HttpMethod.PUT, HttpMethod.DELETE);
        assertThat(headers.getAccessControlAllowHeaders()).contains("authorization", "content-type", "traceparent");
    }

    @Test
    void aPreflightOfACopy_isAnswered() {
        HttpHeaders headers = preflight("COPY", "authorization,destination");

        assertThat(headers.getAccessControlAllowMethods()).contains(HttpMethod.valueOf("COPY"));
        assertThat(headers.getAccessControlAllowHeaders()).contains("destination");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "app.example.com", "https://app.example.com/path", "null"})
    void whatIsNotAnOrigin_cannotBeConfigured(String origin) {
        assertThatThrownBy(() -> new CorsDoor(List.of(origin)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MILLRACE_CORS_ORIGINS has '" + origin + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://db.example.com", "db.example.com:8080", "*", "a b"})
    void whatIsNotAHost_cannotBeConfigured(String host) {
        assertThatThrownBy(() -> OwnHosts.of(List.of(host), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MILLRACE_HOSTS has '" + host + "'");
    }

    @Test
    void everyResponse_keepsBrowsersFromMisusingIt() {
        MockServerWebExchange exchange = exchange(get("/").header("Host", "localhost"));
        exchange.getResponse().getHeaders().set("Content-Security-Policy", "sandbox");

        guard.filter(exchange, chain -> pass(exchange)).block();

        HttpHeaders headers = exchange.getResponse().getHeaders();
        assertThat(headers.getFirst("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(headers.getFirst("X-Frame-Options")).isEqualTo("DENY");
        assertThat(headers.get("Content-Security-Policy")).containsExactly("sandbox");
    }

    @ParameterizedTest
    @CsvSource({"/swagger-ui/index.html, true", "/console/, false"})
    void stylesInThePage_areAllowedToTheExplorerOfTheApiAlone(String path, boolean allowed) {
        MockServerWebExchange exchange = exchange(get(path).header("Host", "localhost"));

        guard.filter(exchange, chain -> pass(exchange)).block();

        String policy = String.valueOf(exchange.getResponse().getHeaders().getFirst("Content-Security-Policy"));
        assertThat(policy.contains("style-src 'self' 'unsafe-inline'"))
                .as(policy)
                .isEqualTo(allowed);
    }

    @Test
    void aRefusal_isWrittenAsTheProtocolOfThePathExpects() {
        JsonNode couch = refusal("/couch/db");
        JsonNode query = refusal("/query/service");

        assertThat(couch.path("error").asString()).isEqualTo("forbidden");
        assertThat(couch.path("reason").asString()).contains(EVIL);
        assertThat(query.path("errors").path(0).path("code").asInt()).isEqualTo(13014);
        assertThat(query.path("status").asString()).isEqualTo("fatal");
    }

    private JsonNode refusal(String path) {
        MockServerWebExchange exchange =
                exchange(post(path).header("Host", "localhost").header("Origin", EVIL));
        guard.filter(exchange, chain -> pass(exchange))
                .onErrorResume(failure -> new ProtocolErrors().handle(exchange, failure))
                .block();
        MockServerHttpResponse response = exchange.getResponse();
        assertThat(response.getStatusCode()).isNotNull();
        return JsonMapper.shared()
                .readTree(String.valueOf(response.getBodyAsString().block()));
    }

    private Mono<Void> pass(MockServerWebExchange exchange) {
        passed.set(true);
        exchange.getResponse().setRawStatusCode(200);
        return exchange.getResponse().setComplete();
    }

    /** Returns the status of the response, 200 when the request has passed. */
    private int send(MockServerHttpRequest.BaseBuilder<?> request) {
        MockServerWebExchange exchange = exchange(request);
        guard.filter(exchange, chain -> pass(exchange))
                .onErrorResume(
                        ProblemException.class, refused -> refused.problem().writeTo(exchange))
                .block();
        @Nullable
        Integer status = exchange.getResponse().getStatusCode() == null
                ? null
                : exchange.getResponse().getStatusCode().value();
        return status == null ? 200 : status;
    }

    private static MockServerWebExchange exchange(MockServerHttpRequest.BaseBuilder<?> request) {
        return MockServerWebExchange.from(request.localAddress(new InetSocketAddress("10.1.2.3", 8080)));
    }

    private static MockServerHttpRequest.BaseBuilder<?> get(String path) {
        return request("GET", path);
    }

    private static MockServerHttpRequest.BaseBuilder<?> post(String path) {
        return request("POST", path);
    }

    private static MockServerHttpRequest.BaseBuilder<?> withBody(String path, String type) {
        var request = post(path).header("Host", "localhost").header("Content-Length", "2");
        return type.isEmpty() ? request : request.header("Content-Type", type);
    }

    private static MockServerHttpRequest.BaseBuilder<?> request(String method, String path) {
        return MockServerHttpRequest.method(HttpMethod.valueOf(method), "http://localhost" + path);
    }
}
