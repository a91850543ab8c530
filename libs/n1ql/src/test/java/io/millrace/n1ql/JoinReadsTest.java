package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Joins by an index of the right side: what they read, and that they give the rows of joins without one. */
class JoinReadsTest {

    private static final int ORDERS = 300;

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace orders;
    private MemoryKeyspace customers;

    @BeforeEach
    void fill() {
        orders = tester.keyspace("orders");
        customers = tester.keyspace("customers");
        for (int i = 0; i < ORDERS; i++) {
            orders.put(
                    "o" + i,
                    "{\"customer\": \"n%d\", \"total\": %d, \"items\": [{\"sku\": %d}]}".formatted(i % 60, i, i % 9));
        }
        for (int i = 0; i < 50; i++) {
            customers.put("c" + i, "{\"name\": \"n%d\", \"city\": \"city%d\"}".formatted(i, i % 5));
        }
    }

    private static final String JOIN = "SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer = c.name";

    private long fetchedOrders(String query) {
        long before = orders.fetched();
        tester.rows(query);
        return orders.fetched() - before;
    }

    private List<String> sorted(String query) {
        return tester.rows(query).stream().sorted().toList();
    }

    @Test
    void fewLeftRows_areLookedUp() {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");

        assertThat(fetchedOrders(JOIN + " WHERE c.name = 'n7'")).isEqualTo(5);
        assertThat(fetchedOrders(JOIN.replace(" ON", " USE NL ON"))).isEqualTo(250);
        assertThat(fetchedOrders(JOIN + " AND o.total < 20 WHERE c.name = 'n7'"))
                .isEqualTo(5);
        assertThat(tester.rows("EXPLAIN " + JOIN).getFirst()).contains("by_customer");
    }

    /** Such an index may have the value of its condition; a row of another scan has not computed it yet. */
    @Test
    void conditionOfAnIndexThatIsNotRead_holdsInEachJoin() {
        tester.rows("CREATE INDEX expensive ON orders(city) WHERE total > 100");
        String joined = JOIN + " AND o.total > 100";

        assertThat(tester.rows(joined)).hasSize(159);
        assertThat(tester.rows(joined.replace(" ON", " USE NL ON"))).hasSize(159);
        assertThat(tester.rows(joined.replace("JOIN", "NEST").replace("o.total FROM", "o FROM")))
                .hasSize(50);
        assertThat(tester.rows(joined.replace("JOIN", "RIGHT JOIN"))).hasSize(ORDERS);
    }

    @Test
    void coveredLookup_readsNoDocument() {
        tester.rows("CREATE INDEX by_customer ON orders(customer, total)");

        assertThat(fetchedOrders(JOIN)).isZero();
        assertThat(fetchedOrders(JOIN + " AND o.total > 100")).isZero();
    }

    /** It has the same documents for each left row. */
    @Test
    void indexOfTheRightSideAlone_isReadOnceAndSparesDocuments() {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        tester.rows("CREATE INDEX by_total ON orders(total)");
        String query = JOIN.replace("JOIN", "LEFT JOIN")
                + " AND o.total BETWEEN 280 AND 289 WHERE c.name IN ['n41', 'n42', 'n3'] ORDER BY c.name";
        long before = orders.scanned();

        assertThat(fetchedOrders(query)).isEqualTo(2);
        assertThat(orders.scanned() - before).isEqualTo(10 + 3 * 5);
        assertThat(tester.rows(query))
                .containsExactly(
                        "{\"name\":\"n3\"}", "{\"name\":\"n41\",\"total\":281}", "{\"name\":\"n42\",\"total\":282}");
        assertThat(tester.rows(query + " LIMIT 1")).containsExactly("{\"name\":\"n3\"}");
    }

    @Test
    void indexOfTheRightSideAlone_isReadAgainForTheNextRowOfAnOuterQuery() {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        tester.rows("CREATE INDEX by_total ON orders(total)");
        String query = "SELECT RAW (%s AND o.total = x WHERE c.name = 'n7') FROM [7, 67, 8] AS x"
                .formatted(JOIN.replace("JOIN", "LEFT JOIN").replace(" ON", " USE NL ON"));

        assertThat(tester.rows(query))
                .containsExactly(
                        "[{\"name\":\"n7\",\"total\":7}]", "[{\"name\":\"n7\",\"total\":67}]", "[{\"name\":\"n7\"}]");
    }

    @Test
    void exists_readsUntilTheFirstRow() {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        String query = "SELECT RAW c.name FROM customers c WHERE %s EXISTS"
                + " (SELECT o.items FROM orders o WHERE o.customer = c.name AND o.total < 40)";

        assertThat(tester.rows(query.formatted(""))).hasSize(40);
        assertThat(tester.rows(query.formatted("NOT"))).hasSize(10);
        assertThat(fetchedOrders("SELECT RAW 1 WHERE EXISTS (SELECT o.* FROM orders o WHERE o.customer >= 'n')"))
                .isLessThan(30);
    }

