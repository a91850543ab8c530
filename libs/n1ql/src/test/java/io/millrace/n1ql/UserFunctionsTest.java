package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** User-defined functions: expressions with parameters. */
class UserFunctionsTest {

    private static final QueryOptions IN_EU = QueryOptions.DEFAULT.withQueryContext(new QueryContext("shop", "eu"));

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void keyspaces() {
        tester.keyspace(
                "shop", "a", "{\"n\":1,\"k\":\"x\"}", "b", "{\"n\":2,\"k\":\"y\"}", "c", "{\"n\":3,\"k\":\"x\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE FUNCTION celsius(f) { (f - 32) / 1.8 } | celsius(212) | 100",
                "CREATE FUNCTION celsius(f) LANGUAGE INLINE AS (f - 32) / 1.8 | celsius(32) | 0",
                "CREATE FUNCTION default:both(a, b) LANGUAGE INLINE { CONCAT(a, b) } | both('x', 'y') | \"xy\"",
                "CREATE FUNCTION pi3() { 3.14 } | pi3() | 3.14",
                "CREATE FUNCTION how_many(...) { ARRAY_LENGTH(args) } | how_many(1, NULL, 3) | 3",
                "CREATE FUNCTION of(o) { o.a.b[0] } | of({'a': {'b': [7]}}) | 7",
                "CREATE FUNCTION is_known(a) { a IS NOT MISSING } | is_known(MISSING) | false",
                "CREATE FUNCTION sum_of(what) { (SELECT RAW SUM(s.n) FROM shop s WHERE s.k = what)[0] } | sum_of('x') | 4",
                "CREATE FUNCTION n(n) { (SELECT RAW s.n FROM shop s WHERE s.n = n + 1) } | n(1) | [2]",
                "CREATE FUNCTION shadow(s) { (SELECT RAW s.n FROM shop s USE KEYS 'a') } | shadow(9) | [1]",
                "CREATE FUNCTION each(list) { ARRAY v * 2 FOR v IN list WHEN v > 1 END } | each([1, 2, 3]) | [4,6]"
            })
    void call_hasTheValueOfTheExpression(String create, String call, String value) {
        tester.rows(create);

        assertThat(tester.rows("SELECT RAW " + call)).containsExactly(value);
        assertThat(tester.rows("EXECUTE FUNCTION " + call)).containsExactly(value);
    }

    @Test
    void call_standsWhereOtherFunctionsStand() {
        tester.rows("CREATE FUNCTION twice(x) { x * 2 }");

        assertThat(tester.rows("SELECT RAW twice(s.n) FROM shop s WHERE twice(s.n) > 2 ORDER BY twice(s.n) DESC"))
                .containsExactly("6", "4");
        assertThat(tester.rows("SELECT twice(n) AS d, COUNT(*) AS c FROM shop GROUP BY twice(n) ORDER BY d LIMIT 1"))
                .containsExactly("{\"d\":2,\"c\":1}");
        assertThat(tester.rows("SELECT RAW SUM(twice(n)) FROM shop")).containsExactly("12");
        tester.rows("UPDATE shop SET n = twice(n) WHERE k = 'y'");
        assertThat(tester.rows("SELECT RAW n FROM shop USE KEYS 'b'")).containsExactly("4");
    }

    @Test
    void functions_callEachOther() {
        tester.rows("CREATE FUNCTION next(x) { x + 1 }");
        tester.rows("CREATE FUNCTION after_next(x) { next(next(x)) }");

        assertThat(tester.rows("SELECT RAW after_next(1)")).containsExactly("3");
    }

    @Test
    void functionOfTheQueryContext_comesBeforeTheGlobalOne() {
        tester.rows("CREATE FUNCTION where_am_i() { 'everywhere' }");
        assertThat(tester.rows("SELECT RAW where_am_i()", IN_EU)).containsExactly("\"everywhere\"");

        tester.rows("CREATE FUNCTION where_am_i() { 'eu' }", IN_EU);

        assertThat(tester.rows("SELECT RAW where_am_i()", IN_EU)).containsExactly("\"eu\"");
        assertThat(tester.rows("SELECT RAW where_am_i()")).containsExactly("\"everywhere\"");
        assertThat(tester.rows("SELECT RAW shop.eu.where_am_i()")).containsExactly("\"eu\"");
    }

