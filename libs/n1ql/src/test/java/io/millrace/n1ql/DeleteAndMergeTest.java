package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeleteAndMergeTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        tester.keyspace("t", "a", "{\"n\":1}", "b", "{\"n\":2}", "c", "{\"n\":3}", "d", "5");
        tester.keyspace("s", "s1", "{\"id\":\"a\",\"m\":10}", "s2", "{\"id\":\"z\",\"m\":20}");
    }

    private String left() {
        return tester.rows("SELECT RAW META().id FROM t").toString().replace("\"", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "DELETE FROM t                                       | []",
                "DELETE FROM t USE KEYS 'a'                          | [b, c, d]",
                "DELETE FROM t USE KEYS ['a', 'x', 'a', 'c']         | [b, d]",
                "DELETE FROM t WHERE n > 1                           | [a, d]",
                "DELETE FROM t x WHERE x.n IS MISSING                | [a, b, c]",
                "DELETE FROM t WHERE META().id IN ['a', 'd', 'q']    | [b, c]",
                "DELETE FROM t WHERE META().id LIKE 'a%'             | [b, c, d]",
                "DELETE FROM t LIMIT 2                               | [c, d]",
                "DELETE FROM t WHERE n > 0 LIMIT 1 OFFSET 1          | [a, c, d]",
                "DELETE FROM t LIMIT 0                               | [a, b, c, d]",
                "DELETE FROM t LET k = META().id WHERE k < 'c'       | [c, d]",
                "DELETE FROM t WHERE n = (SELECT RAW MAX(x.n) FROM t x)[0] | [a, b, d]",
                "DELETE FROM t USE KEYS (SELECT RAW s.id FROM s)     | [b, c, d]",
            })
    void delete_removesWhatItFinds(String statement, String expected) {
        tester.rows(statement);

        assertThat(left()).isEqualTo(expected);
    }

    @Test
    void returning_seesTheOldDocument() {
        assertThat(tester.rows("DELETE FROM t WHERE n = 2 RETURNING META().id, n"))
                .containsExactly("{\"id\":\"b\",\"n\":2}");
        assertThat(tester.rows("DELETE FROM t x USE KEYS 'a' RETURNING x.*")).containsExactly("{\"n\":1}");
        assertThat(tester.rows("DELETE FROM t x USE KEYS 'c' RETURNING RAW x")).containsExactly("{\"n\":3}");
        assertThat(tester.rows("DELETE FROM t USE KEYS 'none' RETURNING *")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "DELETE t                                        | SYNTAX",
                "DELETE FROM t WHERE                             | SYNTAX",
                "DELETE FROM nowhere                             | KEYSPACE_NOT_FOUND",
                "DELETE FROM t WHERE COUNT(*) > 1                | SYNTAX",
                "DELETE FROM t WHERE NOSUCH(n)                   | SYNTAX",
                "DELETE FROM t WHERE n = $x                      | EVALUATION",
                "DELETE FROM t LIMIT 1 LIMIT 2                   | SYNTAX",
            })
    void wrongDelete_hasItsCodeAndChangesNothing(String statement, ErrorCode code) {
        assertThat(tester.failure(statement).errorCode()).isEqualTo(code);
        assertThat(left()).isEqualTo("[a, b, c, d]");
    }

    @Test
    void mergeOnKey_updatesAndInserts() {
        tester.rows("MERGE INTO t USING s ON KEY s.id WHEN MATCHED THEN UPDATE SET t.m = s.m"
                + " WHEN NOT MATCHED THEN INSERT {\"m\": s.m}");

        assertThat(tester.body("t", "a")).isEqualTo("{\"n\":1,\"m\":10}");
        assertThat(tester.body("t", "z")).isEqualTo("{\"m\":20}");
    }

    @Test
    void mergeOnCondition_deletesAndInserts() {
        assertThat(tester.rows("MERGE INTO t USING s ON META(t).id = s.id WHEN MATCHED THEN DELETE"
                        + " WHEN NOT MATCHED THEN INSERT (KEY s.id, VALUE {'new': s.m}) RETURNING META(t).id"))
                .containsExactlyInAnyOrder("{\"id\":\"a\"}", "{\"id\":\"z\"}");
        assertThat(left()).isEqualTo("[b, c, d, z]");
    }

    @Test
    void merge_withConditionsOnItsActions() {
        tester.rows("MERGE INTO t USING s ON KEY s.id WHEN MATCHED THEN UPDATE SET t.m = 1 WHERE s.m > 100"
                + " WHEN NOT MATCHED THEN INSERT {\"m\": s.m} WHERE s.m > 100");

        assertThat(tester.body("t", "a")).isEqualTo("{\"n\":1}");
        assertThat(left()).isEqualTo("[a, b, c, d]");
    }

    @Test
    void mergeOfAnExpression_isPossible() {
        tester.rows("MERGE INTO t USING [{'k': 'b', 'v': 7}, {'k': 'q', 'v': 8}] AS src ON KEY src.k"
                + " WHEN MATCHED THEN UPDATE SET t.v = src.v WHEN NOT MATCHED THEN INSERT src");

        assertThat(tester.body("t", "b")).isEqualTo("{\"n\":2,\"v\":7}");
        assertThat(tester.body("t", "q")).isEqualTo("{\"k\":\"q\",\"v\":8}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "MERGE INTO t USING [1, 2] AS x ON KEY 'a' WHEN MATCHED THEN UPDATE SET t.v = x      | MERGE_UPDATED_TWICE",
                "MERGE INTO t USING [1, 2] AS x ON KEY 'a' WHEN MATCHED THEN DELETE                  | MERGE_UPDATED_TWICE",
                "MERGE INTO t USING [1, 2] AS x ON KEY 'q' WHEN NOT MATCHED THEN INSERT {}           | MERGE_INSERTED_TWICE",
                "MERGE INTO t USING s ON KEY s.id WHEN NOT MATCHED THEN INSERT (KEY 'x', VALUE {})   | MERGE_KEY",
                "MERGE INTO t USING s ON t.n = s.m WHEN NOT MATCHED THEN INSERT {}                   | MERGE_KEY",
                "MERGE INTO t USING nowhere ON KEY 'a' WHEN MATCHED THEN DELETE                      | KEYSPACE_NOT_FOUND",
            })
    void wrongMerge_hasItsCodeAndChangesNothing(String statement, ErrorCode code) {
        assertThat(tester.failure(statement).errorCode()).isEqualTo(code);
        assertThat(left()).isEqualTo("[a, b, c, d]");
        assertThat(tester.body("t", "a")).isEqualTo("{\"n\":1}");
    }

    @Test
    void timedOutChange_isReportedAsTimeout() {
        assertThat(tester.failure(
                                "DELETE FROM t WHERE ARRAY_SUM(ARRAY i FOR i IN ARRAY_RANGE(0, 100000) FOR j IN ARRAY_RANGE(0, 100000) END) < 0",
                                QueryOptions.DEFAULT.withTimeout(java.time.Duration.ofMillis(30)))
                        .errorCode())
                .isEqualTo(ErrorCode.TIMEOUT);
        assertThat(left()).isEqualTo("[a, b, c, d]");
    }
}
