package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What functions give where one could think otherwise. */
class FunctionTest {

    private final QueryTester tester = new QueryTester();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "UPPER('stra\u00dfe')                        | \"STRA\u00dfE\"",
                "LOWER('\u03a3\u0391\u03a3')               | \"\u03c3\u03b1\u03c3\"",
                "LEN('caf\u00e9')                           | 5",
                "LEN(12.5)                                  | 4",
                "LEN(FALSE)                                 | 1",
                "LEN([1, 2])                                | 2",
                "LEN({'a': 1})                              | 1",
                "LEN(NULL)                                  | null",
                "BASE64_DECODE('MTI=')                      | 12",
                "BASE64_DECODE('MTI')                       | null",
                "UNCOMPRESS(COMPRESS('caf\u00e9'))           | \"caf\u00e9\"",
                "UNCOMPRESS(COMPRESS(REPEAT('ab', 9))) = REPEAT('ab', 9) | true",
                "UNCOMPRESS('no zlib')                      | null",
                "UNCOMPRESS(SUBSTR(COMPRESS(REPEAT('abc', 50)), 0, 12)) | null",
                "COMPRESS(5)                                | null",
                "STR_TO_TZ('2020-01-02T03:04:05Z', 'America/New_York')      | \"2020-01-01T22:04:05-05:00\"",
                "STR_TO_TZ('2020-07-02T03:04:05.12Z', 'Europe/Paris')       | \"2020-07-02T05:04:05.12+02:00\"",
                "STR_TO_TZ('2020-07-02 03:04:05+0000', 'Europe/Paris')      | \"2020-07-02 05:04:05+0200\"",
                "CEIL(9007199254740993)                     | 9007199254740993",
                "FLOOR(-9007199254740993)                   | -9007199254740993",
                "FLOOR(-2.5) = -3 AND CEIL(2.5) = 3         | true",
                "TO_STRING(0.0001)                          | \"0.0001\"",
                "0.00002                                    | 0.00002",
                "-0.000001                                  | -0.000001",
                "0.00000123                                 | 0.00000123",
                "20000000.5                                 | 20000000.5",
                "REGEXP_REPLACE('aab', 'a*', '-')           | \"-b-\"",
                "REGEXP_REPLACE('ab', '', '-')              | \"-a-b-\"",
                "REGEXP_MATCHES('aab', 'a*')                | [\"aa\",\"\"]",
                "REGEXP_REPLACE('ab', '(?P<x_y>b)', '<${x_y}>$x_y') | \"a<b>b\"",
                "REGEXP_REPLACE('ab', '(b)', '$1_$none${9}') | \"a\"",
                "REGEXP_REPLACE('5', '5', '$ 5 $-${1')      | \"$ 5 $-${1\"",
                "DATE_ADD_MILLIS(9223372036854775807, 1, 'day') | null",
                "DATE_RANGE_MILLIS(-9223372036854775807, 9223372036854775807, 'year', 900000000000) | null",
                "DATE_ADD_MILLIS(0, 1537228672809129302, 'year') | null",
                "OBJECT_CONCAT2({'a': 1}, [{'b': 2}, {'a': 3}], {'c': 4})  | {\"a\":3,\"b\":2,\"c\":4}",
                "OBJECT_CONCAT2([{'a': 1}], {'b': 2})       | null",
                "OBJECT_CONCAT2({'a': 1}, [5])              | null",
                "OBJECT_TYPES({'s': 'x', 'n': 1, 'z': NULL, 'l': [1], 'o': {'p': TRUE}})"
                        + " | {\"s\":\"string\",\"n\":\"number\",\"z\":\"null\",\"l\":\"array\",\"o\":\"object\"}",
                "OBJECT_TYPES([1])                          | null",
                "OBJECT_TYPES(MISSING) IS MISSING           | true",
                "OBJECT_TYPES_NESTED({'l': ['x', [2], {'q': NULL}], 'o': {'p': TRUE, 'e': {}}})"
                        + " | {\"l\":[\"string\",[\"number\"],{\"q\":\"null\"}],\"o\":{\"p\":\"boolean\",\"e\":{}}}",
                "OBJECT_TYPES_NESTED('x')                   | null",
                "FORMALISE('SELECT 1') = FORMALIZE('SELECT 1') | true",
                "NODE_UUID('') = NODE_UUID(NODE_NAME())     | true",
                "IS_STRING(NODE_UUID(''))                   | true",
                "NODE_UUID('elsewhere:8091')                | null",
                "NODE_UUID(5)                               | null",
                "NODE_UUID(MISSING) IS MISSING              | true",
                "CURRENT_USERS()                            | []",
            })
    void value_isAsTheLanguageSays(String expression, String json) {
        assertThat(tester.rows("SELECT RAW " + expression)).containsExactly(json);
    }

    @Test
    void abort_saysWhy() {
        QueryException failure = tester.failure("SELECT ABORT('too ' || 'late')");

        assertThat(failure.code()).isEqualTo(5011);
        assertThat(failure).hasMessageContaining("too late");
    }

    @Test
    void unnestPosition_countsFromZeroInEachArray() {
        tester.keyspace("t", "a", "{\"n\":1,\"l\":[\"x\",\"y\"]}", "b", "{\"n\":2,\"l\":[\"z\"]}", "c", "{\"n\":3}");

        assertThat(tester.rows("SELECT RAW [t.n, v, UNNEST_POS(v)] FROM t UNNEST t.l AS v"))
                .containsExactly("[1,\"x\",0]", "[1,\"y\",1]", "[2,\"z\",0]");
        assertThat(tester.rows("SELECT t.n, UNNEST_POSITION(v) AS at FROM t LEFT UNNEST t.l AS v WHERE t.n = 3"))
                .containsExactly("{\"n\":3}");
        assertThat(tester.rows("SELECT UNNEST_POS(v) AS at, COUNT(*) AS c FROM t UNNEST t.l AS v"
                        + " GROUP BY UNNEST_POS(v) ORDER BY at"))
                .containsExactly("{\"at\":0,\"c\":2}", "{\"at\":1,\"c\":1}");
    }
}
