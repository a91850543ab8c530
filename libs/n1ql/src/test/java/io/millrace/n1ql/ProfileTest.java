package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles and EXPLAIN ANALYZE: what each operator of a plan did. */
class ProfileTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        MemoryKeyspace orders = tester.keyspace("orders");
        for (int i = 0; i < 40; i++) {
            orders.put("o" + i, "{\"n\": " + i + ", \"kind\": \"k" + i % 4 + "\"}");
        }
    }

    @Test
    void analyze_countsTheRowsOfEachOperator() {
        String shown = tester.rows(
                        "EXPLAIN ANALYZE SELECT kind, COUNT(*) AS c FROM orders WHERE n < 30 GROUP BY kind ORDER BY kind")
                .getFirst();

        assertThat(shown).contains("\"resultCount\":4");
        assertThat(shown.replaceAll("\"execTime\":\"[0-9.]+ms\"", "T"))
                .containsPattern(
                        "\"#operator\":\"PrimaryScan3\"[^{}]*\"#stats\":\\{\"#itemsOut\":40,\"#opened\":1,T\\}")
                .containsPattern("\"#stats\":\\{\"#itemsOut\":30,")
                .containsPattern("\"#stats\":\\{\"#itemsOut\":4,");
    }

    @Test
    void analyze_carriesOutChanges() {
        assertThat(tester.rows("explain analyze DELETE FROM orders WHERE n < 10")
                        .getFirst())
                .contains("\"#itemsOut\":10");

        assertThat(tester.rows("SELECT RAW COUNT(*) FROM orders")).containsExactly("30");
        assertThatThrownBy(() ->
                        tester.rows("EXPLAIN ANALYZE DELETE FROM orders", QueryOptions.DEFAULT.withReadonly(true)))
                .hasMessageContaining("read-only");
        assertThat(tester.rows("EXPLAIN DELETE FROM orders", QueryOptions.DEFAULT.withReadonly(true)))
                .hasSize(1);
    }

    @Test
    void analyze_isStillAName() {
        assertThat(tester.rows("SELECT 1 AS analyze")).containsExactly("{\"analyze\":1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT o.n FROM orders o WHERE o.n > 5 ORDER BY o.n DESC LIMIT 3",
                "SELECT o.n, p.kind FROM orders o JOIN orders p ON p.n = o.n + 1 ORDER BY o.n",
                "SELECT DISTINCT kind FROM orders ORDER BY kind",
                "SELECT MIN(n) AS low, MAX(n) AS high FROM orders WHERE n IS NOT MISSING",
                "SELECT o.n FROM orders o WHERE o.n IN (SELECT RAW p.n FROM orders p WHERE p.n < 4) ORDER BY o.n",
                "SELECT n FROM orders LIMIT 2",
                "SELECT 1 AS a UNION ALL SELECT 2 AS a ORDER BY a",
                "SELECT kind, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY n) AS r FROM orders ORDER BY kind, r",
                "UPDATE orders SET x = 1 WHERE n < 3 RETURNING n",
            })
    void profiledRun_givesTheSameRows(String statement) {
        List<String> rows = tester.rows(statement);
        assertThat(tester.rows(statement, QueryOptions.DEFAULT.withProfiled(true)))
                .isEqualTo(rows);
        tester.rows("CREATE INDEX by_n ON orders(n)");
        assertThat(tester.rows(statement, QueryOptions.DEFAULT.withProfiled(true)))
                .isEqualTo(rows);
    }

    @Test
    void timesOfOperators_areNotCountedTwice() {
        long before = System.nanoTime();
        String shown = tester.rows(
                        "EXPLAIN ANALYZE SELECT COUNT(*) FROM orders a, orders b, orders c WHERE a.n < b.n AND b.n < c.n")
                .getFirst();
        double elapsed = (System.nanoTime() - before) / 1e6;

        double sum = java.util.regex.Pattern.compile("\"execTime\":\"([0-9.]+)ms\"")
                .matcher(shown)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
        assertThat(sum).isPositive().isLessThanOrEqualTo(elapsed);
    }
}
