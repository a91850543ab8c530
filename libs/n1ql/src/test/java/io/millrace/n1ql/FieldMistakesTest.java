package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that no document has, when documents have one of a similar name. */
class FieldMistakesTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void documents() {
        var orders = tester.keyspace("orders");
        for (int i = 0; i < 40; i++) {
            orders.put(
                    "o" + i,
                    "{\"customer\": \"c%d\", \"total\": %d%s}".formatted(i % 4, i, i == 39 ? ", \"totals\": 1" : ""));
        }
        tester.keyspace("customers", "c0", "{\"name\": \"Anna\", \"city\": \"Paris\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT custmer FROM orders | field custmer of line 1, column 8; did you mean customer?",
                "SELECT o.* FROM orders o WHERE o.costumer = 'c1' | field costumer of line 1, column 34; did you mean customer?",
                "SELECT SUM(totl) FROM orders | field totl of line 1, column 12; did you mean total?",
                "SELECT 1 FROM orders o JOIN customers c ON KEYS o.customer WHERE c.citi = 'Paris' | did you mean city?",
                "SELECT (SELECT RAW c.nane FROM customers c) AS n FROM orders LIMIT 1 | did you mean name?",
                "UPDATE orders SET total = totl + 1 WHERE customer = 'c1' | did you mean total?",
                "DELETE FROM orders WHERE custommer = 'c1' | did you mean customer?",
            })
    void misspelledField_isAWarning(String statement, String said) {
        assertThat(tester.warnings(statement)).singleElement().asString().contains(said);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT customer, total FROM orders",
                "SELECT totals FROM orders",
                "SELECT colour FROM orders",
                "SELECT custmer FROM orders WHERE custmer IS MISSING",
                "SELECT IFMISSING(custmer, 5) FROM orders",
                "SELECT c.nam FROM orders o LEFT JOIN customers c ON KEYS o.none",
                "SELECT x.totl FROM [{\"total\": 1}] AS x",
                "UPDATE orders SET totale = 1",
                "SELECT 1 FROM orders WHERE FALSE AND totl = 1",
            })
    void otherFields_areNone(String statement) {
        assertThat(tester.warnings(statement)).isEmpty();
    }

    @Test
    void warning_comesWithEachRun() {
        CompiledStatement statement = tester.engine().prepare("SELECT RAW totl FROM orders");

        for (int i = 0; i < 2; i++) {
            try (Rows rows = statement.run(QueryOptions.DEFAULT)) {
                assertThat(rows.warnings()).isEmpty();
                while (rows.next() != null) {
                    rows.count();
                }
                assertThat(rows.warnings())
                        .singleElement()
                        .extracting(QueryException::errorCode)
                        .isEqualTo(ErrorCode.FIELD_NOT_SEEN);
            }
        }
    }
}
