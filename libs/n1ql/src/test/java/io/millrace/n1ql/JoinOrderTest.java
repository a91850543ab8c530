package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order in which terms are joined: what it reads, and that it does not change the rows. */
class JoinOrderTest {

    /** The first seed, and how many, as properties: {@code -Dmillrace.n1ql.seed=5 -Dmillrace.n1ql.seeds=10000}. */
    private static final long SEED = Long.getLong("millrace.n1ql.seed", 24);

    private static final int SEEDS = Integer.getInteger("millrace.n1ql.seeds", 80);

    private static final boolean EVERY_BUILD =
            System.getProperty("millrace.n1ql.seed", System.getProperty("millrace.n1ql.seeds")) == null;

    private final QueryTester tester = new QueryTester();
    private final List<MemoryKeyspace> keyspaces = new ArrayList<>();

    @BeforeEach
    void fill() {
        for (String name : List.of("orders", "customers", "cities")) {
            keyspaces.add(tester.keyspace(name));
        }
        for (int i = 0; i < 600; i++) {
            keyspaces.get(0).put("o" + i, "{\"customer\": \"c%d\", \"total\": %d}".formatted(i % 60, i));
        }
        for (int i = 0; i < 60; i++) {
            keyspaces.get(1).put("c" + i, "{\"id\": \"c%d\", \"city\": \"t%d\"}".formatted(i, i % 20));
        }
        for (int i = 0; i < 20; i++) {
            keyspaces.get(2).put("t" + i, "{\"id\": \"t%d\", \"name\": \"town %d\"}".formatted(i, i));
        }
        tester.rows("CREATE INDEX by_customer ON orders(customer)");
        tester.rows("CREATE INDEX by_city ON customers(city)");
        tester.rows("CREATE INDEX by_name ON cities(name)");
    }

    private static final String FROM_ORDERS =
            "SELECT %so.total, c.id FROM orders o JOIN customers c ON o.customer = c.id"
                    + " JOIN cities t ON t.id = c.city WHERE t.name = 'town 7'";

    private long fetched(String query) {
        long before = keyspaces.stream().mapToLong(MemoryKeyspace::fetched).sum();
        tester.rows(query);
        return keyspaces.stream().mapToLong(MemoryKeyspace::fetched).sum() - before;
    }

    private List<String> sorted(String query) {
        return sorted(tester.engine(), query);
    }

    private static List<String> sorted(QueryEngine engine, String query) {
        List<String> rows = inTheirOrder(engine, query);
        Collections.sort(rows);
        return rows;
    }

