package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.host.PublishCall;
import io.millrace.handler.host.PublishCall.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How publish turns arguments into messages; what becomes of these is tested in the worker. */
class PublishTest {

    private final Fixture function = new Fixture();

    private PublishCall call(String statements) {
        assertThat(function.run(statements)).isInstanceOf(InvocationResult.Success.class);
        return function.host.published.getLast();
    }

    private static String text(PublishCall call) {
        return new String(call.content(), StandardCharsets.UTF_8);
    }

    @Test
    void message_keepsItsType() {
        assertThat(text(call("publish(news, {a: [1, 'ä']})"))).isEqualTo("{\"a\":[1,\"ä\"]}");
        assertThat(call("publish(news, doc)").type()).isEqualTo(Type.JSON);
        assertThat(text(call("publish(news, null)"))).isEqualTo("null");
        assertThat(text(call("publish(news, 5)"))).isEqualTo("5");

        PublishCall word = call("publish(news, 'ä')");
        assertThat(word.type()).isEqualTo(Type.TEXT);
        assertThat(text(word)).isEqualTo("ä");

        PublishCall bytes = call("publish(news, new Uint8Array([1, 2, 3]).subarray(1))");
        assertThat(bytes.type()).isEqualTo(Type.BYTES);
        assertThat(bytes.content()).containsExactly(2, 3);
        assertThat(call("publish(news, new Uint8Array([7]).buffer)").content()).containsExactly(7);
    }

    @Test
    void keyAndHeaders_areSent() {
        PublishCall call = call("publish(news, 'x', {key: 'k', headers: {tenant: 'a', 'x-trace': 'b'}})");

        assertThat(call.binding()).isEqualTo("news");
        assertThat(call.key()).isEqualTo("k");
        assertThat(call.headers()).isEqualTo(Map.of("tenant", "a", "x-trace", "b"));
        assertThat(call("publish(news, 'x')").key()).isNull();
        assertThat(call("publish(news, 'x', {})").headers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "publish('news', 1) | 1st argument of publish should be a topic binding",
                "publish(api, 1) | 1st argument of publish should be a topic binding",
                "publish(news) | 2nd argument of publish should be the message, but it is undefined",
                "publish(news, () => 1) | 2nd argument of publish should be the message, but it is function",
                "publish(news, 1n) | 2nd argument of publish should be the message, but it is bigint",
                "publish(news, 1, 'k') | 3rd argument of publish should be an object",
                "publish(news, 1, {key: 5}) | 'key' of publish should be a string",
                "publish(news, 1, {key: ''}) | 'key' of publish should be a string that is not empty",
                "publish(news, 1, {headers: 5}) | 'headers' of publish should be an object",
                "publish(news, 1, {headers: {'a b': 'x'}}) | The header name 'a b' should have",
                "publish(news, 1, {headers: {a: 5}}) | The header 'a' should be a string, but it is number",
                "publish(news, 1, {headers: Object.fromEntries([...Array(33).keys()].map((i) => ['h' + i, '']))}) | at most 32",
            })
    void wrongArgument_isAnEventingError(String code, String why) {
        assertThat(function.logged("try { " + code + " } catch (e) { log(e instanceof EventingError, e.message) }")
                        .getFirst())
                .startsWith("true")
                .contains(why);
        assertThat(function.host.published).isEmpty();
    }
}
