package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltinsTest {
    private final Fixture function = new Fixture();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'hello' | 3c3eeee2d8100000",
                "'' | 0000000000000000",
                "'123456789' | b90956c775a41001",
                "new Uint8Array([104, 101, 108, 108, 111]).buffer | 3c3eeee2d8100000"
            })
    void goIso_hashesTextsWithoutQuotes(String value, String expected) {
        // known values of CRC-64/GO-ISO
        assertThat(function.logged("log(couchbase.crc_64_go_iso(" + quoted(value) + "))"))
                .containsExactly('"' + expected + '"');
    }

    private static String quoted(String value) {
        return value.startsWith("new ") ? value : "'" + value + "'";
    }

    @Test
    void crc64_hashesTheJsonOfAValue() {
        assertThat(function.logged("""
                log(crc64('hello') === couchbase.crc_64_go_iso('"hello"'));
                log(crc64({a: [1, null]}) === couchbase.crc_64_go_iso('{"a":[1,null]}'));
                log(crc64(undefined) === couchbase.crc_64_go_iso('undefined'), crc64(Symbol()) === crc64(undefined));
                log(couchbase.crc64 === crc64, crc64(new Uint8Array([104]).buffer) === couchbase.crc_64_go_iso('h'));
                try { crc64(1n); } catch (e) { log(e instanceof TypeError); }
                """)).containsExactly("true", "true", "true true", "true true", "true");
    }

    @Test
    void crc64_ofDocument_isThatOfItsCopy() {
        function.update(
                "function OnUpdate(doc) { log(crc64(doc) === crc64(JSON.parse(JSON.stringify(doc))), crc64(doc)); }",
                "{ \"a\" : 1.0, \"b\":[1e2, \"\\u0041\"] }");
        var other = new Fixture();
        other.update("function OnUpdate(doc) { log(true, crc64({a: 1, b: [100, 'A']})) }", "{}");

        assertThat(function.host.lines).isEqualTo(other.host.lines);
    }

    @Test
    void base64_goesThereAndBack() {
        assertThat(function.logged("""
                log(couchbase.base64Encode('héllo'), couchbase.base64Decode('aMOpbGxv'));
                log(couchbase.base64Encode({a: 1}), couchbase.base64Encode(new Uint8Array([1, 2, 255])));
                log(couchbase.base64Float32ArrayEncode([1, -2.5]), couchbase.base64Float32ArrayDecode('AACAPwAAIMA='));
                log(couchbase.base64Float64ArrayEncode([0.1]), couchbase.base64Float64ArrayDecode('mpmZmZmZuT8='));
                log(Array.isArray(couchbase.base64Float32ArrayDecode('')));
                """))
                .containsExactly(
                        "\"aMOpbGxv\" \"héllo\"",
                        "\"eyJhIjoxfQ==\" \"AQL/\"",
                        "\"AACAPwAAIMA=\" [1,-2.5]",
                        "\"mpmZmZmZuT8=\" [0.1]",
                        "true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "couchbase.base64Decode('%')",
                "couchbase.base64Decode(5)",
                "couchbase.base64Float32ArrayDecode('AAAA')",
                "couchbase.base64Float64ArrayEncode('x')"
            })
    void base64_ofSomethingElse_throws(String call) {
        assertThat(function.run(call)).isInstanceOf(InvocationResult.Threw.class);
    }

    @Test
    void constants_areGlobals() {
        function.constant("LIMIT", "5")
                .constant("NAMES", "['a', {b: 1}]")
                .constant("double", "function (x) { return 2 * x; } // twice")
                .constant("OBJECT", "{x: 'y'}");

        assertThat(function.logged("log(LIMIT, NAMES, double(LIMIT), OBJECT.x)"))
                .containsExactly("5 [\"a\",{\"b\":1}] 10 \"y\"");
        assertThat(function.run("\n LIMIT = 6;"))
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.line()).as(threw.message()).isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1); evil(", "", "1; 2", "var x", "}"})
    void constant_thatIsNotAnExpression_isRejected(String literal) {
        assertThat(function.constant("X", literal)
                        .rejected("function OnUpdate() {}")
                        .message())
                .isEqualTo("Constant X is not a JavaScript literal");
    }

    @Test
    void errorClasses_areErrorsOfTheUser() {
        assertThat(function.logged("""
                for (const type of [KVError, N1QLError, EventingError, CurlError]) {
                  const error = new type({code: 1});
                  log(error instanceof Error, error.message.code, error.name, new type('m').message);
                }
                """))
                .containsExactly(
                        "true 1 \"KVError\" \"m\"",
                        "true 1 \"N1QLError\" \"m\"",
                        "true 1 \"EventingError\" \"m\"",
                        "true 1 \"CurlError\" \"m\"");
    }

    @Test
    void everyBuiltin_isUnderCouchbaseToo() {
        assertThat(function.logged("""
                log(couchbase.log === log, couchbase.crc64 === crc64, couchbase.curl === curl, console.log === log);
                log(Object.keys(globalThis));
                """)).containsExactly("true true true true", "[\"OnUpdate\"]");
    }
}
