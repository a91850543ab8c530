package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes in each clause of a SELECT. */
class WrongSelectTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        tester.keyspace("t", "a", "{\"n\":1,\"l\":[1,2]}", "b", "{\"n\":2,\"l\":\"text\"}");
        tester.keyspace("s", "s1", "{\"id\":\"a\"}");
        tester.keyspaces().create("bare").put("x", "{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT                                                     | SYNTAX",
                "SELECT n n2 n3 FROM t                                      | SYNTAX",
                "SELECT 'open FROM t                                        | SYNTAX",
                "SELECT n FROM t; SELECT n FROM t                           | SYNTAX",
                "SELECT NOSUCH(n) FROM t                                    | SYNTAX",
                "SELECT LOWER() FROM t                                      | SYNTAX",
                "SELECT LOWER(n, n) FROM t                                  | SYNTAX",
                "SELECT n AS x, l AS x FROM t                               | SYNTAX",
                "SELECT $1 FROM t                                           | EVALUATION",
                "SELECT META().id FROM t, s                                 | AMBIGUOUS_META",
                "SELECT n FROM t JOIN s ON KEYS t.n                         | AMBIGUOUS_REFERENCE",
                "SELECT t.n FROM t, t                                       | DUPLICATE_ALIAS",
                "SELECT * FROM                                              | SYNTAX",
                "SELECT * FROM t.s.c                                        | KEYSPACE_NOT_FOUND",
                "SELECT * FROM nowhere                                      | KEYSPACE_NOT_FOUND",
                "SELECT * FROM bare                                         | NO_INDEX",
                "SELECT * FROM t JOIN bare ON t.n = bare.n                  | NO_INDEX",
                "SELECT * FROM t JOIN nowhere ON KEYS t.n                   | KEYSPACE_NOT_FOUND",
                "SELECT * FROM t UNNEST                                     | SYNTAX",
                "SELECT * FROM t WHERE                                      | SYNTAX",
                "SELECT * FROM t WHERE COUNT(*) > 1                         | SYNTAX",
                "SELECT * FROM t WHERE n BETWEEN 1                          | SYNTAX",
                "SELECT * FROM t LET n = 1, n = 2                           | DUPLICATE_VARIABLE",
                "WITH w AS (SELECT 1), w AS (SELECT 2) SELECT * FROM w      | DUPLICATE_ALIAS",
                "SELECT l, COUNT(*) FROM t GROUP BY n                       | NOT_A_GROUP_KEY",
                "SELECT n FROM t GROUP BY COUNT(*)                          | SYNTAX",
                "SELECT n FROM t GROUP BY n HAVING l > 1                    | NOT_A_GROUP_KEY",
                "SELECT SUM(COUNT(*)) FROM t                                | SYNTAX",
                "SELECT n FROM t ORDER BY COUNT(*)                          | NOT_A_GROUP_KEY",
                "SELECT n FROM t ORDER n                                    | SYNTAX",
                "SELECT n FROM t LIMIT 'two'                                | EVALUATION",
                "SELECT n FROM t LIMIT 1.5                                  | EVALUATION",
                "SELECT n FROM t LIMIT n                                    | AMBIGUOUS_REFERENCE",
                "SELECT n FROM t OFFSET 'two'                               | EVALUATION",
                "SELECT ROW_NUMBER() OVER (PARTITION n) FROM t              | SYNTAX",
                "SELECT * FROM t JOIN s ON SUM(t.n) = 1                     | SYNTAX",
                "SELECT * FROM t JOIN s ON KEYS MAX(t.n)                    | SYNTAX",
                "SELECT * FROM t UNNEST ARRAY_AGG(t.n) AS x                 | SYNTAX",
                "SELECT * FROM t USE KEYS MAX('a')                          | SYNTAX",
                "SELECT n FROM t GROUP BY n LIMIT COUNT(*)                  | SYNTAX",
                "SELECT SUM(n) FILTER (WHERE COUNT(*) > 1) FROM t           | SYNTAX",
                "SELECT * FROM (SELECT 1)                                   | NO_ALIAS",
                "SELECT * FROM [1, 2]                                       | NO_ALIAS",
                "SELECT * FROM t UNNEST [1, 2]                              | NO_ALIAS",
                "SELECT UNNEST_POS(t) FROM t                                | SEMANTICS",
                "SELECT UNNEST_POS() FROM t                                 | SYNTAX",
                "SELECT ABORT('because') FROM t                             | ABORT",
                "SELECT RAW n, l FROM t                                     | SYNTAX",
                "SELECT n FROM t UNION SELECT                               | SYNTAX",
                "SELECT n FROM t USE INDEX (nosuch) EXCEPT                  | SYNTAX",
                "SELECT ARRAY x FOR x IN l FROM t                           | SYNTAX",
                "SELECT CASE n WHEN 1 THEN 2 FROM t                         | SYNTAX",
                "SELECT CAST(n AS number) FROM t                            | SYNTAX",
                "PREPARE FROM SELECT                                        | SYNTAX",
                "EXECUTE nosuch                                             | NO_SUCH_PREPARED",
                "CREATE INDEX i ON nowhere(n)                               | KEYSPACE_NOT_FOUND",
                "CREATE INDEX i ON t()                                      | SYNTAX",
                "DROP INDEX nosuch ON t                                     | INDEX_NOT_FOUND",
                "CREATE PRIMARY INDEX ON t                                  | INDEX_EXISTS",
            })
    void mistake_hasItsCode(String statement, ErrorCode code) {
        QueryException failure = tester.failure(statement);

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT n FROM t WHERE ROW_NUMBER() OVER () = 1",
                "SELECT n FROM t GROUP BY n HAVING ROW_NUMBER() OVER () = 1",
                "SELECT SUM(ROW_NUMBER() OVER ()) FROM t",
                "SELECT SUM(COUNT(*) OVER ()) OVER () FROM t",
                "SELECT RANK() OVER () FROM t",
                "SELECT LAG(n) OVER (PARTITION BY l) FROM t",
                "SELECT ROW_NUMBER() OVER (ORDER BY n ROWS 1 PRECEDING) FROM t",
                "SELECT SUM(n) OVER (RANGE 1 PRECEDING) FROM t",
                "SELECT SUM(n) OVER (ORDER BY n, l RANGE 1 PRECEDING) FROM t",
                "SELECT SUM(n) OVER (GROUPS 1 PRECEDING) FROM t",
                "SELECT SUM(n) OVER (ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM t",
                "SELECT SUM(n) OVER (ROWS UNBOUNDED FOLLOWING) FROM t",
                "SELECT SUM(n) IGNORE NULLS OVER () FROM t",
                "SELECT FIRST_VALUE(n) FROM LAST OVER () FROM t",
                "SELECT SUM(n) OVER w FROM t WINDOW v AS (ORDER BY n)",
            })
    void mistakeInAWindow_hasItsCode(String statement) {
        QueryException failure = tester.failure(statement);

        assertThat(failure.errorCode()).as(failure.getMessage()).isEqualTo(ErrorCode.WINDOW);
    }
}