    @Test
    void orderAndLimitOfTheFirstTerm_endTheJoin() {
        tester.rows("CREATE INDEX by_total ON orders(total)");
        tester.rows("CREATE INDEX by_name ON customers(name)");
        String joins = "SELECT o.total, c.city FROM orders o JOIN customers c ON c.name = o.customer";

        assertThat(fetchedOrders(joins + " WHERE o.total >= 60 ORDER BY o.total LIMIT 5"))
                .isEqualTo(5);
        assertThat(fetchedOrders(joins + " WHERE o.total >= 60 LIMIT 3 OFFSET 2"))
                .isEqualTo(5);
        assertThat(tester.rows(joins + " WHERE o.total >= 0 ORDER BY o.total DESC LIMIT 2"))
                .containsExactly("{\"total\":289,\"city\":\"city4\"}", "{\"total\":288,\"city\":\"city3\"}");
        assertThat(fetchedOrders(joins + " WHERE o.total >= 60 ORDER BY c.city LIMIT 5"))
                .isEqualTo(240);
        assertThat(fetchedOrders(joins.replace("JOIN", "LEFT JOIN") + " WHERE o.total > 9 ORDER BY o.total LIMIT 5"))
                .isEqualTo(5);
        assertThat(fetchedOrders("SELECT i.sku FROM orders o UNNEST o.items i ORDER BY META(o).id LIMIT 5"))
                .isEqualTo(5);
        assertThat(tester.rows("EXPLAIN " + joins + " WHERE o.total >= 60 ORDER BY o.total LIMIT 5")
                        .getFirst())
                .doesNotContain("\"Order\"");
    }

    /** Four rows are looked up together: if a LIMIT may end the join, no more entries are read than documents. */
    @Test
    void limit_readsTheFirstEntriesOfALookUpOnly() {
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        tester.rows("CREATE INDEX by_city ON customers(city, name)");
        String query =
                "SELECT o.total FROM customers c JOIN orders o ON o.customer = c.name WHERE c.city >= 'c' LIMIT 6";

        for (String order : List.of("", "ORDER BY c.city", "ORDER BY c.name DESC")) {
            long before = orders.scanned();
            tester.rows(query.replace("LIMIT", order + " LIMIT"));
            assertThat(orders.scanned() - before).as(order).isLessThan(15);
        }
    }

    /** The index of the condition has another order: sorting its rows before the join needs fewer look-ups. */
    @Test
    void orderAndLimitOfTheFirstTerm_endTheJoinWithoutAnIndexOfThatOrder() {
        tester.rows("CREATE INDEX by_name ON customers(name)");
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        String joins =
                "SELECT o.total, c.city FROM customers c JOIN orders o ON o.customer = c.name WHERE c.name >= 'n'";
        String query = joins + " ORDER BY c.city DESC, c.name LIMIT 7 OFFSET 1";

        assertThat(fetchedOrders(query)).isLessThan(60);
        assertThat(tester.rows(query))
                .isEqualTo(tester.rows(query.replace("customers c JOIN", "customers c USE INDEX (`#primary`) JOIN")
                        .replace("JOIN orders o", "JOIN orders o USE HASH(BUILD)")));
        assertThat(fetchedOrders(query.replace("c.city DESC", "o.total"))).isEqualTo(250);
        assertThat(tester.rows("EXPLAIN " + query).getFirst()).containsOnlyOnce("\"Order\"");
    }

    /** An entry of the index tells the order, but the first orders have no customer. */
    @Test
    void orderAndLimitOfTheFirstTerm_goBeyondRowsWithoutAMatch() {
        tester.rows("CREATE INDEX by_total ON orders(total, customer)");
        tester.rows("CREATE INDEX by_name ON customers(name)");
        tester.rows("UPDATE orders SET customer = 'A' WHERE total < 20");
        String query = " orders o %s customers c ON c.name = o.customer WHERE o.total >= 0 ORDER BY o.customer LIMIT 4";

        assertThat(tester.rows("SELECT RAW [o.customer, o.items] FROM" + query.formatted("JOIN")))
                .hasSize(4)
                .noneMatch(row -> row.contains("\"A\""));
        assertThat(tester.rows("SELECT RAW [o.customer, c.name] FROM" + query.formatted("LEFT JOIN")))
                .containsOnly("[\"A\",null]");
        assertThat(fetchedOrders("SELECT o.items FROM" + query.formatted("LEFT JOIN")))
                .isEqualTo(4);
    }

