package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** UNION ALL with ORDER BY and LIMIT: what each side reads, and that the rows are those of the whole. */
class UnionReadsTest {

    /** The first seed, and how many, as properties: {@code -Dmillrace.n1ql.seed=5 -Dmillrace.n1ql.seeds=10000}. */
    private static final long SEED = Long.getLong("millrace.n1ql.seed", 24);

    private static final int SEEDS = Integer.getInteger("millrace.n1ql.seeds", 150);

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace keyspace;

    @BeforeEach
    void fill() {
        keyspace = tester.keyspace("t");
        for (int i = 0; i < 200; i++) {
            keyspace.put(
                    String.format("k%03d", i),
                    "{\"city\": \"c%d\", \"n\": %d, \"at\": {\"x\": %d}, \"half\": %d}"
                            .formatted(i % 5, i, 200 - i, i / 2));
        }
        tester.rows("CREATE INDEX by_city ON t(city, n)");
    }

    private record Reads(long keys, long documents) {}

    private Reads reads(String query) {
        long keys = keyspace.scanned();
        long documents = keyspace.fetched();
        tester.rows(query);
        return new Reads(keyspace.scanned() - keys, keyspace.fetched() - documents);
    }

    @Test
    void limit_endsEachSide() {
        assertThat(reads("SELECT * FROM t WHERE city = 'c1' UNION ALL SELECT * FROM t WHERE city = 'c2' LIMIT 4"))
                .isEqualTo(new Reads(4, 4));
        assertThat(reads("(SELECT * FROM t WHERE n = 3) UNION ALL (SELECT * FROM t) LIMIT 2 OFFSET 3")
                        .keys())
                .isEqualTo(200 + 5);
    }

    @Test
    void orderOfResultFields_isThatOfEachSide() {
        String sides = "SELECT n FROM t WHERE city = 'c1' UNION ALL SELECT u.n FROM t AS u WHERE u.city = 'c2'";

        assertThat(reads(sides + " ORDER BY n LIMIT 3")).isEqualTo(new Reads(6, 0));
        assertThat(reads(sides + " ORDER BY n DESC LIMIT 3 OFFSET 2")).isEqualTo(new Reads(10, 0));
        assertThat(reads("(" + sides + ") UNION ALL SELECT n FROM t WHERE city = 'c3' ORDER BY n LIMIT 3"))
                .isEqualTo(new Reads(9, 0));
        assertThat(tester.rows(sides + " ORDER BY n DESC LIMIT 2 OFFSET 1"))
                .containsExactly("{\"n\":196}", "{\"n\":192}");
    }

    @Test
    void otherSetOperations_readBothSides() {
        for (String operation : List.of("UNION", "INTERSECT ALL", "EXCEPT ALL")) {
            String query = "SELECT half FROM t WHERE city = 'c1' " + operation + " SELECT half FROM t WHERE city = 'c2'"
                    + " ORDER BY half LIMIT 2";
            assertThat(reads(query).documents()).as(query).isEqualTo(80);
        }
    }

    @Test
    void negativeLimitAndOffset_countAsNone() {
        String sides = "SELECT n FROM t WHERE n < 2 UNION ALL SELECT n FROM t WHERE n = 5 ORDER BY n";
        String page = sides + " LIMIT $limit OFFSET $offset";

        assertThat(tester.rows(page, with(2, -1))).containsExactly("{\"n\":0}", "{\"n\":1}");
        assertThat(tester.rows(page, with(-2, 5))).isEmpty();
        assertThat(tester.rows(page, with(Long.MAX_VALUE, 1))).containsExactly("{\"n\":1}", "{\"n\":5}");
        assertThat(tester.failure(sides + " LIMIT 'a' OFFSET 1").getMessage()).contains("Invalid LIMIT value \"a\"");
    }

    private static QueryOptions with(long limit, long offset) {
        return QueryOptions.DEFAULT.withNamed(Map.of("limit", Value.of(limit), "offset", Value.of(offset)));
    }

    /** A query around the union sorts all of its rows. */
    @Test
    void randomUnions_haveTheFirstRowsOfTheWhole() {
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Random random = new Random(seed);
            List<String> sides = new ArrayList<>();
            for (int i = 2 + random.nextInt(2); i > 0; i--) {
                String side = side(random);
                sides.add(random.nextInt(4) == 0 ? "(" + side + ")" : side);
            }
            String union = String.join(" UNION ALL ", sides);
            String field = List.of("x", "x.y", "y", "absent").get(random.nextInt(4));
            String direction = List.of("", " DESC", " NULLS LAST").get(random.nextInt(3));
            String page = " LIMIT " + random.nextInt(9) + (random.nextBoolean() ? "" : " OFFSET " + random.nextInt(5));

            assertThat(tester.rows("SELECT RAW r." + field + " FROM (" + union + " ORDER BY " + field + direction + page
                            + ") AS r ORDER BY r." + field + direction))
                    .as("seed " + seed + ": " + union + " ORDER BY " + field + direction + page)
                    .isEqualTo(tester.rows("SELECT RAW r." + field + " FROM (" + union + ") AS r ORDER BY r." + field
                            + direction + page));
        }
    }

    private static String side(Random random) {
        String where = " FROM t WHERE city " + List.of("= ", "> ", "!= ").get(random.nextInt(3)) + "'c"
                + random.nextInt(5) + "'";
        return switch (random.nextInt(9)) {
            case 0 -> "SELECT n AS x, half AS y" + where;
            case 1 -> "SELECT half AS x, at AS y" + where;
            case 2 -> "SELECT at AS x" + where;
            case 3 -> "SELECT {'y': n} AS x, -n AS y" + where;
            case 4 -> "SELECT t.*, n AS x" + where;
            case 5 -> "SELECT city AS x, MIN(n) AS y" + where + " GROUP BY city";
            case 6 -> "SELECT DISTINCT half AS x" + where;
            case 7 -> "SELECT RAW {'x': n}" + where;
            default -> "(SELECT n AS x, at.x AS y" + where + " ORDER BY n DESC LIMIT 3)";
        };
    }
}
