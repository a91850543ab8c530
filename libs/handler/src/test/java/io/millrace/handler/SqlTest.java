package io.millrace.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.SqlCall;
import io.millrace.handler.host.SqlCall.Answer.Changed;
import io.millrace.handler.host.SqlCall.Answer.Rows;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How sql turns arguments into calls and rows into objects; the statements themselves are tested in the worker. */
class SqlTest {
    private final Fixture function = new Fixture();

    private SqlCall call(String statements) {
        function.host.sqlAnswer = new Changed(1);
        assertThat(function.run(statements)).isInstanceOf(InvocationResult.Success.class);
        return function.host.statements.getLast();
    }

    @Test
    void parameters_keepTheirTypes() {
        var call = call("""
            sql(db, 'INSERT', [null, true, 5, -0.5, 'text', 12345678901234567890n, new Date(1000),
                new Uint8Array([1, 2]).buffer, new Uint8Array([1, 2, 3]).subarray(1), {a: [1]}, doc]);\
            """);

        var values = call.parameters().stream().map(SqlCall.Parameter::value).toList();
        assertThat(call.named()).isFalse();
        assertThat(values.subList(0, 7))
                .isEqualTo(Arrays.asList(
                        null,
                        true,
                        5L,
                        -0.5,
                        "text",
                        new BigInteger("12345678901234567890"),
                        Instant.ofEpochSecond(1)));
        assertThat((byte[]) values.get(7)).containsExactly(1, 2);
        assertThat((byte[]) values.get(8)).containsExactly(2, 3);
        assertThat(values.subList(9, 11)).isEqualTo(List.of(new SqlCall.Json("{\"a\":[1]}"), new SqlCall.Json("{}")));
    }

    @Test
    void namedParameters_haveTheirNames() {
        var call = call("sql(db, 'SELECT', {id: 1, 'a b': 'x'})");

        assertThat(call.named()).isTrue();
        assertThat(call.parameters())
                .containsExactly(new SqlCall.Parameter("id", 1L), new SqlCall.Parameter("a b", "x"));
        assertThat(call("sql(db, 'SELECT')").parameters()).isEmpty();
    }

    @Test
    void rows_areObjectsOfTheirColumns() {
        function.host.sqlAnswer =
                new Rows(List.of("id", "__proto__"), List.of(List.of(1, "one"), Arrays.asList(2L, null)));

        assertThat(function.logged("""
                const rows = sql(db, 'SELECT');
                log(rows, Array.isArray(rows), rows.length, Object.keys(rows[0]).length);\
                """))
                .containsExactly("[{\"id\":1,\"__proto__\":\"one\"},{\"id\":2,\"__proto__\":null}] true 2 2");
    }

    @Test
    void values_keepWhatTheyAre() {
        function.host.sqlAnswer = new Rows(
                List.of("v"),
                List.of(
                        List.of(9007199254740991L),
                        List.of(9007199254740993L),
                        List.of(new BigDecimal("12.50")),
                        List.of(new BigDecimal("0.12345678901234567890")),
                        List.of(new BigDecimal("1E+3")),
                        List.of(0.1f),
                        List.of(false),
                        List.of(Instant.parse("2026-01-02T03:04:05.006Z")),
                        List.of("abc".getBytes(UTF_8)),
                        List.of(new SqlCall.Json("{\"a\":{\"b\":[1]}}")),
                        List.of(new SqlCall.Json("no json")),
                        List.of(Arrays.asList(1, null, List.of("x")))));

        assertThat(function.logged("""
                for (const {v} of sql(db, 'SELECT')) {
                  log(typeof v, v instanceof Date ? v.toISOString() : v instanceof ArrayBuffer ? v.byteLength : v);
                }\
                """))
                .containsExactly(
                        "\"number\" 9007199254740991",
                        "\"bigint\" 9007199254740993n",
                        "\"number\" 12.5",
                        "\"string\" \"0.12345678901234567890\"",
                        "\"number\" 1000",
                        "\"number\" 0.1",
                        "\"boolean\" false",
                        "\"object\" \"2026-01-02T03:04:05.006Z\"",
                        "\"object\" 3",
                        "\"object\" {\"a\":{\"b\":[1]}}",
                        "\"string\" \"no json\"",
                        "\"object\" [1,null,[\"x\"]]");
    }

    @Test
    void update_givesTheNumberOfRows() {
        function.host.sqlAnswer = new Changed(3);

        assertThat(function.logged("log(sql(db, 'DELETE FROM t'))")).containsExactly("3");
    }

    @Test
    void failure_isASqlErrorWithItsState() {
        function.host.sqlFailure = HostFailure.sqlError("23505", "duplicate key");

        assertThat(function.logged("""
                try {
                  sql(db, 'INSERT');
                } catch (e) {
                  log(e instanceof SqlError, e.name, e.sqlState, e.message, `${e}`);
                }\
                """))
                .containsExactly("true \"SqlError\" \"23505\" \"duplicate key\" \"SqlError: duplicate key\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sql('db', 'SELECT') | 08003",
                "sql(api, 'SELECT') | 08003",
                "sql(db, 5) | 42601",
                "sql(db, 'SELECT', 5) | 07001",
                "sql(db, 'SELECT', [undefined]) | 22023",
                "sql(db, 'SELECT', {f: () => 1}) | 22023",
                "sql(db, 'SELECT', [NaN]) | 22003",
                "sql(db, 'SELECT', [new Date(NaN)]) | 22007"
            })
    void wrongArgument_isRefusedBeforeTheHostIsCalled(String code, String state) {
        assertThat(function.logged("try { " + code + " } catch (e) { log(e instanceof SqlError, e.sqlState) }"))
                .containsExactly("true \"" + state + "\"");
        assertThat(function.host.statements).isEmpty();
    }
}
