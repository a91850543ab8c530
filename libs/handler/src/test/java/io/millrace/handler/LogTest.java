package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTest {
    private final Fixture function = new Fixture();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "`doc: `, doc, ` n `, 1 | '\"doc: \" {\"a\":[1.0,{\"b\":null}]} \" n \" 1'",
                "doc.a | [1.0,{\"b\":null}]",
                "{doc} | {\"doc\":{\"a\":[1,{\"b\":null}]}}",
                "undefined, null, NaN, () => 1, Symbol('s') | undefined null null undefined undefined",
                "10n | 10n",
                "new Error('broken') | Error: broken",
                "new TypeError('t') | TypeError: t",
                "new KVError({code: 1}) | 'KVError: {\"code\":1}'",
                "new Date(0) | '\"1970-01-01T00:00:00.000Z\"'",
                "new ArrayBuffer(2) | {}",
                "b | {}"
            })
    void log_joinsJsonOfItsArguments(String arguments, String line) {
        function.update("function OnUpdate(doc) { log(" + arguments + "); }", "{ \"a\" : [ 1.0, {\"b\":null} ] }");

        assertThat(function.host.lines).containsExactly("INFO " + line);
    }

    @Test
    void log_ofCycle_saysSo() {
        function.run("const a = {}; a.a = a; log(a)");

        assertThat(function.host.lines.getFirst()).startsWith("INFO TypeError: Converting circular structure");
    }

    @Test
    void console_hasLevels() {
        function.run(
                "console.log(1); console.info(2); console.warn(3); console.error(4); console.debug(5); couchbase.log(6)");

        assertThat(function.host.lines)
                .containsExactly("INFO 1", "INFO 2", "WARNING 3", "ERROR 4", "DEBUG 5", "INFO 6");
    }

    @Test
    void log_withoutArguments_isEmptyLine() {
        function.run("log()");

        assertThat(function.host.lines).containsExactly("INFO ");
    }

    @Test
    void log_ofLongText_isCut() {
        function.run("log('x'.repeat(1000000))");

        assertThat(function.host.lines.getFirst()).hasSize("INFO ".length() + HandlerLimits.LOG_LINE_CHARS + 4);
    }
}