    private static List<String> inTheirOrder(QueryEngine engine, String query) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(query, QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    @Test
    void cheapestTerm_isJoinedFirst() {
        assertThat(fetched(FROM_ORDERS.formatted(""))).isEqualTo(1 + 3 + 30);
        assertThat(sorted(FROM_ORDERS.formatted("")))
                .hasSize(30)
                .isEqualTo(sorted(FROM_ORDERS.formatted("/*+ ORDERED */ ")));
    }

    @Test
    void conditionOfAJoin_holdsForATermThatIsJoinedFirst() {
        String query = FROM_ORDERS.formatted("").replace("WHERE", "AND");

        assertThat(fetched(query)).isEqualTo(1 + 3 + 30);
        assertThat(sorted(query)).isEqualTo(sorted(FROM_ORDERS.formatted("")));
    }

    @Test
    void orderedHint_keepsTheOrderOfTheText() {
        assertThat(fetched(FROM_ORDERS.formatted("/*+ ORDERED */ "))).isGreaterThanOrEqualTo(660);
        assertThat(tester.rows("EXPLAIN " + FROM_ORDERS.formatted("/*+ ORDERED */ "))
                        .getFirst())
                .contains("\"hints_followed\":[\"ORDERED\"]");
    }

    @Test
    void hintForAJoin_keepsTheOrderOfTheText() {
        assertThat(fetched(FROM_ORDERS.formatted("/*+ USE_HASH(c) */ "))).isGreaterThanOrEqualTo(660);
    }

    @Test
    void limitWithoutOrder_keepsTheOrderOfTheText() {
        String query = "SELECT o.total FROM orders o JOIN customers c ON c.id = o.customer WHERE c.city = 't1' LIMIT 1";

        assertThat(tester.rows("EXPLAIN " + query).getFirst()).containsSubsequence("\"as\":\"o\"", "\"as\":\"c\"");
    }

    @Test
    void termsWithACondition_areNotMultiplied() {
        String query = "SELECT o.total, t.name FROM orders o, cities t, customers c"
                + " WHERE o.customer = c.id AND c.city = t.id AND o.total < 5";

        assertThat(tester.rows("EXPLAIN " + query).getFirst()).doesNotContain("\"on_clause\":\"\"");
        assertThat(tester.rows("EXPLAIN " + query.replace("SELECT", "SELECT /*+ USE_HASH(c) */"))
                        .getFirst())
                .contains("HashJoin");
        assertThat(sorted(query)).hasSize(5).isEqualTo(sorted(query.replace("SELECT", "SELECT /*+ ORDERED */")));
    }

    @Test
    void termWithoutAnIndexOfItsOwn_isLookedUp() {
        tester.rows("DROP INDEX orders.`#primary`");

        assertThat(sorted(FROM_ORDERS.formatted(""))).hasSize(30);
        assertThat(tester.failure(FROM_ORDERS.formatted("/*+ ORDERED */ ")).errorCode())
                .isEqualTo(ErrorCode.NO_INDEX);
    }

    @Test
    void parameter_choosesTheOrderOfEachRun() {
        String query = "SELECT o.total FROM customers c JOIN orders o ON o.customer = c.id AND o.total >= $from"
                + " WHERE c.city >= $city";
        tester.rows("CREATE INDEX by_total ON orders(total)");

        for (long from : new long[] {0, 599}) {
            for (String city : List.of("t", "t9", "u")) {
                QueryOptions options =
                        QueryOptions.DEFAULT.withNamed(Map.of("from", Value.of(from), "city", Value.of(city)));
                assertThat(tester.rows(query, options).stream().sorted().toList())
                        .isEqualTo(tester.rows(query.replace("SELECT", "SELECT /*+ ORDERED */"), options).stream()
                                .sorted()
                                .toList());
            }
        }
    }

    /** A condition in an OR is neither a key of a hash table nor of an index. */
    @Test
    void randomJoins_giveTheRowsOfEveryPairInTheOrderOfTheText() {
        MemoryKeyspace all = tester.keyspace("t");
        QueryEngine spilling = SpillingEngine.over(tester.keyspaces());
        List<String> indexes = List.of("t(a)", "t(a, b)", "t(b, a)", "t(n)", "t(k)", "t(c) WHERE n > 4");
        int moved = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Random random = new Random(seed);
            fill(all, random);
            List<String> made = new ArrayList<>(indexes);
            Collections.shuffle(made, random);
            int number = random.nextInt(4);
            for (int i = 0; i < number; i++) {
                tester.rows("CREATE INDEX i" + i + " ON " + made.get(i));
            }

            String pattern = query(random);
            String query = pattern.replaceAll("[<>]{2}", "");
            String everyPair = pattern.replace("<<", "(").replace(">>", " OR FALSE)");
            List<String> found = sorted(query);
            String ordered = query.replaceFirst("SELECT", "SELECT /*+ ORDERED */");
            moved += scans(query).equals(scans(ordered)) ? 0 : 1;
            assertThat(found).as("seed " + seed + ", spilling: " + query).isEqualTo(sorted(spilling, query));
            assertThat(found)
                    .as("seed " + seed + ": " + query + made.subList(0, number))
                    .isEqualTo(sorted(everyPair.replaceFirst("SELECT", "SELECT /*+ ORDERED */")));

            for (int i = 0; i < number; i++) {
                tester.rows("DROP INDEX t.i" + i);
            }
        }
        assertIsTested("joins in another order than that of the text", moved);
    }

