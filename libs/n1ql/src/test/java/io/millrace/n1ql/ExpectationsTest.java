package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many rows EXPLAIN expects of an access, and at what cost. */
class ExpectationsTest {

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        tester.keyspace("t", documents(40));
        tester.keyspace("u", documents(10));
        tester.keyspace("many", documents(800));
        tester.rows("CREATE INDEX by_k ON t(k)");
    }

    private static String[] documents(int count) {
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add("d%03d".formatted(i));
            documents.add("{\"n\":%d,\"k\":%d,\"ref\":\"d%03d\"}".formatted(i, i % 4, i % 10));
        }
        return documents.toArray(new String[0]);
    }

    /** Returns the plan of a statement with its operators, from the top. */
    private List<ObjectValue> operators(String statement) {
        List<ObjectValue> found = new ArrayList<>();
        try (Rows rows = tester.engine().execute("EXPLAIN " + statement, QueryOptions.DEFAULT)) {
            collect(Objects.requireNonNull(rows.next()), found);
        }
        return found;
    }

    private static void collect(Value value, List<ObjectValue> found) {
        if (value instanceof ObjectValue object) {
            if (object.get("#operator").isString()) {
                found.add(object);
            }
            object.fields().values().forEach(field -> collect(field, found));
        } else if (value instanceof ArrayValue array) {
            array.forEach(item -> collect(item, found));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM t                                      | PrimaryScan3   |  40 | 360",
                "SELECT META().id FROM t                              | PrimaryScan3   |  40 |  40",
                "SELECT * FROM t LIMIT 5                              | PrimaryScan3   |   5 |  45",
                "SELECT * FROM t WHERE META().id >= 'd030'            | PrimaryScan3   |  10 |  90",
                "DELETE FROM u                                        | PrimaryScan3   |  10 |  90",
                "SELECT * FROM t USE KEYS ['d001', 'd002']            | KeyScan        |   2 |  16",
                "SELECT * FROM t WHERE META().id = 'd001'             | KeyScan        |   1 |   8",
                "SELECT * FROM t WHERE k = 1                          | IndexScan3     |  10 |  90",
                "SELECT * FROM many m JOIN u ON m.n = u.n             | HashJoin       | 800 | 7371",
                "SELECT * FROM u JOIN many m ON m.n = u.n             | HashJoin       |  40 | 7371",
                "SELECT * FROM u LEFT JOIN t ON t.n = u.n             | HashJoin       |  10 | 455",
                "SELECT * FROM u NEST t ON t.n = u.n                  | HashNest       |  10 | 455",
                "SELECT * FROM t JOIN u ON t.n < u.n                  | NestedLoopJoin | 400 | 490",
                "SELECT * FROM t RIGHT JOIN u ON t.n < u.n            | NestedLoopJoin | 400 | 490",
                "SELECT * FROM u LEFT JOIN t ON t.k = u.n             | NestedLoopJoin |  10 | 210",
                "SELECT * FROM t JOIN u ON KEYS t.ref                 | Join           |  40 | 680",
                "SELECT * FROM t NEST u ON KEYS t.ref                 | Nest           |  40 | 680",
                "SELECT n, COUNT(*) FROM t GROUP BY n                 | Group          |  40 | 364",
                "SELECT n, COUNT(*) FROM many GROUP BY n              | Group          | 200 | 7280",
                "SELECT SUM(n) FROM t WHERE n > 5                     | Group          |   1 | 364",
                "SELECT COUNT(*) FROM t                               | IndexCountScan |   1 |   1",
            })
    void access_hasRowsAndCost(String statement, String operator, long rows, long cost) {
        List<ObjectValue> operators = operators(statement);

        assertThat(operators)
                .filteredOn(one -> one.get("#operator").equals(Value.of(operator)))
                .first()
                .satisfies(one -> {
                    assertThat(one.get("cardinality")).as(one.toJson()).isEqualTo(Value.of(rows));
                    assertThat(one.get("cost")).as(one.toJson()).isEqualTo(Value.of(cost));
                });
    }

    /** A join and a group are made of scans, each with figures of its own. */
    @Test
    void sidesOfAJoin_haveFiguresOfTheirOwn() {
        assertThat(operators("SELECT t.n, COUNT(*) FROM t JOIN u ON t.n = u.n GROUP BY t.n"))
                .filteredOn(one ->
                        one.get("cardinality").isNumber() && one.get("cost").isNumber())
                .extracting(one -> one.get("#operator").toJson())
                .containsExactly("\"Group\"", "\"HashJoin\"", "\"PrimaryScan3\"", "\"PrimaryScan3\"");
    }

    /** No figure is better than one that is made up. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t USE KEYS $keys",
                "SELECT * FROM t WHERE META().id > $key",
                "SELECT * FROM t UNNEST t.list AS l JOIN u ON KEYS l",
                "SELECT x FROM ARRAY_RANGE(0, $n) AS x",
            })
    void whatIsNotKnown_hasNoFigures(String statement) {
        assertThat(operators(statement).getFirst()).satisfies(top -> {
            assertThat(top.get("cardinality").isMissing()).as(top.toJson()).isTrue();
            assertThat(top.get("cost").isMissing()).isTrue();
        });
    }
}
