package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names in ORDER BY: those of the result first, but inside aggregates and windows those of the rows. */
class OrderByTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        tester.keyspace(
                "t",
                "1",
                "{\"g\":\"a\",\"v\":1,\"n\":1}",
                "2",
                "{\"g\":\"a\",\"v\":2,\"n\":2}",
                "3",
                "{\"g\":\"b\",\"v\":2,\"n\":3}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT g, SUM(v) AS v FROM t GROUP BY g ORDER BY SUM(v)             | {\"g\":\"b\",\"v\":2}",
                "SELECT g, SUM(v) AS v FROM t GROUP BY g ORDER BY SUM(v) DESC        | {\"g\":\"a\",\"v\":3}",
                "SELECT g, SUM(v) AS v FROM t GROUP BY g ORDER BY v                  | {\"g\":\"b\",\"v\":2}",
                "SELECT g, SUM(v) AS s FROM t GROUP BY g ORDER BY s + 1 DESC         | {\"g\":\"a\",\"s\":3}",
                "SELECT g, MAX(n) AS n FROM t GROUP BY g ORDER BY MIN(n) DESC        | {\"g\":\"b\",\"n\":3}",
                "SELECT n FROM t ORDER BY ROW_NUMBER() OVER (ORDER BY n DESC)        | {\"n\":3}",
                "SELECT n FROM t ORDER BY ROW_NUMBER() OVER (ORDER BY n DESC) DESC   | {\"n\":1}",
                "SELECT n FROM t ORDER BY SUM(v) OVER (PARTITION BY n) DESC, n DESC  | {\"n\":3}",
                "SELECT -n AS n FROM t ORDER BY n                                    | {\"n\":-3}",
                "SELECT -n AS n FROM t ORDER BY t.n                                  | {\"n\":-1}",
            })
    void firstRow_isTheFirstInTheOrderWanted(String statement, String first) {
        assertThat(tester.rows(statement)).startsWith(first);
    }
}
