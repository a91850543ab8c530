package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements read with an index: documents, and keys or entries of indexes. */
class ReadsTest {

    private static final int DOCUMENTS = 400;

    private final QueryTester tester = new QueryTester();
    private MemoryKeyspace keyspace;

    @BeforeEach
    void fill() {
        keyspace = tester.keyspace("t");
        for (int i = 0; i < DOCUMENTS; i++) {
            keyspace.put(String.format("k%03d", i), """
                    {"type": "%s", "city": "c%d", "n": %d, "name": "Name %03d", "tags": ["t%d", "t%d"],
                     "parts": [{"x": %d, "y": %d}], "deep": {"flag": %b}, "long": "%s"}""".formatted(
                            i % 2 == 0 ? "even" : "odd",
                            i % 40,
                            i,
                            i,
                            i % 50,
                            i % 7 + 100,
                            i % 10,
                            i,
                            i % 4 == 0,
                            "x".repeat(50)));
        }
    }

    private record Reads(long keys, long documents) {

        /** A document costs as much as several keys, which come in pages. */
        long cost() {
            return keys + 8 * documents;
        }
    }

    private Reads reads(String query) {
        long keys = keyspace.scanned();
        long documents = keyspace.fetched();
        tester.rows(query);
        return new Reads(keyspace.scanned() - keys, keyspace.fetched() - documents);
    }

    private void create(String... indexes) {
        for (int i = 0; i < indexes.length; i++) {
            tester.rows("CREATE INDEX i" + i + " ON t" + indexes[i]);
        }
    }

    @Test
    void partialIndex_isPreferredToTheIndexOfItsCondition() {
        create("(type)", "(city, n) WHERE type = 'even'");

        assertThat(reads("SELECT * FROM t WHERE type = 'even' AND city = 'c2'")).isEqualTo(new Reads(10, 10));
    }

    /** How early a LIMIT ends a scan is luck where nothing counts it, so another index must not change it. */
    @ParameterizedTest
    @ValueSource(strings = {"(type)/(type, n)", "(type, n)/(type)"})
    void equalCosts_leaveTheChoiceToTheOlderIndex(String indexes) {
        create(indexes.split("/"));

        assertThat(tester.rows("EXPLAIN SELECT * FROM t WHERE type = 'even' AND city = 'c2' LIMIT 3")
                        .getFirst())
                .contains("\"i0\"");
    }

    /** The store is asked once for each range. */
    @Test
    void equalCounts_leaveTheChoiceToTheIndexWithFewerRanges() {
        create("(n, type)", "(city, type)");

        assertThat(tester.rows("EXPLAIN SELECT * FROM t WHERE type = 'even' AND city IN ['c2', 'none']"
                                + " AND n IN [2, 42, 82, 122, 162, 202, 242, 282, 322, 362]")
                        .getFirst())
                .contains("\"i1\"");
    }

    /** A scan that ends with its first rows, if each has an element, is not replaced by two that are read to their end. */
    @Test
    void unnestWithALimit_endsTheScanOfTheFirstRows() {
        create("(n)");
        String query = "SELECT p.y FROM t UNNEST t.parts AS p WHERE t.n < 100 AND t.deep.flag = true LIMIT 2";
        long before = reads(query).cost();

        tester.rows("CREATE INDEX added ON t(deep.flag)");

        assertThat(reads(query).cost()).isLessThanOrEqualTo(before);
    }

    @Test
    void partialIndex_servesNarrowerConditions() {
        create("(city) WHERE n >= 100");

        assertThat(reads("SELECT * FROM t WHERE n > 200 AND city = 'c3'").documents())
                .isEqualTo(7);
        assertThat(reads("SELECT * FROM t WHERE n = 203 AND city = 'c3'").documents())
                .isEqualTo(7);
        assertThat(reads("SELECT * FROM t WHERE n > 99 AND city = 'c3'").documents())
                .isEqualTo(DOCUMENTS);
    }

