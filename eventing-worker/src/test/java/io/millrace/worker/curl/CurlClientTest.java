package io.millrace.worker.curl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.HttpCall.UrlEncoding;
import io.millrace.traces.TraceContext;
import io.millrace.worker.addresses.Addresses;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CurlClientTest {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final TestServer server = new TestServer();
    private final Map<String, Long> counted = new HashMap<>();
    private String auth = "no-auth";
    private boolean cookies;
    private long limit = 100_000_000;
    private List<String> allowed = List.of("127.0.0.1");
    private List<String> refused = List.of();
    private String below = "";

    CurlClientTest() throws IOException {}

    @AfterEach
    void close() {
        server.close();
    }

    private CurlClient client() {
        HandlerSettings.Url url = new HandlerSettings.Url(
                "api", server.url() + below, auth, "Mufasa", "Circle Of Life", "key", cookies, true);
        HandlerSettings standard = HandlerSettings.STANDARD;
        HandlerSettings settings = new HandlerSettings(
                List.of(),
                List.of(url),
                List.of(),
                standard.cacheBytes(),
                standard.cacheAgeMillis(),
                limit,
                new HandlerSettings.Access(allowed, refused, List.of(), "drivers", "kafka"),
                1,
                List.of(),
                false,
                HandlerSettings.TimerSettings.NONE);
        return new CurlClient(settings, "redis://127.0.0.1:1", (name, count) -> counted.merge(name, count, Long::sum));
    }

    private static HttpCall call(String method, String path) {
        return call(method, path, null, null, Map.of(), true, 0, UrlEncoding.V7_2_0);
    }

    private static HttpCall call(
            String method,
            String path,
            @Nullable List<HttpCall.Parameter> parameters,
            @Nullable String query,
            Map<String, String> headers,
            boolean redirect,
            int seconds,
            UrlEncoding encoding) {
        boolean sends = method.equals("POST") || method.equals("PUT");
        byte[] body = sends ? "hello".getBytes(StandardCharsets.UTF_8) : null;
        return new HttpCall(
                method,
                "api",
                path,
                parameters,
                query,
                headers,
                body,
                sends ? "text/plain" : null,
                redirect,
                seconds,
                encoding);
    }

    private static String text(HttpCall.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private HttpCall.Answer send(HttpCall call) throws HostFailure {
        return client().send(call, PATIENCE_NANOS, null);
    }

    private String failure(HttpCall call) {
        HostFailure failed = catchThrowableOfType(HostFailure.class, () -> send(call));
        assertThat(failed.kind()).isEqualTo(HostFailure.Kind.CURL_ERROR);
        return failed.description();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE"})
    void request_arrivesAsItWasMade(String method) throws HostFailure {
        HttpCall.Answer answer =
                send(call(method, "/a/b", null, null, Map.of("X-Mine", "1"), true, 0, UrlEncoding.V7_2_0));

        String body = method.startsWith("P") ? "Content-Type: text/plain\nX-Mine: 1\nhello" : "X-Mine: 1\n";
        assertThat(text(answer)).isEqualTo(method + " /a/b\n" + body);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers())
                .containsEntry("Content-Type", "text/plain; charset=utf-8")
                .containsEntry("X-Answered", "yes");
        assertThat(counted).containsEntry("curl." + method.toLowerCase(java.util.Locale.ROOT), 1L);
        assertThat(counted).containsEntry("curl_success_count", 1L);
    }

    @Test
    void trace_isPassedOnUnlessTheCodeGivesOne() throws HostFailure {
        String trace = TraceContext.random().header();

        assertThat(text(client().send(call("GET", "/echo"), PATIENCE_NANOS, trace)))
                .contains("Traceparent: " + trace + "\n");
        HttpCall own = call("GET", "/echo", null, null, Map.of("traceparent", "mine"), true, 0, UrlEncoding.V7_2_0);
        assertThat(text(client().send(own, PATIENCE_NANOS, trace)))
                .contains("Traceparent: mine\n")
                .doesNotContain(trace);
        assertThat(text(send(call("GET", "/echo")))).doesNotContain("Traceparent");
    }

    @Test
    void head_hasHeadersAndNoBody() throws HostFailure {
        HttpCall.Answer answer = send(call("HEAD", "/echo"));

        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers()).containsEntry("X-Answered", "yes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/gzip", "/deflate", "/zlib"})
    void packedBody_isUnpackedAndItsHeaderKept(String path) throws HostFailure {
        HttpCall.Answer answer = send(call("GET", path));

        assertThat(text(answer)).isEqualTo("{\"packed\":true}");
        assertThat(answer.headers()).containsKey("Content-Encoding");
    }

    @Test
    void emptyAndFailingAnswers_areAnswers() throws HostFailure {
        assertThat(send(call("GET", "/empty")).body()).isEmpty();
        assertThat(counted).containsEntry("curl_non_200_response", 1L);

        HttpCall.Answer missing = send(call("GET", "/missing"));
        assertThat(missing.status()).isEqualTo(404);
        assertThat(text(missing)).isEqualTo("nothing here");
    }

    @Test
    void largeBody_isTakenUpToTheLimit() throws HostFailure {
        limit = TestServer.LARGE_BYTES;
        assertThat(send(call("GET", "/large")).body()).hasSize(TestServer.LARGE_BYTES);

        limit = TestServer.LARGE_BYTES - 1;
        assertThat(failure(call("GET", "/large"))).contains("The response is larger than 4999999 bytes");
        assertThat(counted).containsEntry("curl_max_resp_size_exceeded", 1L);
    }

    @ParameterizedTest
    @CsvSource({"301, GET", "302, GET", "303, GET", "307, POST", "308, POST"})
    void redirect_isFollowedAsBrowsersDo(int status, String method) throws HostFailure {
        assertThat(text(send(call("POST", "/redirect/" + status)))).startsWith(method + " /echo?from=redirect\n");
    }

    @Test
    void redirectToAQueryAlone_keepsThePath() throws HostFailure {
        assertThat(text(send(call("GET", "/a/page")))).startsWith("GET /a/page?number=2\n");
    }

    @Test
    void redirect_thatIsNotWanted_isTheAnswer() throws HostFailure {
        HttpCall.Answer answer = send(call("GET", "/redirect/302", null, null, Map.of(), false, 0, UrlEncoding.V7_2_0));

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.headers()).containsEntry("Location", "/echo?from=redirect");
    }

    @Test
    void redirectLoop_ends() {
        assertThat(failure(call("GET", "/loop")))
                .isEqualTo("Unable to perform the request: Number of redirects hit maximum amount");
        assertThat(counted).containsEntry("curl_failure_count", 1L);
    }

    @Test
    void redirectToAnotherOrigin_isRefused() {
        assertThat(failure(call("GET", "/out")))
                .contains("the redirect leads out of the URL of the binding; add a binding for 169.254.169.254");
        assertThat(failure(call("GET", "/scheme"))).contains("leads out of the URL of the binding");
    }

    @Test
    void redirectToAnotherPort_isRefusedBeforeItsServerIsCalled() throws IOException {
        try (TestServer other = new TestServer()) {
            server.redirectTo(other.url() + "/echo");

            assertThat(failure(call("GET", "/other"))).contains("leads out of the URL of the binding");
            assertThat(other.requests()).isEmpty();
        }
    }

    @Test
    void secretHeaders_stayWithTheOrigin() throws HostFailure {
        auth = "basic";
        String answer = text(
                send(call("GET", "/redirect/302", null, null, Map.of("X-Mine", "key"), true, 0, UrlEncoding.V7_2_0)));

        assertThat(answer).contains("X-Mine: key").contains("Authorization: Basic");
        assertThat(failure(call("GET", "/out", null, null, Map.of("X-Mine", "key"), true, 0, UrlEncoding.V7_2_0)))
                .contains("leads out of the URL of the binding");
    }

    @Test
    void privateAddress_isNotCalledUnlessTheOperatorNamesIt() {
        allowed = List.of("10.0.0.1");

        assertThat(failure(call("GET", "/echo")))
                .isEqualTo(
                        "Unable to perform the request: the address of 127.0.0.1 may not be called by functions: it is"
                                + " private, and MILLRACE_CURL_ALLOWED does not name 127.0.0.1");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void connection_goesToTheCheckedAddress() throws Exception {
        Deque<String> answers = new ArrayDeque<>(List.of("127.0.0.1", "169.254.169.254"));
        Addresses addresses = new Addresses(
                List.of("api.invalid"),
                List.of(),
                "",
                host -> new InetAddress[] {InetAddress.getByName(answers.pop())},
                "ALLOWED");
        String url = "http://api.invalid:" + server.port();
        Endpoint endpoint =
                new Endpoint(new HandlerSettings.Url("api", url, "no-auth", "", "", "", false, true), addresses, 1_000);

        HttpCall.Answer answer = endpoint.send(
                call("GET", "/echo"), URI.create(url + "/echo"), null, System.nanoTime() + PATIENCE_NANOS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answers).containsExactly("169.254.169.254");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nHost: evil", "a\u0000", "\u0141ukasz"})
    void headerThatCannotBeSent_isRefused(String value) {
        assertThat(failure(call("GET", "/echo", null, null, Map.of("X-Mine", value), true, 0, UrlEncoding.V7_2_0)))
                .isEqualTo("Unable to perform the request: the request is not valid HTTP: the header 'X-Mine' has"
                        + " characters that a header cannot have; encode them, for example with"
                        + " encodeURIComponent");
        assertThat(failure(call("GET", "/echo", null, null, Map.of("X Mine", "a"), true, 0, UrlEncoding.V7_2_0)))
                .endsWith(": 'X Mine' cannot name a header");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void refusedPort_isNotCalled() {
        refused = List.of(":" + server.port());

        assertThat(failure(call("GET", "/echo"))).contains("may not be called");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/slow", "/silent"})
    void slowAnswer_endsAtItsTimeout(String path) {
        HttpCall slow = call("GET", path, null, null, Map.of(), true, 1, UrlEncoding.V7_2_0);

        assertThat(failure(slow)).isEqualTo("Unable to perform the request: Timeout was reached");
        assertThat(counted).containsEntry("curl_timeout_count", 1L);
    }

    @Test
    void credentials_areSentAsTheBindingSays() throws HostFailure {
        auth = "basic";
        assertThat(text(send(call("GET", "/echo")))).contains("Authorization: Basic TXVmYXNhOkNpcmNsZSBPZiBMaWZl\n");

        auth = "bearer";
        assertThat(text(send(call("GET", "/echo")))).contains("Authorization: Bearer key\n");

        auth = "digest";
        assertThat(text(send(call("GET", "/digest")))).isEqualTo("welcome");
    }

    @Test
    void digest_isFoundAmongOtherChallenges() throws HostFailure {
        auth = "digest";

        assertThat(text(send(call("GET", "/kinds")))).isEqualTo("welcome");
    }

    @Test
    void cookies_areKeptOnlyWhereAllowed() throws HostFailure {
        CurlClient forgetful = client();
        forgetful.send(call("GET", "/cookie"), PATIENCE_NANOS, null);
        assertThat(text(forgetful.send(call("GET", "/echo"), PATIENCE_NANOS, null)))
                .doesNotContain("Cookie");

        cookies = true;
        CurlClient remembering = client();
        remembering.send(call("GET", "/cookie"), PATIENCE_NANOS, null);
        assertThat(text(remembering.send(call("GET", "/echo"), PATIENCE_NANOS, null)))
                .contains("Cookie: taste=sweet\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret",
                "..",
                "a/../../secret",
                "/%2e%2e/secret",
                "/a/..%2f../secret",
                "/..\\secret",
                "/..;a/secret",
                "/%2E%2e%3Ba=b/secret",
                "/a;b%2f../secret"
            })
    void path_cannotLeaveItsBinding(String path) {
        below = "/public";

        assertThat(failure(call("GET", path))).contains("leads out of the URL");
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "V6_6_2 | a b=c&d | /p?a%20b%3Dc%26d",
                "V7_1_0 | a=c&d=e | /p?a=c&d=e",
                "V7_1_0 | key1=value@1&b | /p?key1=value%401&b",
                "V7_2_0 | a=%20&d=e | /p?a=%20&d=e"
            })
    void queryText_isEscapedByVersion(UrlEncoding version, String query, String target) throws HostFailure {
        assertThat(text(send(call("GET", "/p", null, query, Map.of(), true, 0, version))))
                .startsWith("GET " + target + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"V6_6_2 | /p?k=a%26b%2520", "V7_1_0 | /p?k=a%26b%2520", "V7_2_0 | /p?k=a&b%20"})
    void parameters_areEscapedByVersion(UrlEncoding version, String target) throws HostFailure {
        List<HttpCall.Parameter> parameters = List.of(new HttpCall.Parameter("k", "a&b%20"));

        assertThat(text(send(call("GET", "/p", parameters, null, Map.of(), true, 0, version))))
                .startsWith("GET " + target + "\n");
    }
}
