package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups, distinct values, MIN and MAX by an index: few entries are read, and the rows are those without an index. */
class PushdownTest {

    private static final long SEED = 3;
    private static final int QUERIES = 100;
    private static final int DOCUMENTS = 2_000;

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace events;

    @BeforeEach
    void fill() {
        events = tester.keyspace("events");
        Random random = new Random(SEED);
        for (int i = 0; i < DOCUMENTS; i++) {
            String city = random.nextInt(20) == 0 ? "" : "\"city\": " + city(random.nextInt(7)) + ", ";
            String n = random.nextInt(10) == 0
                    ? ""
                    : random.nextInt(10) == 0 ? "\"n\": null, " : "\"n\": " + random.nextInt(300) + ", ";
            String body = "{" + city + n + "\"kind\": \"k" + random.nextInt(3) + "\"}";
            events.put("e" + i, body);
        }
    }

    private static String city(int number) {
        return switch (number) {
            case 0 -> "null";
            case 1 -> "1";
            case 2 -> "9007199254740992";
            case 3 -> "9007199254740993";
            case 4 -> "\"Paris\"";
            case 5 -> "[\"a\"]";
            default -> "\"Rome\"";
        };
    }

    private long read(String query) {
        long before = events.scanned() + 8 * events.fetched();
        tester.rows(query);
        return events.scanned() + 8 * events.fetched() - before;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "SELECT DISTINCT city FROM events WHERE city IS NOT MISSING | 12",
                "SELECT DISTINCT RAW e.city FROM events e WHERE e.city >= 'P' ORDER BY e.city LIMIT 2 | 12",
                "SELECT city, COUNT(*) AS n FROM events WHERE city IS NOT MISSING GROUP BY city | 12",
                "SELECT city, MIN(n) AS low, MAX(n) AS high, COUNT(*) AS c FROM events WHERE city > 'A' GROUP BY city | 12",
                "SELECT kind, city FROM events WHERE kind IN ['k0', 'k2'] GROUP BY city, kind | 24",
                "SELECT kind, MAX(city) AS top FROM events WHERE kind > '' GROUP BY kind HAVING COUNT(*) > 1 | 12",
                "SELECT MIN(n) AS low, MAX(n) AS high FROM events WHERE n IS NOT MISSING | 2",
                "SELECT MIN(n) AS low, MAX(n) AS high, COUNT(*) AS c FROM events WHERE n BETWEEN 10 AND 200 | 2",
            })
    void aggregate_readsFewEntries(String query, long most) {
        List<String> without = sorted(query);
        tester.rows("CREATE INDEX by_city ON events(city, n)");
        tester.rows("CREATE INDEX by_kind ON events(kind, city)");
        tester.rows("CREATE INDEX by_n ON events(n)");

        assertThat(sorted(query)).isEqualTo(without);
        assertThat(read(query)).isLessThanOrEqualTo(most);
        assertThat(tester.rows("EXPLAIN " + query).getFirst()).containsAnyOf("IndexGroupScan", "IndexExtremes");
    }

    @Test
    void manyGroups_areReadAtOnce() {
        tester.rows("CREATE INDEX by_n ON events(n)");

        assertThat(read("SELECT n, COUNT(*) AS c FROM events WHERE n IS NOT MISSING GROUP BY n"))
                .isLessThan(DOCUMENTS + DOCUMENTS / 32);
    }

    @Test
    void randomQueries_giveTheRowsWithoutIndex() {
        Random random = new Random(SEED);
        String[] wheres = {
            "city IS NOT MISSING", "city > 'A'", "city IS NOT NULL", "city IN [1, 'Rome', NULL]", "city = 'Paris'",
            "city = 'Paris' AND n > 100", "n < 50", "n IS NOT MISSING", "kind > 'k0'", "kind = 'k1' AND city >= 1",
            "city != 'Rome'", "n IS VALUED AND kind = 'k2'", "city < 9007199254740994"
        };
        String[] selects = {
            "SELECT DISTINCT city",
            "SELECT DISTINCT city, n",
            "SELECT DISTINCT RAW kind",
            "SELECT DISTINCT n",
            "SELECT city, COUNT(*) AS c",
            "SELECT city, MIN(n) AS low, COUNT(*) AS c",
            "SELECT n, city, MAX(kind) AS k",
            "SELECT kind, MAX(city) AS x, MIN(city) AS y",
            "SELECT MIN(n) AS low, MAX(n) AS high, COUNT(*) AS c",
            "SELECT MAX(city) AS c, MIN(n) AS n",
            "SELECT city, SUM(n) AS s"
        };
        String[] indexes = {"(city)", "(city, n)", "(city DESC, n DESC)", "(n, city)", "(kind, city DESC)", "(kind, n)"
        };
        for (int i = 0; i < QUERIES; i++) {
            String select = selects[random.nextInt(selects.length)];
            String grouped = select.startsWith("SELECT city, ")
                    ? " GROUP BY city"
                    : select.startsWith("SELECT n, ")
                            ? " GROUP BY n, city"
                            : select.startsWith("SELECT kind, ") ? " GROUP BY kind" : "";
            String query = select + " FROM events WHERE " + wheres[random.nextInt(wheres.length)] + grouped;
            List<String> without = sorted(query);
            String index = indexes[random.nextInt(indexes.length)];
            tester.rows("CREATE INDEX one ON events" + index);

            assertThat(sorted(query)).as(query + " with " + index).isEqualTo(without);

            tester.rows("DROP INDEX one ON events");
        }
    }

    private List<String> sorted(String query) {
        return tester.rows(query).stream().sorted().toList();
    }
}