    @Test
    void indexOfAllFields_servesConditionsOnEach() {
        create("(DISTINCT PAIRS(SELF))");

        assertThat(reads("SELECT * FROM t WHERE city = 'c2'")).isEqualTo(new Reads(10, 10));
        assertThat(reads("SELECT * FROM t WHERE t.n > 390 AND t.type = 'odd'")).isEqualTo(new Reads(9, 9));
        assertThat(reads("SELECT * FROM t WHERE n BETWEEN 10 AND 12 OR name LIKE 'Name 39%'"))
                .isEqualTo(new Reads(13, 13));
        assertThat(reads("SELECT * FROM t WHERE deep.flag = TRUE AND n < 100").documents())
                .isBetween(25L, 100L);
        assertThat(reads("SELECT * FROM t WHERE city IN ['c1', 'c2']").documents())
                .isEqualTo(20);
        assertThat(reads("SELECT * FROM t WHERE ANY p IN PAIRS(t) SATISFIES p = ['n', 7] END"))
                .isEqualTo(new Reads(1, 1));
        assertThat(reads("SELECT * FROM t WHERE LOWER(city) = 'c1'").documents())
                .isEqualTo(DOCUMENTS);
    }

    @Test
    void indexOfSomeFields_servesConditionsOnThese() {
        create("(type, DISTINCT PAIRS({n, 'where': city, deep}))");

        assertThat(reads("SELECT * FROM t WHERE type = 'odd' AND city = 'c3'")).isEqualTo(new Reads(10, 10));
        assertThat(reads("SELECT * FROM t WHERE type = 'even' AND deep.flag = FALSE AND n = 6"))
                .isEqualTo(new Reads(1, 1));
        assertThat(reads("SELECT * FROM t WHERE type = 'even' AND name = 'Name 006'")
                        .documents())
                .isEqualTo(DOCUMENTS);
        assertThat(reads("SELECT * FROM t WHERE city = 'c3'").documents()).isEqualTo(DOCUMENTS);
        assertThat(tester.warnings("CREATE INDEX two ON t(DISTINCT PAIRS({'x': n, 'x': city}))"))
                .singleElement()
                .asString()
                .contains("DISTINCT PAIRS(SELF)");
        assertThat(tester.warnings("CREATE INDEX whole ON t(PAIRS(SELF))")).hasSize(1);
        assertThat(tester.warnings("CREATE INDEX adaptive ON t(DISTINCT PAIRS(SELF))"))
                .isEmpty();
    }

    @Test
    void conditionOnALaterKey_isDecidedByTheEntry() {
        create("(n, city)");

        assertThat(reads("SELECT * FROM t WHERE n > 200 AND city = 'c7'").documents())
                .isEqualTo(5);
    }

    @Test
    void countedEntries_decideBetweenRanges() {
        create("(n)", "(city)");

        assertThat(reads("SELECT * FROM t WHERE n < 3 AND city >= 'c'").documents())
                .isEqualTo(3);
        assertThat(reads("SELECT * FROM t WHERE n < 399 AND city = 'c1'").documents())
                .isEqualTo(10);
    }

