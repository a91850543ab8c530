package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the next row is here already: who writes rows to a client can then write them together. */
class ReadyRowsTest {

    private final QueryTester tester = new QueryTester();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT t.* FROM t USE KEYS 'a'",
                "SELECT t.* FROM t USE KEYS ['a', 'b']",
                "SELECT t.* FROM t USE KEYS ['a', 'b'] LET x = n * 2 WHERE x = 2",
                "SELECT t.* FROM t WHERE n > 0 LIMIT 1",
                "SELECT t.* FROM t ORDER BY n",
                "SELECT n, COUNT(*) FROM t GROUP BY n",
                "SELECT n, ROW_NUMBER() OVER (ORDER BY n) FROM t",
                "SELECT RAW v FROM [1, 2, 3] AS v",
                "SELECT 1",
                "UPDATE t SET m = 1 RETURNING n",
            })
    void rowsInMemory_areReady(String statement) {
        tester.keyspace("t", "a", "{\"n\":1}", "b", "{\"n\":2}", "c", "{\"n\":3}");

        try (Rows rows = tester.engine().execute(statement, QueryOptions.DEFAULT)) {
            do {
                assertThat(rows.next()).isNotNull();
                assertThat(rows.ready()).isTrue();
            } while (rows.count() < tester.rows(statement).size());
            assertThat(rows.next()).isNull();
            assertThat(rows.ready()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT t.* FROM t", "SELECT t.* FROM t WHERE n > 0"})
    void rowsOfAScan_areWaitedFor(String statement) {
        tester.keyspace("t", "a", "{\"n\":1}", "b", "{\"n\":2}", "c", "{\"n\":3}");

        try (Rows rows = tester.engine().execute(statement, QueryOptions.DEFAULT)) {
            assertThat(rows.next()).isNotNull();
            assertThat(rows.ready()).isFalse();
        }
    }

    @Test
    void aFilterThatLooksAhead_losesNoRow() {
        tester.keyspace("t", "a", "{\"n\":1}", "b", "{\"n\":2}", "c", "{\"n\":3}", "d", "{\"n\":4}");

        try (Rows rows = tester.engine()
                .execute("SELECT RAW n FROM t USE KEYS ['a', 'b', 'c', 'd'] WHERE n % 2 = 0", QueryOptions.DEFAULT)) {
            assertThat(rows.next()).hasToString("2");
            assertThat(rows.ready()).isTrue();
            assertThat(rows.ready()).isTrue();
            assertThat(rows.next()).hasToString("4");
            assertThat(rows.next()).isNull();
        }
    }
}
