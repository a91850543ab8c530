package io.millrace.handler;

import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OnRequestTest {
    private static final String HEAD = "{\"method\":\"POST\",\"path\":\"/a\",\"query\":{\"q\":\"1\"}}";
    private static final WebBody NONE = new WebBody(WebBody.Kind.NONE, new byte[0]);

    private final Fixture function = new Fixture();
    private final List<WebResponse> responses = new ArrayList<>();

    private final Received receiver = new Received();

    private InvocationResult request(String statements, WebBody body) {
        return function.with(
                "function OnRequest(request) {" + statements + "}",
                thread -> thread.onRequest(utf8(HEAD), body, Duration.ofSeconds(30), receiver));
    }

    /** Takes so many parts. */
    private final class Received implements ResponseReceiver {
        private int wanted = Integer.MAX_VALUE;
        private final List<String> parts = new ArrayList<>();

        @Override
        public void whole(WebResponse response) {
            responses.add(response);
        }

        @Override
        public boolean begin(WebResponse first) {
            responses.add(first);
            return part(first.body().bytes());
        }

        @Override
        public boolean part(byte[] bytes) {
            parts.add(new String(bytes, StandardCharsets.UTF_8));
            return parts.size() < wanted;
        }
    }

    private String answered() {
        WebResponse response = responses.getFirst();
        return "%d %s %s %s"
                .formatted(
                        response.status(),
                        response.headers().stream()
                                .map(header -> header.name() + "=" + header.value())
                                .toList(),
                        response.body().kind(),
                        new String(response.body().bytes(), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | `204 [] NONE `",
                "return null; | `204 [] NONE `",
                "return {}; | `204 [] NONE `",
                "return {status: 404}; | `404 [] NONE `",
                "return {body: 'text'}; | 200 [] TEXT text",
                "return {body: {a: [1, null]}}; | 200 [] JSON {\"a\":[1,null]}",
                "return {body: null}; | 200 [] JSON null",
                "return {body: false}; | 200 [] JSON false",
                "return {body: new Uint8Array([9, 72, 105]).subarray(1)}; | 200 [] BYTES Hi",
                "return {body: new Uint8Array([72, 105]).buffer}; | 200 [] BYTES Hi",
                "return {status: 201, headers: {a: 'b', c: ['d', 5]}}; | `201 [a=b, c=d, c=5] NONE `",
                "return {body: [request.method, request.path, request.query.q]}; | 200 [] JSON [\"POST\",\"/a\",\"1\"]",
            })
    void onRequest_returned_becomesTheResponse(String statements, String expected) {
        var outcome = request(statements, NONE);

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(answered()).isEqualTo(expected.replace("`", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "return 'text'; | OnRequest returned a string; expected an object with status, headers and body",
                "return [1]; | OnRequest returned an array",
                "return {total: 1}; | OnRequest returned an object with the member \"total\"",
                "return Promise.resolve({}); | OnRequest returned a promise",
                "return {status: '200'}; | OnRequest returned the status \"200\"; expected an integer from 200 to 599",
                "return {status: 101}; | OnRequest returned the status 101",
                "return {body: () => 1}; | The body that OnRequest returned is a function or a symbol",
                "return {headers: ['a']}; | OnRequest returned the headers [\"a\"]; expected an object",
                "return {headers: {a: {}}}; | OnRequest returned {} as a value of the header a; expected a string",
                "return {headers: {'a b': '1'}}; | OnRequest returned the header \"a b\", which is not a name",
                "return {headers: {a: 'b\\r\\nc: d'}}; | a value of the header a with a character that HTTP does not allow",
                "return {headers: {'Set-Cookie': 'a=b'}}; | the header set-cookie, which only the server sets",
                "return {headers: {'Access-Control-Allow-Origin': '*'}}; | which only the server sets",
                "return {headers: {a: 'x'.repeat(9000)}}; | headers of more than 8192 characters",
                "return {body: 1n}; | Do not know how to serialize a BigInt",
                "const a = []; a.push(a); return {body: a}; | circular",
            })
    void onRequest_returnedSomethingElse_throws(String statements, String expected) {
        var outcome = request(statements, NONE);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).contains(expected));
        assertThat(responses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onRequest_jsonBody_isAValueThatCanBeStoredAndReturned(boolean strict) {
        function.strict(strict);

        request(
                "b.k = request.body; return {body: {n: request.body.n, all: request.body}};",
                new WebBody(WebBody.Kind.JSON, utf8("{\"n\": 1.5}")));

        assertThat(answered()).contains("\"n\":1.5,\"all\":{\"n\":");
    }

    @Test
    void onRequest_numbersOfAJsonBody_keepTheirSpelling() {
        request("return {body: request.body};", new WebBody(WebBody.Kind.JSON, utf8("{\"n\": 12345678901234567890}")));

        assertThat(answered()).endsWith("{\"n\": 12345678901234567890}");
    }

    @Test
    void onRequest_textAndBytes_areStringAndArrayBuffer() {
        request("return {body: request.body + '!'};", new WebBody(WebBody.Kind.TEXT, utf8("é")));
        request(
                "return {body: [request.body instanceof ArrayBuffer, request.body.byteLength]};",
                new WebBody(WebBody.Kind.BYTES, new byte[3]));

        assertThat(new String(responses.get(0).body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("é!");
        assertThat(new String(responses.get(1).body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("[true,3]");
    }

    @Test
    void onRequest_thatRunsTooLong_isStoppedAfterItsOwnTimeout() {
        var outcome = function.with(
                "function OnRequest() { while (true) {} }",
                thread -> thread.onRequest(utf8(HEAD), NONE, Duration.ofMillis(50), receiver));

        assertThat(outcome).isInstanceOf(InvocationResult.TimedOut.class);
        assertThat(responses).isEmpty();
    }

    @Test
    void onRequest_notDeclared_isSkipped() {
        var outcome = function.with(
                "function OnUpdate() {}",
                thread -> thread.onRequest(utf8(HEAD), NONE, Duration.ofSeconds(30), receiver));

        assertThat(outcome).isInstanceOf(InvocationResult.Skipped.class);
    }

    @Test
    void onRequestAlone_isAHandler() {
        assertThat(function.compile("function OnRequest() {}"))
                .isInstanceOfSatisfying(
                        Handler.class,
                        handler -> assertThat(handler.entryPoints()).containsExactly("OnRequest"));
    }

    @Test
    void onRequest_bodyThatIsAGenerator_isGivenInParts() {
        var outcome = request(
                "return {status: 206, headers: {a: 'b'}, body: (function* () {"
                        + " yield 'é'; yield new Uint8Array([72, 105]); yield new Uint8Array([33]).buffer; })()};",
                NONE);

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(answered()).isEqualTo("206 [a=b] TEXT é");
        assertThat(receiver.parts).containsExactly("é", "Hi", "!");
    }

    @Test
    void onRequest_emptyGenerator_isAResponseWithoutABody() {
        request("return {body: (function* () {})()};", NONE);

        assertThat(answered()).isEqualTo("200 [] NONE ");
    }

    @Test
    void onRequest_iteratorWithoutReturn_isGivenInPartsToo() {
        receiver.wanted = 2;

        var outcome = request("let n = 0; return {body: {next: () => ({done: false, value: `${++n}`})}};", NONE);

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(receiver.parts).containsExactly("1", "2");
    }

    @Test
    void onRequest_partsThatAreNotWanted_areNotMade_andTheGeneratorIsClosed() {
        receiver.wanted = 2;

        var outcome = request(
                "return {body: (function* () { try { for (let n = 1; ; n++) { log(n); yield `${n}`; } }"
                        + " finally { log('closed'); } })()};",
                NONE);

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines).containsExactly("INFO 1", "INFO 2", "INFO \"closed\"");
    }

    @Test
    void onRequest_generatorThatFailsBeforeItsFirstPart_beginsNothing() {
        var outcome = request("return {body: (function* () { throw new Error('early'); yield 1; })()};", NONE);

        assertThat(outcome).isInstanceOf(InvocationResult.Threw.class);
        assertThat(responses).isEmpty();
    }

    @Test
    void onRequest_generatorThatFailsLater_failsWithItsPlace() {
        var outcome = request("\nreturn {body: (function* () { yield 'a';\n null.x; })()};", NONE);

        assertThat(receiver.parts).containsExactly("a");
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.line()).isEqualTo(3));
    }

    @Test
    void onRequest_partThatIsNeitherTextNorBytes_throws() {
        var outcome = request("return {body: (function* () { yield {a: 1}; })()};", NONE);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw ->
                                assertThat(threw.message()).contains("OnRequest gave {\"a\":1} as a part of its body"));
    }

    @Test
    void onRequest_thatIsAGeneratorItself_isRefusedInWords() {
        var outcome = function.with(
                "function* OnRequest() { yield 'a'; }",
                thread -> thread.onRequest(utf8(HEAD), NONE, Duration.ofSeconds(30), receiver));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).contains("a generator, which can be the body"));
    }
}