    /** Rows that are looked up come in order; when that has cost too much, those of a hash table in files do not. */
    @Test
    void joinThatChangesToAHashTable_sortsTheRest() {
        for (int i = 0; i < 2000; i++) {
            customers.put("m" + i, "{\"town\": \"town%d\", \"text\": \"%s\"}".formatted(i % 100, "x".repeat(200)));
        }
        tester.rows("CREATE INDEX by_total ON orders(total)");
        tester.rows("CREATE INDEX by_town ON customers(town)");
        String query = "SELECT /*+ ORDERED */ RAW [o.total, c.text] FROM orders o JOIN customers c"
                + " ON c.town = 'town' || TO_STR(o.total % 5) WHERE o.total >= 0 ORDER BY o.total LIMIT 5000";
        List<Integer> totals = new ArrayList<>();
        try (Rows rows = SpillingEngine.over(tester.keyspaces()).execute(query, QueryOptions.DEFAULT)) {
            for (Value row = rows.next(); row != null; row = rows.next()) {
                String text = row.toJson();
                totals.add(Integer.valueOf(text.substring(1, text.indexOf(','))));
            }
        }

        assertThat(totals).hasSize(5000).isSorted();
    }

    /** Each of the left rows has all of the right side as matches: looking them up would read it again and again. */
    @Test
    void manyMatches_areReadOnceInTheEnd() {
        tester.rows("CREATE INDEX by_total ON orders(total)");
        String query =
                "SELECT COUNT(o.items) AS n FROM customers c JOIN orders o ON o.total >= 0 AND o.total < LENGTH(c.city) * 100";

        assertThat(fetchedOrders(query)).isLessThan(4 * ORDERS);
        assertThat(tester.rows(query)).containsExactly("{\"n\":15000}");
    }

    /** Another condition leaves few of the rows that match the first left row. */
    @Test
    void matchesOfTheFirstLeftRow_areNotLookedUpIfAllCostLess() {
        for (int i = 0; i < 100; i++) {
            orders.put("many" + i, "{\"customer\": \"n7\", \"total\": %d}".formatted(1000 + i));
        }
        tester.rows("CREATE INDEX by_total ON orders(total)");
        String query = "SELECT c.name, o.total FROM customers c LEFT JOIN orders o"
                + " ON o.customer = c.name AND o.total > 1090 WHERE c.city = 'city2'";
        assertThat(fetchedOrders(query)).isEqualTo(9);
        assertThat(tester.rows(query)).hasSize(18);

        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        customers.put("a", "{\"name\": \"n7\", \"city\": \"city2\"}");

        assertThat(fetchedOrders(query)).isEqualTo(9);
        assertThat(tester.rows(query)).hasSize(27);
    }

    @Test
    void manyLeftRows_areHashed() {
        tester.rows("CREATE INDEX by_name ON customers(name)");
        String query = "SELECT o.total, c.city FROM orders o JOIN customers c ON c.name = o.customer";
        long before = customers.fetched();

        tester.rows(query);

        assertThat(customers.fetched() - before).isEqualTo(50);
        assertThat(tester.rows("EXPLAIN " + query).getFirst()).contains("HashJoin");
        assertThat(tester.rows("EXPLAIN " + query + " LIMIT 3").getFirst()).contains("NestedLoopJoin");
    }

    @Test
    void randomJoins_giveTheRowsOfJoinsWithoutAnIndex() {
        customers.put("odd", "{\"name\": null, \"city\": \"city1\"}");
        orders.put("odd", "{\"customer\": null, \"total\": [1], \"items\": []}");
        Random random = new Random(3);
        List<String> kinds = List.of("JOIN", "LEFT JOIN", "NEST", "LEFT NEST");
        List<String> conditions = List.of(
                "o.customer = c.name",
                "o.customer = c.name AND o.total > 100",
                "o.customer >= c.name AND o.total < 3",
                "ANY i IN o.items SATISFIES i.sku = LENGTH(c.name) END",
                "o.total IN [LENGTH(c.name), 7]",
                "(o.customer = c.name OR o.total = 4)");
        List<String> filters = List.of(
                "",
                " WHERE c.city = 'city1'",
                " WHERE c.name < 'n2'",
                " WHERE c.name IS NULL",
                " WHERE o.total IS MISSING",
                " WHERE o.total > 50");
        List<String> indexes = List.of(
                "orders(customer, total)",
                "orders(customer)",
                "orders(total)",
                "orders(DISTINCT ARRAY i.sku FOR i IN items END)",
                "customers(city)",
                "customers(name)");
        for (int round = 0; round < 100; round++) {
            String kind = kinds.get(random.nextInt(kinds.size()));
            String what = kind.contains("NEST") ? "ARRAY_LENGTH(o) AS n" : "o.total";
            String query = "SELECT c.name, " + what + " FROM customers c " + kind + " orders o ON "
                    + conditions.get(random.nextInt(conditions.size()))
                    + filters.get(random.nextInt(filters.size()));
            List<String> expected = sorted(query);
            tester.rows("CREATE INDEX i ON " + indexes.get(random.nextInt(4)));
            tester.rows("CREATE INDEX j ON " + indexes.get(4 + random.nextInt(2)));

            assertThat(sorted(query)).as(query).isEqualTo(expected);

            for (String index : List.of("orders.i", "customers.j")) {
                tester.rows("DROP INDEX " + index);
            }
        }
    }
}
