package io.millrace.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.HttpCall.UrlEncoding;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How curl turns arguments into requests and answers into values; the requests themselves are tested in the worker. */
class CurlTest {
    private final Fixture function = new Fixture();

    private HttpCall request(String statements) {
        function.host.response = new HttpCall.Answer(204, Map.of(), new byte[0]);
        assertThat(function.run(statements)).isInstanceOf(InvocationResult.Success.class);
        return function.host.requests.getLast();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "body: 'text' | text | text/plain",
                "body: {a: 1} | {\"a\":1} | application/json",
                "body: [1] | [1] | application/json",
                "body: doc | {} | application/json",
                "body: 5 | 5 | application/json",
                "body: new Uint8Array([65]).buffer | A | application/octet-stream",
                "body: {b: 'x y', 1: {c: [1]}, a: \"!'()*\"}, encoding: 'FORM' |"
                        + " 1=%7B%22c%22%3A%5B1%5D%7D&b=x%20y&a=%21%27%28%29%2A | application/x-www-form-urlencoded",
                "body: {a: 1}, encoding: 'TEXT' | {\"a\":1} | text/plain",
                "body: '{\"a\":1}', encoding: 'JSON' | {\"a\":1} | application/json",
                "body: 'word', encoding: 'JSON' | \"word\" | application/json",
                "body: 'abc', encoding: 'BINARY' | abc | application/octet-stream"
            })
    void body_isEncodedByItsTypeOrAsAsked(String fields, String body, String type) {
        var sent = request("curl('POST', api, {" + fields + "})");

        assertThat(new String(Objects.requireNonNull(sent.body()), UTF_8)).isEqualTo(body);
        assertThat(sent.contentType()).isEqualTo(type);
    }

    @Test
    void request_hasDefaults() {
        var sent = request("curl('GET', api)");

        assertThat(sent)
                .isEqualTo(new HttpCall(
                        "GET",
                        "api",
                        "",
                        java.util.List.of(),
                        null,
                        Map.of(),
                        null,
                        null,
                        true,
                        0,
                        UrlEncoding.V7_2_0));
    }

    @Test
    void request_carriesEverything() {
        var sent = request("""
            curl('PUT', api, {path: '/a b', params: {x: 1, y: {z: 2}}, headers: {H: 5}, redirect: false, timeout: 3,
                              url_encode_version: '7.1.0'})\
            """);

        assertThat(sent.path()).isEqualTo("/a b");
        assertThat(sent.parameters())
                .containsExactly(new HttpCall.Parameter("x", "1"), new HttpCall.Parameter("y", "{\"z\":2}"));
        assertThat(sent.headers()).containsExactly(Map.entry("H", "5"));
        assertThat(sent.redirect()).isFalse();
        assertThat(sent.timeoutSeconds()).isEqualTo(3);
        assertThat(sent.encoding()).isEqualTo(UrlEncoding.V7_1_0);
        assertThat(request("curl('GET', api, {params: 'a=b'})").query()).isEqualTo("a=b");
    }

    @Test
    void encoding_dependsOnTheLanguage() {
        function.language(LanguageCompatibility.V6_6_2);

        assertThat(request("curl('GET', api)").encoding()).isEqualTo(UrlEncoding.V6_6_2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json; charset=utf-8 | {\"a\":[1]} | {\"a\":[1]} | object",
                "application/x-www-form-urlencoded | a=b+c&d=%26&e | {\"a\":\"b c\",\"d\":\"&\",\"e\":\"\"} | object",
                "text/html | <p> | \"<p>\" | string",
                "application/xml | <p> | {} | object",
                "text/plain;charset=ISO-8859-1 | x | \"x\" | string"
            })
    void answer_isUnmarshalledByItsType(String type, String body, String shown, String kind) {
        function.host.response = new HttpCall.Answer(200, Map.of("Content-Type", type), body.getBytes(UTF_8));

        assertThat(function.logged("const r = curl('GET', api); log(r.body, typeof r.body, r.headers['Content-Type'])"))
                .containsExactly("%s \"%s\" \" %s\\r\\n\"".formatted(shown, kind, type));
    }

    @Test
    void answer_withoutBodyOrType() {
        function.host.response = new HttpCall.Answer(200, Map.of(), new byte[0]);
        assertThat(function.logged("log(curl('HEAD', api).body)")).containsExactly("null");
        function.host.response = new HttpCall.Answer(200, Map.of(), new byte[] {1});
        assertThat(function.logged("log(curl('GET', api).body instanceof ArrayBuffer)"))
                .last()
                .isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "curl('GET') | curl requires at least 2 arguments",
                "curl('PATCH', api) | 1st argument should be one of GET, POST, PUT, HEAD and DELETE",
                "curl('GET', 'http://elsewhere') | 2nd argument should be a URL binding object",
                "curl('GET', b) | 2nd argument should be a URL binding object",
                "curl('GET', api, 'x') | 3rd argument should be an object",
                "curl('GET', api, {timeout: 1.5}) | 'timeout' should be a positive integer",
                "curl('GET', api, {timeout: '5'}) | 'timeout' should be a positive integer",
                "curl('GET', api, {timeout: 0}) | 'timeout' should be a positive integer",
                "curl('GET', api, {path: 5}) | 'path' should be a string",
                "curl('GET', api, {headers: 'x'}) | 'headers' should be an object",
                "curl('GET', api, {redirect: 1}) | 'redirect' should be a boolean",
                "curl('POST', api, {body: '', encoding: 'XML'}) | 'encoding' should be one of FORM, JSON, TEXT and"
                        + " BINARY",
                "curl('GET', api, {url_encode_version: '1'}) | 'url_encode_version' should be one of 6.6.2, 7.1.0 and"
                        + " 7.2.0"
            })
    void argumentMistake_throwsCurlError(String call, String message) {
        assertThat(function.logged("try { " + call + " } catch (e) { log(e.name, e.message) }"))
                .containsExactly("\"CurlError\" \"%s\"".formatted(message));
        assertThat(function.host.requests).isEmpty();
    }

    @Test
    void response_thatIsNotJson_throwsCurlError() {
        function.host.response = new HttpCall.Answer(200, Map.of("content-type", "application/json"), new byte[] {'{'});

        assertThat(function.logged("try { curl('GET', api) } catch (e) { log(e instanceof CurlError) }"))
                .containsExactly("true");
    }
}
