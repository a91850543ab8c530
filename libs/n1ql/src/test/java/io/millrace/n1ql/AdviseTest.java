package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ADVISE: which indexes would serve a statement. */
class AdviseTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void keyspaces() {
        tester.keyspace("orders", "a", "{\"customer\":1,\"day\":2,\"lines\":[{\"p\":1}]}");
        tester.keyspace("people", "1", "{\"name\":\"Ann\"}");
    }

    private String advice(String statement) {
        return tester.rows("ADVISE " + statement).getFirst().replace("\\\"", "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM orders o WHERE o.day > 1 AND o.customer = 1 | ON `orders`(`customer`, `day`)",
                "SELECT * FROM orders WHERE customer IN [1, 2] | ON `orders`(`customer`)",
                "SELECT * FROM orders WHERE 3 <= day | ON `orders`(`day`)",
                "SELECT * FROM orders WHERE LOWER(state.code) = 'x' | ON `orders`(LOWER(`state`.`code`))",
                "SELECT * FROM orders WHERE ANY l IN lines SATISFIES l.p = 1 END"
                        + " | ON `orders`(DISTINCT ARRAY `l`.`p` FOR `l` IN `lines` END)",
                "SELECT * FROM people p JOIN orders o ON o.customer = p.no WHERE p.name = 'Ann' | ON `orders`(`customer`)",
                "SELECT * FROM people p WHERE p.name = 'Ann' AND EXISTS"
                        + " (SELECT 1 FROM orders o WHERE o.customer = p.no) | ON `orders`(`customer`)",
                "UPDATE orders SET paid = TRUE WHERE customer = $1 | ON `orders`(`customer`)",
                "DELETE FROM orders WHERE day < $limit | ON `orders`(`day`)"
            })
    void conditions_becomeKeysInTheOrderOfTheirUse(String statement, String index) {
        assertThat(advice(statement)).contains("\"indexes\":[", index);
    }

    @Test
    void advice_createsAnIndexThatThePlanUses() {
        String advice = advice("SELECT day FROM orders WHERE customer = 1");
        String create = advice.replaceAll(".*(CREATE INDEX `adv_customer_day`[^\"]*).*", "$1");

        tester.rows(create);

        assertThat(tester.rows("EXPLAIN SELECT day FROM orders WHERE customer = 1")
                        .getFirst())
                .contains("adv_customer_day");
        assertThat(advice("SELECT day FROM orders WHERE customer = 1"))
                .contains(
                        "No index recommendation",
                        "\"current_indexes\":[{\"index_statement\":\"CREATE INDEX `adv_customer_day`");
    }

    @Test
    void everyField_isNotWorthACoveringIndex() {
        assertThat(advice("SELECT * FROM orders WHERE customer = 1")).doesNotContain("covering_indexes");
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT 1",
        "SELECT * FROM orders USE KEYS 'a'",
        "SELECT * FROM orders",
        "SELECT * FROM orders WHERE day = customer",
        "SELECT * FROM orders WHERE day + customer = 1",
        "INSERT INTO orders VALUES ('x'; 1)"
    })
    void statementsWithoutConditions_needNoIndex(String statement) {
        assertThat(advice(statement.replace(';', ','))).contains("No index recommendation");
    }

    @Test
    void advice_changesNothing() {
        advice("DELETE FROM orders WHERE day = 2");

        assertThat(tester.rows("SELECT RAW COUNT(*) FROM orders")).containsExactly("1");
        assertThat(tester.rows("SELECT RAW advise FROM [{'advise': 1}] AS x")).containsExactly("1");
    }
}