    @Test
    void replacedAndDroppedFunctions_areSoAtOnce() {
        tester.rows("CREATE FUNCTION rate() { 1 }");
        assertThat(tester.rows("SELECT RAW rate()")).containsExactly("1");

        tester.rows("CREATE OR REPLACE FUNCTION rate() { 2 }");
        assertThat(tester.rows("SELECT RAW rate()")).containsExactly("2");
        tester.rows("CREATE FUNCTION IF NOT EXISTS rate() { 3 }");
        assertThat(tester.rows("SELECT RAW rate()")).containsExactly("2");
        assertThat(tester.failure("CREATE FUNCTION rate() { 3 }").code()).isEqualTo(ErrorCode.FUNCTION_EXISTS.code());

        tester.rows("DROP FUNCTION rate");
        assertThat(tester.failure("SELECT RAW rate()").code()).isEqualTo(ErrorCode.FUNCTION_NOT_FOUND.code());
        assertThat(tester.failure("SELECT RAW rate() + 0").code()).isEqualTo(ErrorCode.SYNTAX.code());
        tester.rows("DROP FUNCTION IF EXISTS rate");
        assertThat(tester.failure("DROP FUNCTION rate").code()).isEqualTo(ErrorCode.FUNCTION_NOT_FOUND.code());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE FUNCTION f(a) { b } | AMBIGUOUS_REFERENCE | field 'b'",
                "CREATE FUNCTION f(a) { a + $x } | SEMANTICS | parameters of its own",
                "CREATE FUNCTION f(a) LANGUAGE JAVASCRIPT AS 'function f(a) { return a; }' | SEMANTICS | cannot be created here",
                "CREATE FUNCTION f(a) LANGUAGE JAVASCRIPT AS 'f' AT 'lib' | SEMANTICS | no libraries",
                "CREATE FUNCTION a.b(x) { x } | FUNCTION_NAME | bucket.scope.name",
                "CREATE FUNCTION f(a) { a + } | SYNTAX | }",
                "SELECT RAW unknown_one(1) | SYNTAX | Invalid function unknown_one",
                "SELECT RAW substrng('a', 1) | SYNTAX | did you mean"
            })
    void mistakes_areRefusedInWords(String statement, ErrorCode code, String words) {
        QueryException failure = tester.failure(statement);

        assertThat(failure.code()).as(failure.toString()).isEqualTo(code.code());
        assertThat(failure).hasMessageContaining(words);
    }

    @Test
    void failingCalls_nameTheFunction() {
        tester.rows("CREATE FUNCTION strict(a) { CASE WHEN a > 0 THEN a ELSE ABORT('not positive') END }");
        tester.rows("CREATE FUNCTION endless(a) { endless(a) }");

        assertThat(tester.failure("SELECT RAW strict(-1)"))
                .hasMessageContaining("default:strict")
                .hasMessageContaining("not positive")
                .extracting(QueryException::code)
                .isEqualTo(ErrorCode.FUNCTION_FAILED.code());
        assertThat(tester.failure("SELECT RAW strict()").code()).isEqualTo(ErrorCode.FUNCTION_ARGUMENTS.code());
        assertThat(tester.failure("SELECT RAW endless(1)")).hasMessageContaining("nested deeper");
    }

    @Test
    void systemFunctions_listsDefinitions() {
        tester.rows("CREATE FUNCTION shop.eu.rate(country) { 20 }");

        assertThat(tester.rows("SELECT RAW f FROM system:functions f"))
                .singleElement()
                .asString()
                .contains("\"name\":\"rate\"", "\"scope\":\"eu\"", "\"expression\":\"20\"", "[\"country\"]");
    }

    @Test
    void handlersMayCallFunctionsByTheirWholeName() {
        assertThat(StatementOutline.of("SELECT RAW shop.eu.rate(1)").select()).isTrue();
        assertThatThrownBy(() -> StatementOutline.of("SELECT RAW rate(1)"))
                .hasMessageContaining("Invalid function rate");
    }
}