    @Test
    void or_readsTheDocumentsOfItsAlternatives() {
        create("(city)", "(n)");

        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR city = 'c2'")).isEqualTo(new Reads(20, 20));
        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR n = 7")).isEqualTo(new Reads(11, 11));
        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR n = 1")).isEqualTo(new Reads(11, 10));
        assertThat(reads("SELECT * FROM t WHERE (city = 'c1' OR n = 7) AND type = 'odd'")
                        .documents())
                .isEqualTo(11);
        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR name = 'Name 007'")
                        .documents())
                .isEqualTo(DOCUMENTS);
    }

    @Test
    void or_withALimit_stopsReading() {
        create("(city)", "(n)");

        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR n > 5 LIMIT 5")).isEqualTo(new Reads(5, 5));
        assertThat(reads("SELECT * FROM t WHERE n > 5 OR city = 'c1' LIMIT 5 OFFSET 3"))
                .isEqualTo(new Reads(8, 8));
        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR n >= 361 LIMIT 12"))
                .isEqualTo(new Reads(12, 12));
        assertThat(reads("SELECT * FROM t WHERE city = 'c1' OR (n >= 0 AND name = 'Name 399') LIMIT 5"))
                .isEqualTo(new Reads(5, 5));
        assertThat(reads("SELECT * FROM t WHERE (n >= 0 AND name = 'Name 399') OR city = 'c1' LIMIT 5"))
                .isEqualTo(new Reads(5, 5));
        assertThat(reads("SELECT * FROM t WHERE (city = 'c1' OR n = 7) AND type = 'even' LIMIT 5"))
                .isEqualTo(new Reads(11, 11));
        assertThat(tester.rows("SELECT RAW n FROM t WHERE city = 'c1' OR n IN [1, 7] LIMIT 20"))
                .hasSize(11)
                .doesNotHaveDuplicates();
    }

    /** The store is asked for each range, and for entries with a filter in pages. */
    @Test
    void or_withALimit_beginsWithTheAlternativeThatIsEnough() {
        create("(city)", "(n)", "(type, name)");

        assertThat(tester.rows("EXPLAIN SELECT * FROM t WHERE n = 7 OR n = 9 OR city = 'c1' LIMIT 11")
                        .getFirst())
                .containsSubsequence("UnionScan", "\"i0\"", "\"i1\"");
        assertThat(reads("SELECT * FROM t WHERE n < 4 OR n > 395 OR (type = 'odd' AND name LIKE '%Name%') LIMIT 7"))
                .isEqualTo(new Reads(7, 7));
        assertThat(reads("SELECT * FROM t WHERE n < 3 OR (type = 'odd' AND name LIKE '%Name%') LIMIT 7"))
                .isEqualTo(new Reads(16, 7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(DISTINCT PAIRS(SELF))", "(DISTINCT PAIRS(SELF))/(type, name)"})
    void or_withALimit_isNotDearerWithOneMoreIndex(String indexes) {
        create(indexes.split("/"));

        assertThat(reads("SELECT * FROM t WHERE (type = 'odd' AND name LIKE '%00%') OR n > 9 LIMIT 7"))
                .isEqualTo(new Reads(7, 7));
    }

    @Test
    void orderWithALimit_readsAllAlternatives() {
        create("(city)", "(n)");

        assertThat(tester.rows("SELECT RAW n FROM t WHERE n < 3 OR city = 'c1' ORDER BY n DESC LIMIT 2"))
                .containsExactly("361", "321");
    }

    @Test
    void changesByOr_readAllKeysFirst() {
        create("(city)", "(n)");

        assertThat(reads("UPDATE t SET n = n + 1000 WHERE city = 'c1' OR n >= 20")
                        .keys())
                .isEqualTo(10 + DOCUMENTS - 20);
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE n BETWEEN 1000 AND 1399"))
                .containsExactly("381");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t")).containsExactly("400");
    }

    @Test
    void changesWithALimit_readNoMoreThanIt() {
        create("(city)", "(n)", "(DISTINCT ARRAY tag FOR tag IN tags END)");

        assertThat(reads("DELETE FROM t WHERE n >= 380 OR city = 'c3' LIMIT 25"))
                .isEqualTo(new Reads(25, 25));
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t")).containsExactly("375");
        assertThat(reads("UPDATE t SET m = 1 WHERE n >= 100 LIMIT 30 OFFSET 5")).isEqualTo(new Reads(35, 35));
        assertThat(tester.rows("SELECT RAW n FROM t WHERE m = 1 AND n >= 0"))
                .hasSize(30)
                .contains("105", "134");
        assertThat(reads("UPDATE t SET m = 2 WHERE ANY tag IN tags SATISFIES tag >= 't' END LIMIT 3")
                        .documents())
                .isEqualTo(3);
        assertThat(reads("DELETE FROM t LIMIT 7")).isEqualTo(new Reads(7, 7));
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t")).containsExactly("368");
    }

    /** Entries of changed documents move ahead of the scan, where it meets them again. */
    @Test
    void changesWithALimit_changeADocumentOnce() {
        create("(city)", "(n)");

        assertThat(tester.rows("UPDATE t SET n = n + 1000 WHERE n >= 0 AND deep.flag LIMIT 900 RETURNING META().id"))
                .hasSize(100)
                .doesNotHaveDuplicates();
        assertThat(tester.rows("UPDATE t SET n = n + 2000, city = 'c9' WHERE (n >= 0 OR city = 'c8') AND type = 'odd'"
                        + " LIMIT 900 RETURNING META().id"))
                .hasSize(200)
                .doesNotHaveDuplicates();
        assertThat(tester.rows("SELECT RAW SUM(n) FROM t"))
                .containsExactly(String.valueOf(400 * 399 / 2 + 100 * 1000 + 200 * 2000));
    }

    @Test
    void notEqual_readsBothSides() {
        create("(n)");

        assertThat(reads("SELECT * FROM t WHERE n != 5 AND n < 10").documents()).isEqualTo(9);
        assertThat(reads("SELECT * FROM t WHERE NOT (n >= 4)").documents()).isEqualTo(4);
        assertThat(reads("SELECT * FROM t WHERE n NOT IN [1, 2] AND n < 4").documents())
                .isEqualTo(2);
        assertThat(reads("SELECT * FROM t WHERE n NOT BETWEEN 2 AND 398").documents())
                .isEqualTo(3);
    }

    @Test
    void twoIndexes_areIntersected() {
        create("(city)", "(DISTINCT ARRAY v FOR v IN tags END)");

        assertThat(reads("SELECT * FROM t WHERE city = 'c3' AND ANY v IN tags SATISFIES v = 't3' END")
                        .documents())
                .isLessThanOrEqualTo(8);
    }

    /** A scan that ends early is not taken for one that reads everything because two indexes could be intersected. */
    @Test
    void indexInTheWantedOrder_staysWhenTwoOthersCouldBeIntersected() {
        for (int i = 0; i < 90; i++) {
            keyspace.put(
                    "r" + i, "{\"kind\": \"r\", \"name\": \"%02d\", \"group\": %d}".formatted(i, i % 8 == 7 ? 1 : 2));
        }
        for (int i = 0; i < 60; i++) {
            keyspace.put("other" + i, "{\"group\": 1}");
        }
        String query = "SELECT * FROM t WHERE kind = 'r' AND `group` = 1 ORDER BY name LIMIT 2";
        tester.rows("CREATE INDEX by_kind_and_name ON t(kind, name)");
        Reads inOrder = reads(query);

        tester.rows("CREATE INDEX pairs ON t(DISTINCT PAIRS({kind, `group`}))");

        assertThat(reads(query).cost()).isLessThanOrEqualTo(inOrder.cost());
    }

    /** Two fields may depend on each other; an index of both has counted that. */
    @Test
    void indexOfTwoFields_tellsHowManyDocumentsTheirOwnIndexesHaveInCommon() {
        for (int i = 0; i < 60; i++) {
            keyspace.put("r" + i, "{\"a\": 1, \"b\": 1}");
        }
        String query = "SELECT * FROM t WHERE a = 1 AND b = 1";
        tester.rows("CREATE INDEX both ON t(a, b)");
        Reads both = reads(query);

        create("(a)", "(b)");

        assertThat(reads(query)).isEqualTo(both);
    }

    @Test
    void elements_areFoundThroughUnnestAndFlattenedKeys() {
        create("(DISTINCT ARRAY v FOR v IN tags END)", "(DISTINCT ARRAY FLATTEN_KEYS(p.x, p.y) FOR p IN parts END)");

        assertThat(reads("SELECT t.name FROM t UNNEST t.tags AS v WHERE v = 't3'"))
                .isEqualTo(new Reads(8, 8));
        assertThat(reads("SELECT * FROM t WHERE ANY p IN parts SATISFIES p.x = 3 AND p.y < 50 END"))
                .isEqualTo(new Reads(5, 5));
        assertThat(reads("SELECT * FROM t WHERE ANY p IN parts SATISFIES p.x = 3 END")
                        .documents())
                .isEqualTo(40);
        assertThat(reads("SELECT t.name FROM t LEFT UNNEST t.tags AS v WHERE v = 't3'")
                        .documents())
                .isEqualTo(DOCUMENTS);
    }

    @Test
    void withinAnArray_isFoundByAnIndexOfTheSame() {
        create("(DISTINCT ARRAY v FOR v WITHIN tags END)");

        assertThat(reads("SELECT * FROM t WHERE ANY v WITHIN tags SATISFIES v = 't3' END")
                        .documents())
                .isEqualTo(8);
        assertThat(reads("SELECT * FROM t WHERE 't3' WITHIN tags").documents()).isEqualTo(8);
        assertThat(reads("SELECT * FROM t WHERE 't3' IN tags").documents()).isEqualTo(DOCUMENTS);
    }

    @Test
    void partialAndFunctionalIndexes_cover() {
        create("(city) WHERE type = 'even'", "(LOWER(name))", "(n) WHERE deep.flag = true AND n > 10");

        assertThat(reads("SELECT city, type FROM t WHERE type = 'even' AND city = 'c2'"))
                .isEqualTo(new Reads(10, 0));
        assertThat(reads("SELECT META().id, LOWER(name) AS l FROM t WHERE LOWER(name) < 'name 003'"))
                .isEqualTo(new Reads(3, 0));
        assertThat(reads("SELECT n, deep.flag FROM t WHERE deep.flag = true AND n > 10 AND n < 20")
                        .documents())
                .isZero();
        assertThat(reads("SELECT name FROM t WHERE LOWER(name) = 'name 003'").documents())
                .isOne();
    }

    @Test
    void keys_areEnoughForQueriesOfTheKey() {
        assertThat(reads("SELECT META().id FROM t WHERE META().id > 'k390'")).isEqualTo(new Reads(9, 0));
        assertThat(reads("SELECT META().id FROM t WHERE META().id LIKE 'k00%'")).isEqualTo(new Reads(10, 0));
        assertThat(reads("SELECT * FROM t ORDER BY META().id LIMIT 10 OFFSET 2"))
                .isEqualTo(new Reads(12, 12));
        assertThat(reads("SELECT * FROM t ORDER BY META().id DESC LIMIT 10")).isEqualTo(new Reads(10, 10));
        assertThat(reads("SELECT * FROM t WHERE META().id > 'k1' ORDER BY META().id LIMIT 5")
                        .documents())
                .isEqualTo(5);
        assertThat(tester.rows("SELECT RAW META().id FROM t ORDER BY META().id DESC LIMIT 2 OFFSET 1"))
                .containsExactly("\"k398\"", "\"k397\"");
    }

    @Test
    void count_isAskedOfTheIndex() {
        create("(city, n)", "(name)");

        Reads none = new Reads(0, 0);
        assertThat(reads("SELECT COUNT(*) FROM t")).isEqualTo(none);
        assertThat(reads("SELECT COUNT(*) FROM t WHERE META().id LIKE 'k1%'")).isEqualTo(none);
        assertThat(reads("SELECT COUNT(*) FROM t WHERE city = 'c1' AND n > 100"))
                .isEqualTo(none);
        assertThat(reads("SELECT COUNT(1) FROM t WHERE name LIKE 'Name 0%'")).isEqualTo(none);
        assertThat(reads("SELECT COUNT(*) FROM t WHERE city != 'c1'")).isEqualTo(none);
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE META().id LIKE 'k1%'"))
                .containsExactly("100");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE META().id LIKE 'k1_1'"))
                .containsExactly("10");
        assertThat(reads("SELECT COUNT(*) FROM t WHERE META().id LIKE 'k1_1'")).isEqualTo(new Reads(100, 0));
    }

    @Test
    void count_readsWhatTheRangeDoesNotDecide() {
        create("(city, n)");
        keyspace.put("a", "{\"city\":[1,null],\"n\":1}");
        keyspace.put("b", "{\"city\":\"cx\",\"n\":9007199254740993}");

        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE city = [1, null]"))
                .containsExactly("0");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE city LIKE 'c_'"))
                .containsExactly("101");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE city > 'c' AND n = 7"))
                .containsExactly("1");
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t WHERE city = 'cx' AND n > 9007199254740993"))
                .containsExactly("0");
    }

    @Test
    void limit_withAnOrderOfTheEntry_readsOnlyTheFirstDocuments() {
        create("(city, n)", "(type, name)");

        assertThat(reads("SELECT * FROM t WHERE city > 'c' ORDER BY n DESC LIMIT 5"))
                .isEqualTo(new Reads(DOCUMENTS, 5));
        assertThat(reads("SELECT * FROM t WHERE type = 'odd' ORDER BY name LIMIT 5"))
                .isEqualTo(new Reads(5, 5));
        assertThat(tester.rows("SELECT RAW n FROM t WHERE city > 'c' ORDER BY n DESC LIMIT 2 OFFSET 1"))
                .containsExactly("398", "397");
    }

    /** Random sets of indexes: one more never raises the cost of what is read, and never changes a result. */
    @Test
    void oneMoreIndex_neverRaisesTheReads() {
        List<String> all = List.of(
                "(type)",
                "(city)",
                "(n)",
                "(name)",
                "(type, city)",
                "(city, n)",
                "(n, city)",
                "(LOWER(name))",
                "(city) WHERE type = 'even'",
                "(n) WHERE deep.flag = true",
                "(DISTINCT ARRAY v FOR v IN tags END)",
                "(type, city, n, name)");
        List<String> queries = List.of(
                "SELECT * FROM t WHERE type = 'even'",
                "SELECT * FROM t WHERE type = 'even' AND city = 'c2'",
                "SELECT * FROM t WHERE city = 'c2' AND n > 300",
                "SELECT * FROM t WHERE city = 'c2' OR n = 300",
                "SELECT type, city FROM t WHERE type = 'even' AND city > 'c2'",
                "SELECT name FROM t WHERE LOWER(name) < 'name 01' AND type = 'odd'",
                "SELECT * FROM t WHERE deep.flag = true AND n BETWEEN 10 AND 50",
                "SELECT * FROM t WHERE ANY v IN tags SATISFIES v = 't3' END AND type = 'odd'",
                "SELECT t.n FROM t UNNEST t.tags AS v WHERE v = 't3' AND t.city != 'c3'",
                "SELECT n FROM t WHERE type = 'even' ORDER BY n",
                "SELECT RAW IFMISSING(long, 1) FROM t WHERE city = 'c2' OR n >= 30 LIMIT 5",
                "SELECT RAW IFMISSING(long, 1) FROM t WHERE (city > 'c2' OR n >= 30) AND type = 'even' LIMIT 5",
                "SELECT COUNT(*) AS c FROM t WHERE city = 'c2' AND n > 100");
        Random random = new Random(7);
        for (int round = 0; round < 12; round++) {
            List<String> order = new ArrayList<>(all);
            Collections.shuffle(order, random);
            List<Long> before = new ArrayList<>(Collections.nCopies(queries.size(), Long.MAX_VALUE));
            List<List<String>> expected = queries.stream().map(this::sorted).toList();
            for (int i = 0; i < 5; i++) {
                tester.rows("CREATE INDEX p" + i + " ON t" + order.get(i));
                for (int q = 0; q < queries.size(); q++) {
                    String query = queries.get(q);
                    long cost = reads(query).cost();
                    assertThat(cost).as(query + order.subList(0, i + 1)).isLessThanOrEqualTo(before.get(q));
                    assertThat(sorted(query)).as(query).isEqualTo(expected.get(q));
                    before.set(q, cost);
                }
            }
            for (int i = 0; i < 5; i++) {
                tester.rows("DROP INDEX p" + i + " ON t");
            }
        }
    }

    private List<String> sorted(String query) {
        return tester.rows(query).stream().sorted().toList();
    }
}
