package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subqueries that depend on the row around them by equal values: what they read, and that the rows stay the same. */
class SubqueryReadsTest {

    private static final int ORDERS = 1500;

    private static final int CUSTOMERS = 200;

    private static final long SEED = 24;

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace orders;
    private MemoryKeyspace customers;

    @BeforeEach
    void fill() {
        orders = tester.keyspace("orders");
        customers = tester.keyspace("customers");
        for (int i = 0; i < ORDERS; i++) {
            orders.put("o" + i, "{\"customer\": \"n%d\", \"total\": %d}".formatted(i % 150, i));
        }
        for (int i = 0; i < CUSTOMERS; i++) {
            customers.put("c" + i, "{\"name\": \"n%d\", \"limit\": %d}".formatted(i, i * 10));
        }
    }

    private long fetched(String query) {
        long before = orders.fetched();
        tester.rows(query);
        return orders.fetched() - before;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.name)",
                "NOT EXISTS (SELECT 1 FROM orders o WHERE c.name = o.customer AND o.total > 3)",
                "c.limit IN (SELECT RAW o.total FROM orders o WHERE o.customer = c.name)",
                "c.limit NOT IN (SELECT RAW o.total FROM orders o WHERE o.customer = c.name)",
                "ARRAY_LENGTH((SELECT o.total FROM orders o WHERE o.customer = c.name)) > 2"
            })
    void withoutAnIndex_isReadOnce(String condition) {
        assertThat(fetched("SELECT c.name FROM customers c WHERE " + condition)).isEqualTo(ORDERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE INDEX by_name ON customers(name)", "SELECT 'no index'"})
    void manyRows_readNoMoreThanTwiceAllOfTheSubquery(String index) {
        tester.rows(index);
        long before = customers.fetched();

        tester.rows("SELECT o.total FROM orders o"
                + " WHERE EXISTS (SELECT c.limit FROM customers c WHERE c.name = o.customer AND c.limit >= 0)");

        assertThat(customers.fetched() - before).isLessThanOrEqualTo(2 * CUSTOMERS);
    }

    /** An entry decides the condition before the document is read, and the document decides it again. */
    @Test
    void conditionOfEntriesAndOfDocuments_readsTheSubqueryOnce() {
        tester.rows("CREATE INDEX by_name ON customers(name)");

        assertThat(fetched("SELECT c.limit FROM customers c WHERE c.name > 'n'"
                        + " AND EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.name)"))
                .isEqualTo(ORDERS);
    }

    /** No index has the value that is looked up, so the first row would read as much as all rows together. */
    @Test
    void lookUpThatReadsEverything_isNotTried() {
        tester.rows("CREATE INDEX by_total ON orders(total)");

        assertThat(fetched("SELECT c.name FROM customers c"
                        + " WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.limit AND o.total >= 0)"))
                .isEqualTo(ORDERS);
    }

    @Test
    void existsOfFewRows_readsUpToTheirs() {
        String query = "SELECT c.name FROM customers c WHERE c.limit <= 20"
                + " AND EXISTS (SELECT 1 FROM orders o WHERE o.customer = c.name)";

        assertThat(fetched(query)).isLessThan(ORDERS / 2);
        assertThat(tester.rows(query)).hasSize(3);
    }

    /** What a change has done to documents that the subquery reads must not decide about the next ones. */
    @Test
    void existsInAChange_seesTheDocumentsAsTheyWere() {
        tester.rows("CREATE INDEX by_total ON orders(total DESC)");
        String changed = "UPDATE orders c SET total = -1 WHERE EXISTS (SELECT 1 FROM orders o"
                + " WHERE o.total + 0 = 1499 - c.total AND o.total >= 0) RETURNING RAW c.total";

        assertThat(tester.rows(changed)).hasSize(ORDERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c.name >= 'n' AND c.limit < 30 AND EXISTS %s",
                "EXISTS %s AND c.limit < 30 AND c.name >= 'n'",
                "c.name >= 'n' AND ARRAY_LENGTH(%s) > 0 AND c.limit < 30"
            })
    void subquery_runsForRowsOfAllOtherConditions(String conditions) {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        tester.rows("CREATE INDEX by_name ON customers(name)");
        long before = orders.scanned();

        tester.rows("SELECT c.limit FROM customers c WHERE "
                + conditions.formatted("(SELECT RAW o.customer FROM orders o WHERE o.customer = c.name)"));

        assertThat(orders.scanned() - before).isBetween(3L, 30L);
    }

    @Test
    void fewRows_areLookedUpByTheIndex() {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");

        assertThat(fetched("SELECT c.name FROM customers c WHERE c.limit < 30"
                        + " AND EXISTS (SELECT o.total FROM orders o WHERE o.customer = c.name AND o.total >= 0)"))
                .isLessThanOrEqualTo(3 * 10);
    }

    @Test
    void notInOfUnknownValues_isUnknown() {
        tester.keyspace("few", "1", "{\"g\": 1, \"v\": null}", "2", "{\"g\": 2, \"v\": 5}", "3", "{\"g\": 3}");
        String query = "SELECT RAW c.limit NOT IN (SELECT RAW f.v FROM few f WHERE f.g = c.limit / 10)"
                + " FROM customers c WHERE c.limit <= 40 ORDER BY c.limit";

        assertThat(tester.rows(query)).containsExactly("true", "null", "true", "null", "true");
    }

    /** A condition on the row around that is always true makes the subquery run for each row. */
    @Test
    void randomSubqueries_giveTheRowsOfOnesThatRunPerRow() {
        MemoryKeyspace left = tester.keyspace("l");
        MemoryKeyspace right = tester.keyspace("r");
        List<String> values = List.of(
                "1",
                "1.0",
                "2",
                "null",
                "\"x\"",
                "[1]",
                "[null]",
                "{\"k\":1}",
                "9007199254740993",
                "9007199254740992.0");
        Random random = new Random(SEED);
        for (int i = 0; i < 60; i++) {
            String a = random.nextInt(6) == 0 ? "" : "\"a\":" + values.get(random.nextInt(values.size())) + ",";
            String b = random.nextInt(6) == 0 ? "" : "\"b\":" + values.get(random.nextInt(values.size())) + ",";
            (i % 2 == 0 ? left : right).put("k" + i, "{" + a + b + "\"n\":" + i + "}");
        }
        List<String> forms = List.of(
                "EXISTS (SELECT 1 FROM r WHERE %s)",
                "NOT EXISTS (SELECT r.n FROM r WHERE %s ORDER BY r.n)",
                "l.b IN (SELECT RAW r.b FROM r WHERE %s)",
                "l.b NOT IN (SELECT RAW r.b FROM r WHERE %s)",
                "ARRAY_SORT((SELECT r.b, r.n FROM r WHERE %s))",
                "ARRAY_SORT((SELECT RAW n FROM r LET n = r.n + 1 WHERE %s))",
                "ARRAY_SORT((SELECT RAW [r.n, s.n] FROM r JOIN l AS s ON s.b = r.b WHERE %s))");
        List<String> conditions = List.of(
                "r.a = l.a",
                "l.a = r.a AND r.b = l.b",
                "r.b = l.a AND r.n > 20",
                "r.a = l.b AND r.b > 1",
                "[r.a] = [l.a]");
        for (String index : List.of("r(a)", "r(a, b)", "r(b)", "")) {
            if (!index.isEmpty()) {
                tester.rows("CREATE INDEX i ON " + index);
            }
            for (String form : forms) {
                for (String condition : conditions) {
                    String query = "SELECT l.n, " + form + " AS v FROM l ORDER BY l.n";

                    assertThat(tester.rows(query.formatted(condition)))
                            .as(query.formatted(condition))
                            .isEqualTo(tester.rows(query.formatted(condition + " AND (l.n >= 0 OR r.n = 0)")));
                }
            }
            if (!index.isEmpty()) {
                tester.rows("DROP INDEX r.i");
            }
        }
    }
}
