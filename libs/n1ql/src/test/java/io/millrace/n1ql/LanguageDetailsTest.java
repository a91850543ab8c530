package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Details of the language in which an engine differs easily from the original. */
class LanguageDetailsTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        tester.keyspace(
                "t",
                "k",
                "{\"n\":1,\"o\":{\"x\":1,\"y\":2},\"a\":[{\"b\":1,\"c\":2},{\"b\":3,\"c\":4}],\"f\":\"n,o.x\",\"name.first\":5}");
        tester.keyspace("s", "l", "{\"n\":2}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT RAW s FROM t LEFT NEST s ON s.n = t.n | []",
                "SELECT RAW OBJECT_NAMES(t.a[*]) FROM t | [\"b\",\"c\"]",
                "SELECT RAW t.a[*] FROM t | {\"b\":[1,3],\"c\":[2,4]}",
                "SELECT RAW URLENCODE(' ') | \"%20\"",
                "SELECT RAW TONUMBER('$1,234.5', '$,') | 1234.5",
                "SELECT RAW TO_NUMBER('1,234') | null",
                "SELECT RAW ARRAY_BINARY_SEARCH(MISSING, 1) IS MISSING | true",
                "SELECT RAW ARRAY_BINARY_SEARCH([1, 3], MISSING) IS MISSING | true",
                "SELECT RAW x[].b[].c FROM [{'x': [{'b': [{'c': 1}, {'d': 2}]}, {'e': 3}]}] AS y LET x = y.x | [1]",
                "SELECT RAW x[].b[*].c FROM [{'x': [{'b': [{'c': 1}, {'d': 2}]}]}] AS y LET x = y.x | [1,null]",
                "SELECT RAW x[].z IS MISSING FROM [{'x': [{'b': 1}, {'e': 3}]}] AS y LET x = y.x | true",
                "SELECT RAW x[].b FROM [{'x': [{'b': 1}, {'e': 3}, {'b': null}]}] AS y LET x = y.x | [1,null]",
                "SELECT RAW DATE_RANGE_STR('2020-01-31', '2020-04-30', 'calendar_month')"
                        + " | [\"2020-01-31\",\"2020-02-29\",\"2020-03-31\"]",
                "SELECT RAW DATE_RANGE_STR('2020-01-31', '2020-04-30', 'day', 0) | [\"2020-01-31\"]",
                "SELECT RAW DURATION_TO_STR(1) | \"1ns\"",
                "SELECT RAW DURATION_TO_STR(999) | \"999ns\"",
                "SELECT RAW STR_TO_DURATION('1ns') | 1",
                "SELECT RAW STR_TO_DURATION('1.5us') | 1500",
                "SELECT RAW DECODE_JSON('') IS MISSING | true",
                "SELECT RAW DECODE_JSON('x') | null",
            })
    void detail_isThatOfTheOriginal(String statement, String expected) {
        assertThat(tester.rows(statement)).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "WITH c AS ([1]) SELECT 1 FROM c JOIN c ON TRUE | c",
                "SELECT t.a EXCLUDE a[i].b FROM t | EXCLUDE expects paths of fields and numbers of elements",
                "SELECT t.* EXCLUDE 5 FROM t | EXCLUDE expects paths, or texts of them",
                "SELECT t.* EXCLUDE LENGTH(f) FROM t | not number",
                "SELECT t.* EXCLUDE 'a..b' FROM t | texts of paths such as",
                "SELECT t.* EXCLUDE 'a,' FROM t | texts of paths such as",
                "SELECT 1 FROM t WHERE SEARCH(t, 'x') | no full-text indexes",
                "SELECT SEARCH_SCORE(t) FROM t | no full-text indexes",
                "SELECT 1 FROM t ORDER BY APPROX_VECTOR_DISTANCE(t.v, [1], 'L2') | no vector indexes",
                "SELECT ISVECTOR(v, 2, 'float32') FROM t | no vector indexes",
                "SELECT ADVISOR({'action': 'start'}) | there are no sessions that collect statements",
                "SELECT ADVISOR(['SELECT 1', 5]) | not number",
                "SELECT ADVISOR('SELEC 1') | syntax error",
            })
    void whatIsNotDone_isRefusedInWords(String statement, String message) {
        assertThat(tester.failure(statement)).hasMessageContaining(message);
    }

    // ---- EXCLUDE

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT t.a EXCLUDE a.b FROM t | {\"a\":[{\"c\":2},{\"c\":4}]}",
                "SELECT t.a EXCLUDE a[0].b FROM t | {\"a\":[{\"c\":2},{\"b\":3,\"c\":4}]}",
                "SELECT t.a EXCLUDE a[-1].b FROM t | {\"a\":[{\"b\":1,\"c\":2},{\"c\":4}]}",
                "SELECT t.a EXCLUDE a[1] FROM t | {\"a\":[{\"b\":1,\"c\":2}]}",
                "SELECT t.a EXCLUDE a[7].b, a[-7] FROM t | {\"a\":[{\"b\":1,\"c\":2},{\"b\":3,\"c\":4}]}",
                "SELECT t.n, t.o EXCLUDE o[0] FROM t | {\"n\":1,\"o\":{\"x\":1,\"y\":2}}",
                "SELECT t.* EXCLUDE 'a, f , o.y,`name.first`' FROM t | {\"n\":1,\"o\":{\"x\":1}}",
                "SELECT t.* EXCLUDE t.a, f, `name.first` FROM t | {\"n\":1,\"o\":{\"x\":1,\"y\":2}}",
                "SELECT * EXCLUDE a, f, t.`name.first`, o FROM t | {\"t\":{\"n\":1}}",
                "SELECT t.* EXCLUDE CONCAT('a[', TO_STRING(1), '].b, o'), f, 'n,`name.first`' FROM t"
                        + " | {\"a\":[{\"b\":1,\"c\":2},{\"c\":4}]}",
                "SELECT n, o EXCLUDE LOWER(t.f) FROM t | {\"o\":{\"y\":2}}",
                "SELECT * EXCLUDE CONCAT('a,f,o', ',`name.first`') FROM t | {\"t\":{\"n\":1}}",
                "SELECT RAW t.a EXCLUDE b FROM t | [{\"c\":2},{\"c\":4}]",
            })
    void exclude_leavesOutFieldsAndElements(String statement, String expected) {
        assertThat(tester.rows(statement)).containsExactly(expected);
    }

    @Test
    void exclude_takesPathsFromAParameter() {
        QueryOptions options = QueryOptions.DEFAULT.withNamed("fields", Value.of("a,f,o.x,`name.first`"));

        assertThat(tester.rows("SELECT t.* EXCLUDE $fields FROM t", options))
                .containsExactly("{\"n\":1,\"o\":{\"y\":2}}");
    }

    // ---- ADVISOR

    @Test
    void advisor_hasTheAdviceOfStatements() {
        tester.rows("CREATE INDEX by_n ON t(n)");

        assertThat(tester.rows("SELECT RAW ADVISOR('SELECT * FROM t WHERE n = 1')"))
                .containsExactly(
                        "{\"current_used_indexes\":[{\"index\":\"CREATE INDEX `by_n` ON `t`(`n`)\",\"statements\":"
                                + "[{\"run_count\":1,\"statement\":\"SELECT * FROM t WHERE n = 1\"}]}]}");
        assertThat(tester.rows("SELECT RAW ADVISOR(['DELETE FROM s WHERE n = 1', 'SELECT * FROM s WHERE n > 2',"
                        + " 'DELETE FROM s WHERE n = 1']).recommended_indexes"))
                .containsExactly("[{\"index\":\"CREATE INDEX `adv_n` ON `s`(`n`)\",\"statements\":"
                        + "[{\"run_count\":2,\"statement\":\"DELETE FROM s WHERE n = 1\"},"
                        + "{\"run_count\":1,\"statement\":\"SELECT * FROM s WHERE n > 2\"}]}]");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM s")).containsExactly("1");
    }

    @Test
    void advisorOfNothing_isNothing() {
        assertThat(tester.rows("SELECT RAW [ADVISOR(NULL), ADVISOR([]), ADVISOR(MISSING) IS MISSING]"))
                .containsExactly("[null,{},true]");
    }
}
