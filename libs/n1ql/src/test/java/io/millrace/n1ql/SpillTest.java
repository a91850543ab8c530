package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.runtime.Memory;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements whose rows do not fit into their memory give the rows of those whose rows do. */
class SpillTest {

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "1",
            "1.0",
            "1.10",
            "-2.5",
            "9007199254740993",
            "\"\"",
            "\"a\"",
            "\"\u00e9\"",
            "[]",
            "[1,{\"x\":null}]",
            "{\"x\":1,\"y\":[2]}");

    private final QueryTester tester = new QueryTester();
    /** Another seed as a property: {@code -Dmillrace.n1ql.seed=5}. */
    private final Random random = new Random(Long.getLong("millrace.n1ql.seed", 11));

    @BeforeEach
    void fill() {
        for (String name : List.of("a", "b")) {
            List<String> documents = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                documents.add(name + i);
                documents.add(document(i));
            }
            tester.keyspace(name, documents.toArray(new String[0]));
        }
    }

    private String document(int i) {
        StringBuilder text = new StringBuilder("{\"i\":" + i + ",\"k\":" + random.nextInt(60));
        for (String name : List.of("p", "q")) {
            if (random.nextInt(4) > 0) {
                text.append(",\"%s\":%s".formatted(name, VALUES.get(random.nextInt(VALUES.size()))));
            }
        }
        return text.append(",\"long\":\"")
                .append("x".repeat(random.nextInt(200)))
                .append("\"}")
                .toString();
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

    private static final Memory LARGE = new Memory(1 << 30, 1 << 30, 0);
    private static final Memory SMALL = new Memory(8 << 20, 6_000, 64 << 20);

    @Test
    void order_isThatOfTheSortInMemory() {
        QueryEngine small = engine(SMALL);

        for (String statement : List.of(
                "SELECT a.i, a.p FROM a ORDER BY a.p, a.i DESC",
                "SELECT a.* FROM a ORDER BY a.k DESC, a.q",
                "SELECT RAW a.p FROM a ORDER BY a.k",
                "SELECT a.i, LOWER(a.p) AS l FROM a ORDER BY l DESC NULLS LAST, a.i OFFSET 100",
                "SELECT a.i FROM a ORDER BY a.q LIMIT 20000 OFFSET 3",
                "SELECT d.i FROM (SELECT RAW a FROM a UNION ALL SELECT RAW b FROM b) AS d ORDER BY d.p, d.i",
                "SELECT i, p FROM a UNION SELECT i, p FROM b ORDER BY p, i",
                "SELECT DISTINCT a.p, a.k FROM a ORDER BY a.k, a.p")) {
            assertThat(rows(small, statement)).as(statement).isEqualTo(rows(engine(LARGE), statement));
        }
    }

    @Test
    void groupsDistinctAndJoins_areThoseInMemory() {
        QueryEngine small = engine(SMALL);

        for (String statement : List.of(
                "SELECT DISTINCT a.p, a.k FROM a",
                "SELECT DISTINCT RAW a FROM a",
                "SELECT a.i, COUNT(*) AS n FROM a GROUP BY a.i",
                "SELECT a.p, a.k, COUNT(a.q) AS n, SUM(a.i) AS s, MIN(a.q) AS m, ARRAY_AGG(a.i) AS l,"
                        + " COUNT(DISTINCT a.q) AS d, MAX(a.i) FILTER (WHERE a.k > 5) AS f FROM a GROUP BY a.p, a.k",
                "SELECT a.i, b.i AS j FROM a JOIN b ON a.k = b.k",
                "SELECT a.i, b.i AS j FROM a LEFT JOIN b ON a.p = b.i AND b.k > 3",
                "SELECT a.i, ARRAY_LENGTH(b) AS n FROM a LEFT NEST b ON a.k = b.i",
                "SELECT a.i, ARRAY_LENGTH(b) AS n FROM a NEST b ON a.k = b.k",
                "SELECT a.i FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.i = a.i * 2)",
                "SELECT a.i FROM a WHERE a.k IN (SELECT RAW b.k FROM b WHERE b.i = a.i)",
                "SELECT a.i, ARRAY_SORT((SELECT b.long, b.i FROM b WHERE b.k = a.k)) AS l FROM a")) {
            assertThat(rows(small, statement))
                    .as(statement)
                    .containsExactlyInAnyOrderElementsOf(rows(engine(LARGE), statement));
        }
    }

    @Test
    void withoutRoomForFiles_theStatementFailsAlone() {
        QueryEngine noFiles = engine(new Memory(8 << 20, 6_000, 100));

        assertThatThrownBy(() -> rows(noFiles, "SELECT a.* FROM a ORDER BY a.k"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MEMORY))
                .hasMessageContaining("written to a file");
        assertThat(rows(noFiles, "SELECT RAW COUNT(*) FROM a")).containsExactly("500");
        assertThat(noFiles.active()).isEmpty();
    }

    @Test
    void statementThatHoldsTooMuch_failsAlone() {
        QueryEngine little = engine(new Memory(20_000, 6_000, 64 << 20));

        assertThatThrownBy(() -> rows(little, "SELECT ARRAY_AGG(a) FROM a"))
                .hasMessageContaining("of memory that one statement may hold");
        assertThat(rows(little, "SELECT a.* FROM a ORDER BY a.k")).hasSize(500);
        assertThat(rows(little, "SELECT a.long FROM a ORDER BY a.k LIMIT 30")).hasSize(30);
        assertThatThrownBy(() -> rows(little, "SELECT a.* FROM a ORDER BY a.k LIMIT 400"))
                .hasMessageContaining("of memory that one statement may hold");
    }

    /** The one that holds most is ended, not the one that has read most. */
    @Test
    void whoHoldsMost_isEndedFirst() {
        QueryEngine engine = engine(new Memory(64 << 20, 32 << 20, 0));
        try (Rows reading = engine.execute("SELECT x.i FROM a x, b y", QueryOptions.DEFAULT);
                Rows sorting =
                        engine.execute("SELECT a.* FROM a JOIN b ON a.k = b.k ORDER BY a.q", QueryOptions.DEFAULT)) {
            reading.next();
            sorting.next();
            for (int i = 0; i < 100_000; i++) {
                reading.next();
            }

            assertThat(engine.relieve())
                    .hasValueSatisfying(ended -> assertThat(ended.id()).isEqualTo(sorting.requestId()));
            assertThat(reading.next()).isNotNull();
        }
    }
}