    /** A query around the joins sorts all of their rows. */
    @Test
    void randomJoinsWithOrderAndLimit_haveTheFirstRowsOfTheWhole() {
        MemoryKeyspace all = tester.keyspace("t");
        QueryEngine spilling = SpillingEngine.over(tester.keyspaces());
        List<String> indexes = List.of("t(a)", "t(a, b)", "t(b, a)", "t(n)", "t(n, a)", "t(k)", "t(b DESC, n)");
        int inOrder = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Random random = new Random(seed);
            fill(all, random);
            List<String> made = new ArrayList<>(indexes);
            Collections.shuffle(made, random);
            int number = random.nextInt(5);
            for (int i = 0; i < number; i++) {
                tester.rows("CREATE INDEX i" + i + " ON " + made.get(i));
            }

            String joined = withOtherTerms(query(random).replaceAll("[<>]{2}", ""), random)
                    .replaceFirst(
                            "SELECT .* FROM t t0",
                            "SELECT t0.a, t0.b, t0.k, IFMISSING(t0.n, -1) AS n, META(t0).id FROM t t0");
            String rows = joined
                    + (joined.contains("WHERE") ? " AND " : " WHERE ")
                    + one(random, "t0.n >= 2", "t0.a IS NOT MISSING", "(t0.n > 1 OR t0.k < 'k4')", "t0.b >= 2", "TRUE");
            String order = " ORDER BY " + order(random);
            String page = " LIMIT " + (1 + random.nextInt(9)) + one(random, "", " OFFSET 2", " OFFSET 40");
            String query = rows + order + page;
            List<String> found = numbers(tester.engine(), query);
            List<String> expected = tester.rows(
                    "SELECT RAW t0.n FROM (" + rows + ") AS t0" + order.replace("META(t0).id", "t0.id") + page);
            inOrder += tester.rows("EXPLAIN " + query).getFirst().contains("\"Order\"") ? 0 : 1;
            assertThat(found)
                    .as("seed " + seed + ": " + query + made.subList(0, number))
                    .isEqualTo(expected);
            assertThat(numbers(spilling, query))
                    .as("seed " + seed + ", spilling: " + query)
                    .isEqualTo(expected);

            for (int i = 0; i < number; i++) {
                tester.rows("DROP INDEX t.i" + i);
            }
        }
        assertIsTested("plans without a sort", inOrder);
    }

    /**
     * That the seeds of every build, which are always the same, have plans of a kind: otherwise the comparison would show nothing
     * about them. How many others have is a matter of luck.
     */
    private static void assertIsTested(String kind, int plans) {
        if (EVERY_BUILD) {
            assertThat(plans).as(kind).isGreaterThanOrEqualTo(5);
        }
    }

    /** The field n tells the documents of the first term apart. */
    private static List<String> numbers(QueryEngine engine, String query) {
        Pattern number = Pattern.compile("\"n\":(-?\\d+)");
        return inTheirOrder(engine, query).stream()
                .map(row ->
                        number.matcher(row).results().findFirst().orElseThrow().group(1))
                .toList();
    }

    private static String order(Random random) {
        String direction = one(random, "", " DESC");
        String last = one(random, "", "", " NULLS FIRST", " NULLS LAST");
        return one(
                random,
                "t0.n" + direction,
                "t0.a" + direction + last + ", t0.n" + direction,
                "t0.a, t0.b" + direction + ", t0.n",
                "t0.b" + direction + ", t0.n",
                "t0.k" + direction + ", t0.n DESC",
                "META(t0).id" + direction,
                "t0.b" + direction + ", META(t0).id" + direction);
    }

    private static String withOtherTerms(String query, Random random) {
        String joined = switch (random.nextInt(3)) {
            case 0 -> query.replace(" JOIN ", " LEFT JOIN ");
            case 1 -> query.replaceFirst(" JOIN ", " LEFT JOIN ");
            default -> query;
        };
        String more = one(
                random,
                "",
                "",
                "",
                " UNNEST [t0.n, 1] AS e",
                " LEFT UNNEST t0.a AS e",
                " LEFT NEST t e ON e.b = t0.b",
                " NEST t e ON e.a = t0.a",
                " LEFT NEST t e ON KEYS [t0.k, 'k3']",
                " JOIN t e ON KEYS t0.k",
                " LEFT JOIN t e ON KEYS [t0.k, 'k3']",
                " RIGHT JOIN t e ON e.n = t0.n");
        if (query.contains(" UNNEST ")) {
            return joined.replaceFirst(" UNNEST ", more + " UNNEST ");
        }
        return query.contains(" WHERE ") ? joined.replaceFirst(" WHERE ", more + " WHERE ") : joined + more;
    }

    private static String one(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static void fill(MemoryKeyspace keyspace, Random random) {
        List<String> values = List.of("1", "1.0", "2", "3", "null", "\"x\"", "[1]", "[null]", "{\"k\":2}");
        for (int i = 0; i < 14; i++) {
            StringBuilder body = new StringBuilder("{\"n\":" + i);
            for (String field : List.of("a", "b", "c")) {
                if (random.nextInt(5) > 0) {
                    body.append(",\"%s\":%s".formatted(field, values.get(random.nextInt(values.size()))));
                }
            }
            keyspace.put("k" + i, body + ",\"k\":\"k" + random.nextInt(20) + "\"}");
        }
    }

    /** Returns the aliases of the scans of a plan, in their order. */
    private List<String> scans(String query) {
        return Pattern.compile("\"as\":\"(t\\d)\"")
                .matcher(tester.rows("EXPLAIN " + query).getFirst())
                .results()
                .map(scan -> scan.group(1))
                .toList();
    }

    /** Returns a query with its conditions between {@code <<} and {@code >>}. */
    private static String query(Random random) {
        int terms = 2 + random.nextInt(3);
        StringBuilder from = new StringBuilder("t t0");
        List<String> where = new ArrayList<>();
        for (int term = 1; term < terms; term++) {
            String on = condition("t" + random.nextInt(term), "t" + term, random);
            boolean comma = random.nextInt(4) == 0;
            from.append(comma ? ", t t" + term : " JOIN t t" + term + " ON " + on);
            if (comma) {
                where.add(on);
            }
            if (random.nextInt(2) == 0) {
                where.add("META(t" + term + ").id IN ['k3', 'k7']");
            }
            if (random.nextInt(3) == 0) {
                where.add("t" + term + "."
                        + List.of("a = 1", "n < 6", "b IS VALUED", "k > 'k3'", "n = 7")
                                .get(random.nextInt(5)));
            }
        }
        if (random.nextInt(5) == 0) {
            from.append(" UNNEST t0.k AS u LET v = t1.a");
            where.add("v = u OR v = 1");
        }
        return "SELECT t0.n, META(t1).id, t" + (terms - 1) + ".* FROM " + from
                + (where.isEmpty() ? "" : " WHERE (" + String.join(") AND (", where) + ")");
    }

    private static String condition(String left, String right, Random random) {
        return "<<" + comparison(left, right, random) + ">>";
    }

    private static String comparison(String left, String right, Random random) {
        return switch (random.nextInt(8)) {
            case 6 -> "ANY w IN [" + left + ".a, " + right + ".b] SATISFIES w = " + right + ".n END";
            case 7 -> "META(" + right + ").id IN ARRAY w FOR w IN [" + left + ".k, 'k3'] END";
            case 0 -> "META(" + right + ").id = " + left + ".k";
            case 1 -> left + ".a = " + right + ".b AND " + right + ".n > 4";
            case 2 -> right + ".c = " + left + ".c";
            case 3 -> right + ".n < " + left + ".a";
            case 4 -> "META(" + left + ").id = " + right + ".k";
            default -> left + ".a = " + right + ".a AND " + right + ".b = " + left + ".b";
        };
    }
}
