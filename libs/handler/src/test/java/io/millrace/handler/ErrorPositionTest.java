package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorPositionTest {
    private static final String CODE = """
            function OnUpdate(doc, meta) {
              helper(doc);
            }
            function helper(doc) {
              %s
            }
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throw new Error('mine');              | Error: mine                       | 9",
                "doc.none.x;                           | TypeError: Cannot read property 'x' of undefined | 3",
                "nowhere();                            | ReferenceError: nowhere is not defined | 3",
                "JSON.parse('{');                      | SyntaxError: Unexpected end of JSON input | 3",
                "throw new KVError({code: 7});         | KVError: {\"code\":7}              | 9",
                "throw new EventingError('x');         | EventingError: x                  | 9",
                "throw 'text';                         | text                              | 3",
                "throw {code: 5};                      | {\"code\":5}                       | 3",
                "throw undefined;                      | undefined                         | 3",
                "source.x = 1;                         | EventingError: Writing to source bucket is forbidden | 3",
                "delete source.x;                      | EventingError: Delete from source bucket is forbidden | 3",
                "if (doc) { delete doc.list.length; }  | TypeError: \"length\" is not a configurable property | 14",
                "[1].map(() => { throw new Error('in callback'); }); | Error: in callback | 25",
                "undefinedVariable = 1;                | ReferenceError: undefinedVariable is not defined | 3"
            })
    void thrown_isReportedWithMessageAndPlace(String statement, String message, int column) {
        var threw = (InvocationResult.Threw) new Fixture().update(CODE.formatted(statement), "{\"list\": []}");

        assertThat(threw.message()).startsWith(message);
        assertThat(threw.line()).isEqualTo(5);
        assertThat(threw.column()).isEqualTo(column);
        assertThat(threw.stack()).contains("    at helper (test:5:").contains("    at OnUpdate (test:2:3)");
        assertThat(threw.stack()).doesNotContain("bootstrap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'use strict';",
                "'use strict'",
                "// a comment",
                "",
                "'use strict'; // and why",
                "'use strict';\nfunction more() {\n}",
                "/* long\n comment */"
            })
    void headers_doNotShiftPlaces(String header) {
        var fixture = new Fixture().headers(header, "function fromHeader() { return 1; }");

        var first = (InvocationResult.Threw) fixture.update("function OnUpdate() { throw new Error('a'); }", "{}");
        var second = (InvocationResult.Threw)
                fixture.update("function OnUpdate() {\n  fromHeader();\n  throw new Error('b'); }", "{}");
        var rejected = fixture.rejected("function OnUpdate() {\n  let x = ;\n}");

        assertThat(first.line()).isEqualTo(1);
        assertThat(first.column()).isEqualTo(29);
        assertThat(second.line()).isEqualTo(3);
        assertThat(second.column()).isEqualTo(9);
        assertThat(second.stack()).isEqualTo("    at OnUpdate (test:3:9)\n");
        assertThat(rejected.line()).isEqualTo(2);
        assertThat(rejected.column()).isEqualTo(11);
    }

    @Test
    void failureOfOneOfSeveralDeletions_isPlacedInItsFunction() {
        var threw = (InvocationResult.Threw)
                new Fixture().update(CODE.formatted("delete doc.list;\n  delete source.x;"), "{\"list\": []}");

        assertThat(threw.line()).isEqualTo(4);
        assertThat(threw.stack()).startsWith("    at helper (test:4:").contains("    at OnUpdate (test:2:3)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throw new Error('outer', {cause: new KVError({code: 7})}); | Error: outer; caused by KVError: {\"code\":7}",
                "throw new Error('outer', {cause: new Error('inner', {cause: new TypeError('last')})});"
                        + " | Error: outer; caused by Error: inner; caused by TypeError: last",
                "const e = new Error('a'); e.cause = e; throw e;"
                        + " | Error: a; caused by Error: a; caused by Error: a; caused by Error: a; caused by Error: a; caused by Error: a",
                "throw new Error('outer', {cause: 5}); | Error: outer"
            })
    void causes_areReported(String statement, String message) {
        var threw = (InvocationResult.Threw) new Fixture().update(CODE.formatted(statement), "{}");

        assertThat(threw.message()).isEqualTo(message);
    }

    @Test
    void strictHeader_isInForce() {
        assertThat(new Fixture().run("x = 1")).isInstanceOf(InvocationResult.Threw.class);
        assertThat(new Fixture().headers().run("x = 1")).isInstanceOf(InvocationResult.Success.class);
    }

    @Test
    void stackThatCodeSees_hasItsOwnLines() {
        var fixture = new Fixture();

        fixture.update("function OnUpdate() {\n  log(new Error('x').stack);\n}", "{}");

        assertThat(fixture.host.lines.getFirst()).contains("OnUpdate (test:2:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw {get message() { throw 1; }, toString() { throw 2; }}",
                "const e = new Error(); Object.defineProperty(e, 'message', {get() { throw 1; }}); throw e",
                "throw new Proxy({}, {get() { throw 1; }, getPrototypeOf() { throw 2; }})",
                "throw Object.create(null)",
                "throw b",
                "throw doc"
            })
    void thrown_thatCannotBeDescribed_isStillReported(String statement) {
        assertThat(new Fixture().run(statement))
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).isNotEmpty());
    }
}
