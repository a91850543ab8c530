package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Optimizer hints: plans follow them, EXPLAIN and warnings say which, and rows stay the same. */
class HintsTest {

    private static final long SEED = 24;
    private static final int QUERIES = 100;

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        MemoryKeyspace orders = tester.keyspace("orders");
        MemoryKeyspace customers = tester.keyspace("customers");
        for (int i = 0; i < 60; i++) {
            orders.put("o" + i, "{\"customer\": \"n%d\", \"total\": %d, \"day\": %d}".formatted(i % 15, i, i % 7));
        }
        for (int i = 0; i < 12; i++) {
            customers.put("c" + i, "{\"name\": \"n%d\", \"city\": \"city%d\"}".formatted(i, i % 3));
        }
        tester.rows("CREATE INDEX by_total ON orders(total)");
        tester.rows("CREATE INDEX by_day ON orders(day)");
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        tester.rows("CREATE INDEX by_name ON customers(name)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT /*+ INDEX(o by_day) */ o.total FROM orders o WHERE o.day = 1 AND o.total = 1 | INDEX(o by_day) | by_day",
                "SELECT --+ index(o `by_day`)\\n o.total FROM orders o WHERE o.day = 1 AND o.total = 1 | INDEX(o by_day) | by_day",
                "SELECT o.total FROM orders o USE INDEX (by_day) WHERE o.day = 1 AND o.total = 1 | INDEX(o by_day) | by_day",
                "SELECT o.total FROM orders o USE INDEX (`#primary`) WHERE o.day = 1 | INDEX(o #primary) | PrimaryScan3",
                "SELECT o.total FROM orders o USE INDEX (`#primary`, by_day) WHERE o.day = 1 | INDEX(o #primary by_day) | by_day",
                "SELECT /*+ {\"index\": {\"keyspace\": \"o\", \"indexes\": [\"by_day\"]}} */ o.total FROM orders o"
                        + " WHERE o.day = 1 AND o.total = 1 | INDEX(o by_day) | by_day",
                "SELECT /*+{\"INDEX\": [{\"alias\": \"o\", \"indexes\": \"by_day\"}]}*/ o.total FROM orders o"
                        + " WHERE o.day = 1 AND o.total = 1 | INDEX(o by_day) | by_day",
                "SELECT /*+ {\"use_hash\": {\"keyspace\": \"o\", \"option\": \"probe\"}, \"ordered\": true} */ o.total"
                        + " FROM customers c JOIN orders o ON o.customer = c.name | USE_HASH(o/PROBE) | HashJoin",
                "SELECT /*+ {\"use_nl\": [{\"keyspace\": \"o\"}]} */ o.total FROM customers c JOIN orders o ON o.x = c.name"
                        + " | USE_NL(o) | NestedLoopJoin",
                "UPDATE /*+ INDEX(orders by_day) */ orders SET x = 1 WHERE day = 1 AND total = 1 | INDEX(orders by_day) | by_day",
                "DELETE /*+ INDEX(orders, by_day) */ FROM orders WHERE day = 1 AND total = 1 | INDEX(orders by_day) | by_day",
                "SELECT /*+ USE_HASH(o) */ o.total FROM customers c JOIN orders o ON o.customer = c.name | USE_HASH(o/BUILD) | HashJoin",
                "SELECT /*+ USE_HASH(o/PROBE) ORDERED */ o.total FROM customers c JOIN orders o ON o.customer = c.name"
                        + " | USE_HASH(o/PROBE) | HashJoin",
                "SELECT /*+ USE_NL(o) INDEX(o by_customer) */ o.total FROM customers c JOIN orders o ON o.customer = c.name"
                        + " | USE_NL(o) | NestedLoopJoin",
                "SELECT /*+ USE_NL(o) */ o.total FROM customers c JOIN orders o ON o.x = c.name | USE_NL(o) | NestedLoopJoin",
            })
    void hint_isFollowedAndReported(String statement, String hint, String shown) {
        String plan = tester.rows("EXPLAIN " + statement.replace("\\n", "\n")).getFirst();

        assertThat(plan)
                .contains("\"hints_followed\":[\"" + hint + "\"")
                .contains("\"hints_not_followed\":[]")
                .contains("\"" + shown + "\"");
        assertThat(tester.warnings(statement.replace("\\n", "\n"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT /*+ INDEX(o by_name) */ 1 FROM orders o WHERE o.day = 1 | INDEX(o by_name) is not followed: no index",
                "SELECT /*+ INDEX(order by_day) */ 1 FROM orders orde WHERE day = 1 | has the alias order; did you mean orde?",
                "SELECT 1 FROM orders o USE INDEX (nothing) WHERE o.day = 1 | INDEX(o nothing) is not followed",
                "SELECT /*+ USE_HASH(o) */ 1 FROM orders o JOIN customers c ON c.name = o.customer | o is the first term",
                "SELECT /*+ USE_HASH(c) */ 1 FROM orders o JOIN customers c ON c.name < o.customer | no condition of equal values",
                "SELECT /*+ USE_HASH(c/PROBE) */ 1 FROM orders o LEFT JOIN customers c ON c.name = o.customer | only an inner join",
                "SELECT /*+ USE_NL(c) USE_HASH(c) */ 1 FROM orders o JOIN customers c ON c.name = o.customer"
                        + " | another hint for c comes first",
                "SELECT /*+ FAST */ 1 FROM orders | The hint FAST is not followed: the hints are",
                "SELECT /*+ (1) */ 1 FROM orders | a hint is a word",
                "SELECT /*+ {\"fast\": true} */ 1 FROM orders | The hint {\"fast\": true} is not followed: the hints are {",
                "SELECT /*+ {\"index\": {\"indexes\": []}} */ 1 FROM orders | {\"index\": {\"indexes\": []}} is not followed",
                "SELECT /*+ {\"ordered\": false} */ 1 FROM orders | {\"ordered\": false} is not followed",
                "SELECT /*+ {ordered} */ 1 FROM orders | it begins with a brace, but is not JSON",
                "SELECT 1 FROM orders /*+ ORDERED */ | hints are read behind SELECT",
            })
    void hintThatIsNotFollowed_isAWarning(String statement, String why) {
        assertThat(tester.warnings(statement)).singleElement().asString().contains(why);
        assertThat(tester.rows("EXPLAIN " + statement).getFirst()).contains("\"hints_not_followed\":[\"");
    }

    @Test
    void hints_neverChangeRows() {
        Random random = new Random(SEED);
        String[] hints = {
            "USE_NL(o)",
            "USE_HASH(o)",
            "USE_HASH(o/PROBE)",
            "INDEX(o by_day)",
            "INDEX(o by_customer)",
            "INDEX(c by_name)",
            "ORDERED",
            "INDEX(o)",
            "USE_NL(p)",
            "USE_HASH(p/PROBE)"
        };
        for (int i = 0; i < QUERIES; i++) {
            String join = random.nextInt(3) == 0 ? "LEFT JOIN" : "JOIN";
            String query = "SELECT %sc.name, o.total, p.total AS other FROM customers c " + join
                    + " orders o ON o.customer = c.name AND o.day >= " + random.nextInt(7) + " " + join
                    + " orders p ON p.total = o.total WHERE c.city != 'city" + random.nextInt(4) + "' AND c.name >= 'n"
                    + random.nextInt(9) + "'";
            String hint =
                    "/*+ " + hints[random.nextInt(hints.length)] + " " + hints[random.nextInt(hints.length)] + " */ ";

            assertThat(sorted(query.formatted(hint))).as(query.formatted(hint)).isEqualTo(sorted(query.formatted("")));
        }
    }

    private List<String> sorted(String query) {
        return tester.rows(query).stream().sorted().toList();
    }
}
