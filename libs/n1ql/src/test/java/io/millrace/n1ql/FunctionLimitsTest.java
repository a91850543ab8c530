package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No function gives a text without limit, and none compares without limit. */
class FunctionLimitsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final QueryTester tester = new QueryTester();

    /** Texts of a request: 8 Ki characters, 3 Mi characters and 11 Mi characters. */
    private static QueryOptions options() {
        Map<String, Value> parameters = new HashMap<>();
        parameters.put("small", Value.of("a".repeat(8 << 10)));
        parameters.put("long", Value.of("a".repeat(3 << 20)));
        parameters.put("longer", Value.of("a".repeat(11 << 20)));
        parameters.put("needle", Value.of("a".repeat(1 << 20) + "b"));
        return QueryOptions.DEFAULT.withNamed(parameters);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SUFFIXES($small)",
                "REPLACE($small, 'a', $small)",
                "REPLACE($small, 'a', $small, 8000)",
                "REPLACE($small, '', $small)",
                "REGEXP_REPLACE($small, 'a', $small)",
                "REGEXP_REPLACE($small, 'a', $small, 8000)",
                "REGEXP_REPLACE($small, '(a*)', REPEAT('$1', 8000))",
                "$longer || $longer",
                "CONCAT($longer, $longer)",
                "CONCAT2($small, ARRAY_REPEAT('b', 8000))",
                "URL_ENCODE(REPLACE($long, 'a', '\u20ac'))",
                "BASE64_ENCODE($longer || $long || $long)",
                "ENCODE_JSON(ARRAY_REPEAT($long, 8))",
                "TO_STRING(ARRAY_REPEAT($long, 8))",
                "REPEAT('abc', 6148914691236518000)",
                "MB_LPAD('a', 20971521)",
            })
    void textBeyondTheLimit_isRefused(String call) {
        QueryException failure = tester.failure("SELECT RAW LENGTH(TO_STRING(" + call + "))", options());

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(ErrorCode.RANGE);
    }

    @Test
    void textThatIsDoubledAgainAndAgain_isRefused() {
        StringBuilder lets = new StringBuilder("LET t0 = $small");
        for (int i = 1; i <= 14; i++) {
            lets.append(", t")
                    .append(i)
                    .append(" = t")
                    .append(i - 1)
                    .append(" || t")
                    .append(i - 1);
        }

        QueryException failure = tester.failure("SELECT RAW LENGTH(t14) FROM [1] x " + lets, options());

        assertThat(failure).hasMessageContaining("||: texts of at most 20971520 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONTAINS($long, $needle)",
                "POSITION($long, $needle)",
                "MB_POSITION($long, $needle)",
                "SPLIT($long, $needle)",
                "REPLACE($long, $needle, 'x')",
                "REPLACE($long, $needle, 'x', 1)",
                "TRIM($long, REPLACE($needle, 'a', 'c') || 'a')",
                "TO_NUMBER($long, $small)",
                "$small LIKE REPEAT('%a', 5001)",
                "$long LIKE REPEAT('%a', 500)",
                "REGEXP_CONTAINS('a', REPEAT('a?', 5001))",
                "REGEXP_LIKE($long, REPEAT('a?', 500))",
                "REGEXP_REPLACE($long, REPEAT('a?', 500), '')",
                "REGEXP_SPLIT($long, REPEAT('a?', 500))",
                "CONTAINS_TOKEN_LIKE('a', REPEAT('%a', 5001))",
                "CONTAINS_TOKEN_REGEXP($long, REPEAT('a?', 500))",
                "MASK($small, {'anchor': REPEAT('a?', 5001)})",
                "REGEXP_CONTAINS('a', '(((a{100}){100}){100}){100}')",
                "REGEXP_CONTAINS('a', '(?:[)]{2}\\\\)(?:[^](\\\\]]|b{2,}){9}{x}){1000}')",
                "REGEXP_LIKE($long, '(a{1,9}){100}b')",
                "MASK('a', {'anchor': '((a{100}){100}){100}'})",
                "CONTAINS_TOKEN_REGEXP('a', '((a{100}){100}){100}')",
                "FINDERR('((a{100}){100}){100}')",
            })
    void workBeyondTheLimit_isRefused(String call) {
        QueryException failure = assertTimeoutPreemptively(
                SOON, () -> tester.failure("SELECT RAW TO_STRING(" + call + ") IS MISSING", options()));

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(ErrorCode.RANGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ARRAY_LENGTH(ARRAY_REPEAT(ARRAY_REPEAT(1, 1000000), 1000000))",
                "HASHBYTES(ARRAY_REPEAT(ARRAY_REPEAT(x, 1000000), 1000000))",
                "ENCODED_SIZE(ARRAY_REPEAT($long, 1000))",
                "ARRAY_LENGTH(ARRAY ARRAY_RANGE(0, 1000000) FOR y IN ARRAY_RANGE(0, x * 1000000) END)",
                "OBJECT_LENGTH(OBJECT TO_STRING(y) : ARRAY_RANGE(0, 1000000) FOR y IN ARRAY_RANGE(0, 5) END)",
                "d9 = [d9]",
            })
    void arrayOfMoreValuesThanTheLimit_isRefused(String call) {
        StringBuilder lets = new StringBuilder("LET d0 = [x]");
        for (int i = 1; i <= 9; i++) {
            String inner = "d" + (i - 1);
            lets.append(", d%d = {'a': %s, 'b': [%s1]}".formatted(i, inner, (inner + ",").repeat(9)));
        }

        QueryException failure = assertTimeoutPreemptively(
                SOON, () -> tester.failure("SELECT RAW " + call + " FROM [1] x " + lets, options()));

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(ErrorCode.RANGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT q AS x, q AS y FROM (%s) q", "SELECT * FROM (%s) q UNNEST [q] r"})
    void rowOfMoreValuesThanTheLimit_isRefused(String around) {
        String statement = "SELECT 'twenty characters...' AS x";
        for (int i = 0; i < 40; i++) {
            statement = around.formatted(statement);
        }
        String doubled = "SELECT RAW COUNT(*) FROM (" + statement + ") q";

        QueryException failure = assertTimeoutPreemptively(SOON, () -> tester.failure(doubled));

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(ErrorCode.RANGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"REGEXP_CONTAINS($wide, $nested)", "REGEXP_CONTAINS(REPEAT('a', 100000), '((a{0,9}){0,99})*b')"})
    void longMatch_endsWithTheTimeOfTheStatement(String call) {
        QueryOptions options = QueryOptions.DEFAULT
                .withNamed(Map.of("wide", Value.of("a".repeat(100_000)), "nested", Value.of("((a{0,9}){0,99})*b")))
                .withTimeout(Duration.ofMillis(200));

        QueryException failure = assertTimeoutPreemptively(SOON, () -> tester.failure("SELECT RAW " + call, options));

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(ErrorCode.TIMEOUT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "ARRAY_LENGTH(SUFFIXES(REPEAT('a', 6000))) ; 6000",
                "LENGTH($longer || $long)                ; 14680064",
                "LENGTH(CONCAT($longer, $long))          ; 14680064",
                "CONTAINS($longer, 'b')                  ; false",
                "CONTAINS($needle, $longer)              ; false",
                "CONTAINS($longer, $longer)              ; true",
                "$longer LIKE '%b%'                      ; false",
                "REPLACE('abcabc', 'b', 'xy')            ; \"axycaxyc\"",
                "REPLACE('abcabc', 'b', 'xy', 1)         ; \"axycabc\"",
                "REPLACE('abc', 'b', 'x', 0)             ; \"abc\"",
                "REPLACE('ab', '', '-')                  ; \"-a-b-\"",
                "REPLACE('ab', '', '-', 1)               ; \"ab\"",
                "REPLACE('abc', 'abc', '')               ; \"\"",
                "REGEXP_REPLACE('abc', '(b)', '<$1>')    ; \"a<b>c\"",
                "LENGTH(REPEAT('ab', 10485760))          ; 20971520",
                "'a' LIKE REPEAT('_', 10000)             ; false",
                "ARRAY_LENGTH(ARRAY_REPEAT([1, 2, 3], 1000000)) ; 1000000",
                "'a' LIKE 'a{1000}{1000}'                ; false",
                "REGEXP_LIKE('a{1', 'a{1')               ; true",
                "REGEXP_LIKE('aab', '[(]{0,9}(a{2}){0,1}\\\\x{62}') ; true",
                "LENGTH(REGEXP_REPLACE($long, 'a', '')) ; 0",
                "REGEXP_POSITION(REPEAT('a', 50000) || 'b', '(a{0,9}){0,9}b') ; 49919",
            })
    void callWithinTheLimits_isComputed(String call, String json) {
        List<String> rows = tester.rows("SELECT RAW " + call, options());

        assertThat(rows).containsExactly(json);
    }
}
