package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.runtime.Memory;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements hold is counted wherever they hold it, and no longer than they hold it. */
class HeldMemoryTest {

    private static final int DOCUMENTS = 500;
    private static final Memory LARGE = new Memory(256 << 20, 128 << 20, 0);
    /** Less than the documents of a keyspace. */
    private static final Memory LITTLE = new Memory(20_000, 6_000, 64 << 20);

    private final QueryTester tester = new QueryTester();

    @BeforeEach
    void fill() {
        for (String name : List.of("a", "b")) {
            List<String> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                documents.add(name + i);
                documents.add(
                        "{\"i\":%d,\"k\":%d,\"one\":1,\"long\":\"%s\"}".formatted(i, i % 60, "x".repeat(i % 200)));
            }
            tester.keyspace(name, documents.toArray(new String[0]));
        }
        tester.rows("CREATE INDEX by_k ON a(k)");
        tester.rows("CREATE INDEX by_i ON a(i)");
        tester.rows("CREATE FUNCTION all_of(n) { (SELECT RAW b FROM b WHERE b.i >= n) }");
    }

    private QueryEngine engine(Memory memory) {
        return SpillingEngine.over(tester.keyspaces(), memory);
    }

    private static List<String> rows(QueryEngine engine, String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toString());
            }
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.i, ROW_NUMBER() OVER (ORDER BY a.long) AS n FROM a",
                "SELECT ARRAY_AGG(x) OVER (ORDER BY x) FROM ARRAY_RANGE(0, 60) AS x",
                "SELECT RAW a FROM a INTERSECT SELECT RAW b FROM b",
                "SELECT RAW a FROM a EXCEPT ALL SELECT RAW b FROM b",
                "WITH c AS (SELECT RAW a FROM a) SELECT RAW COUNT(*) FROM c",
                "SELECT RAW ARRAY_LENGTH((SELECT RAW a FROM a))",
                "SELECT RAW ARRAY_LENGTH((SELECT RAW a FROM a WHERE a.i >= x)) FROM [1] AS x",
                "SELECT RAW ARRAY_LENGTH((SELECT RAW b FROM b WHERE b.one = x)) FROM [1] AS x",
                "SELECT RAW ARRAY_LENGTH(all_of(0))",
                "SELECT RAW ARRAY_LENGTH(EVALUATE('SELECT RAW a FROM a'))",
                "WITH RECURSIVE r AS (SELECT 0 AS n UNION SELECT r.n + 1 AS n FROM r WHERE r.n < 300)"
                        + " SELECT RAW COUNT(*) FROM r",
                "SELECT RAW ARRAY_LENGTH(RECURSIVE_CTE('SELECT RAW 1', 'SELECT RAW a + 1 FROM $anchor a WHERE a < 300'))",
                "SELECT a.i FROM a JOIN b ON a.i < b.i LIMIT 1",
                "SELECT a.i FROM a RIGHT JOIN b ON a.i > b.i LIMIT 1",
                "SELECT ARRAY_LENGTH(b) FROM [1] AS x NEST b ON KEYS ARRAY 'b' || TO_STRING(n) FOR n IN ARRAY_RANGE(0, 500) END",
                "SELECT ARRAY_LENGTH(b) FROM [{'one': 1}] AS x NEST b ON x.one = b.one",
                "UPDATE a SET a.z = 1 WHERE a.k >= 0",
                "SELECT RAW COUNT(*) FROM a WHERE (a.k < 25 OR a.i >= 480) AND a.one = 1",
                "UPDATE b SET b.z = 1 RETURNING b.*",
                "INSERT INTO b (KEY 'n' || id, VALUE a) SELECT a, META(a).id FROM a",
                "MERGE INTO b USING a ON KEY 'n' || TO_STRING(a.i) WHEN NOT MATCHED THEN INSERT {'x': a.i}",
            })
    void statementThatHoldsTooMuch_failsAlone(String statement) {
        QueryEngine little = engine(LITTLE);

        assertThatThrownBy(() -> rows(little, statement))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MEMORY))
                .hasMessageContaining("of memory that one statement may hold");
        assertThat(little.active()).isEmpty();
        assertThat(rows(little, "SELECT RAW COUNT(*) FROM a UNION SELECT RAW 1"))
                .hasSize(2);
        assertThat(rows(engine(LARGE), statement)).isNotNull();
    }

    /** What is held for a row around is not held for the next one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT RAW (SELECT y, ROW_NUMBER() OVER (ORDER BY y) AS n FROM [x, 1, 2] AS y)",
                "SELECT RAW (SELECT RAW y FROM [x, 1, 2] AS y UNION SELECT RAW y FROM [x + 1, 1, 2] AS y)",
                "SELECT RAW (SELECT RAW y FROM [x, 1, 2] AS y INTERSECT SELECT RAW y FROM [x, 1, 2] AS y)",
                "SELECT RAW (SELECT y, z FROM [x, 1, 2] AS y JOIN [x, 1, 2] AS z ON y < z)",
                "SELECT RAW (SELECT y, z FROM [x, 1, 2] AS y RIGHT JOIN [x, 1, 2] AS z ON y < z)",
                "SELECT RAW (SELECT y, z FROM [x, 1, 2] AS y JOIN [x, 1, 2] AS z ON y = z)",
                "SELECT RAW (SELECT b FROM [x] AS y NEST b ON KEYS 'b' || TO_STRING(y))",
                "SELECT RAW (SELECT a.i FROM a WHERE a.k = x AND a.i < 60)",
                "SELECT RAW (WITH c AS (SELECT y FROM [x, 1, 2] AS y) SELECT RAW COUNT(*) FROM c)",
                "SELECT RAW (WITH RECURSIVE r AS (SELECT x AS n UNION SELECT r.n + 1 AS n FROM r WHERE r.n < x + 3)"
                        + " SELECT RAW COUNT(*) FROM r)",
                "SELECT RAW all_of(498)",
                "SELECT RAW EVALUATE('SELECT RAW 1')",
                "SELECT RAW RECURSIVE_CTE('SELECT RAW 1', 'SELECT RAW a + 1 FROM $anchor a WHERE a < 3')",
            })
    void whatIsHeldForARow_isReleased(String statement) {
        String manyTimes = statement + " FROM ARRAY_RANGE(0, 500) AS x";

        assertThat(rows(engine(LITTLE), manyTimes)).isEqualTo(rows(engine(LARGE), manyTimes));
    }

    private static final String ROWS =
            "WITH c AS (SELECT x AS i, x % 3 AS k, REPEAT('x', 200) AS long FROM ARRAY_RANGE(0, 25) AS x) ";

    /** The rows of the expression are more than half of what the statement may hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.i FROM c AS a JOIN c AS b ON a.i < b.i",
                "SELECT a.i FROM [1, 2] AS x JOIN c AS a ON x < a.i",
                "SELECT a.i, ROW_NUMBER() OVER (ORDER BY a.i) AS n FROM c AS a",
                "SELECT a.i FROM c AS a ORDER BY a.k, a.i LIMIT 24",
                "SELECT a.i FROM c AS a UNNEST [1, 2, 3] AS u ORDER BY a.i, u LIMIT 20",
                "SELECT x.i, ARRAY_LENGTH(a) AS n FROM [{'i': 0}] AS x NEST c AS a ON x.i <= a.i",
            })
    void rowsOfACommonTableExpression_areCountedOnce(String statement) {
        assertThat(rows(engine(LITTLE), ROWS + statement)).isEqualTo(rows(engine(LARGE), ROWS + statement));
        assertThatThrownBy(() -> rows(engine(LITTLE), ROWS.replace("25)", "65)") + statement))
                .hasMessageContaining("of memory that one statement may hold");
    }

    /** Each of these rows refers to the same document. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT x, ROW_NUMBER() OVER (ORDER BY x) AS n FROM [{'l': ARRAY_RANGE(0, 30), 'long': REPEAT('x', 5000)}] AS d"
                        + " UNNEST d.l AS x",
                "SELECT x FROM [1] AS y RIGHT JOIN (SELECT RAW x FROM ARRAY_RANGE(0, 30) AS x) AS x ON y < x",
                "MERGE INTO b USING (SELECT RAW x FROM [{'l': ARRAY_RANGE(0, 30), 'long': REPEAT('x', 5000)}] AS d"
                        + " UNNEST d.l AS x) AS x ON KEY 'n' || TO_STRING(x) WHEN NOT MATCHED THEN INSERT {'x': x}",
            })
    void whatRowsShare_isCountedOnce(String statement) {
        assertThat(rows(engine(LITTLE), statement)).isNotNull();
    }

    @Test
    void statementsOfATransaction_holdTheirRowsOnly() {
        QueryEngine engine = engine(new Memory(60_000, 60_000, 0));
        String statement = "; SELECT RAW ARRAY_LENGTH((SELECT RAW b.k FROM b WHERE b.i < 250))";

        assertThat(rows(engine, "BEGIN TRANSACTION" + statement.repeat(20) + "; COMMIT"))
                .hasSize(20);
    }

    @Test
    void union_goesToFiles() {
        assertThat(rows(engine(LITTLE), "SELECT RAW a FROM a UNION SELECT RAW b FROM b"))
                .containsExactlyInAnyOrderElementsOf(rows(engine(LARGE), "SELECT RAW a FROM a"));
    }

    /** The one that holds most is ended, wherever it holds it, and not the one that has read most. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.i, ROW_NUMBER() OVER (ORDER BY a.i) AS n FROM a JOIN b ON a.k = b.k",
                "SELECT a.i, b.i AS j FROM a JOIN b ON a.k = b.k INTERSECT SELECT a.i, b.i AS j FROM a JOIN b ON a.k = b.k",
                "WITH c AS (SELECT a.i, b.long FROM a JOIN b ON a.k = b.k) SELECT c.i FROM c",
                "SELECT x FROM (SELECT RAW a FROM a) AS x JOIN (SELECT a.*, b.i AS j FROM a JOIN b ON a.k = b.k) AS y"
                        + " ON x.i <= y.i",
                "SELECT ARRAY_LENGTH(b) FROM ARRAY_RANGE(0, 3) AS x"
                        + " NEST b ON KEYS ARRAY 'b' || TO_STRING(n % 500) FOR n IN ARRAY_RANGE(0, 9000) END",
            })
    void whoHoldsMost_isEndedFirst(String statement) {
        QueryEngine engine = engine(LARGE);
        try (Rows reading = engine.execute("SELECT x.i FROM b x, b y", QueryOptions.DEFAULT);
                Rows holding = engine.execute(statement, QueryOptions.DEFAULT)) {
            holding.next();
            for (int i = 0; i < 20_000; i++) {
                reading.next();
            }

            assertThat(engine.relieve())
                    .hasValueSatisfying(ended -> assertThat(ended.id()).isEqualTo(holding.requestId()));
            assertThat(reading.next()).isNotNull();
        }
    }

    // ---- hash joins

    /** Sixteen files of 500 rows are more than the statement may hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.i, b.long FROM a JOIN b ON a.i = b.i",
                "SELECT a.i, b.long FROM a LEFT JOIN b ON a.i = b.i AND b.k > 3",
                "SELECT a.i, b FROM a NEST b ON a.i = b.i"
            })
    void partitionThatDoesNotFit_isDividedAgain(String statement) {
        assertThat(rows(engine(new Memory(12_000, 3_000, 64 << 20)), statement))
                .containsExactlyInAnyOrderElementsOf(rows(engine(LARGE), statement));
    }

    @Test
    void rowsWithTheSameKey_areJoinedInPieces() {
        String statement = "SELECT RAW [a.i, b.i] FROM a JOIN b ON a.one = b.one AND a.i < 20";

        assertThat(rows(engine(LITTLE), statement)).hasSize(20 * DOCUMENTS).doesNotHaveDuplicates();
    }

    /** An outer join has to know all matches of a row, and a nest returns them in one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a.i, b.i AS j FROM (SELECT RAW x FROM a AS x LIMIT 20) AS a LEFT JOIN b ON a.one = b.one",
                "SELECT a.i, ARRAY_LENGTH(b) AS n FROM (SELECT RAW x FROM a AS x LIMIT 20) AS a NEST b ON a.one = b.one"
            })
    void rowsWithTheSameKey_areHeldByOuterJoinsAndNests(String statement) {
        assertThatThrownBy(() -> rows(engine(LITTLE), statement))
                .hasMessageContaining("of memory that one statement may hold");
        assertThat(rows(engine(new Memory(8 << 20, 6_000, 64 << 20)), statement).stream()
                        .sorted())
                .containsExactlyElementsOf(
                        rows(engine(LARGE), statement).stream().sorted().toList());
    }
}
