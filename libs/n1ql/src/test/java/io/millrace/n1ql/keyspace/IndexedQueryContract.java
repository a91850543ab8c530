package io.millrace.n1ql.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.SpillingEngine;
import io.millrace.n1ql.value.Value;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries by secondary indexes, in every {@link KeyspaceStore}: they answer what a scan of all documents answers. */
public abstract class IndexedQueryContract {

    private KeyspaceStore store;
    private QueryEngine engine;
    /** Sees no secondary index. */
    private QueryEngine plain;

    /** Keeps almost nothing in memory. */
    private QueryEngine spilling;

    /** The first seed, and how many, as properties: {@code -Dmillrace.n1ql.seed=5 -Dmillrace.n1ql.seeds=10000}. */
    private static final long SEED = Long.getLong("millrace.n1ql.seed", 20260102);

    private static final int SEEDS = Integer.getInteger("millrace.n1ql.seeds", 16);

    private static final int QUERIES_PER_SEED = 10;

    private final Random random = new Random(SEED);
    private final RandomQueries queries = new RandomQueries(random);

    /** Returns a store with an empty keyspace, the default collection of the bucket that {@link #bucket} names. */
    protected abstract KeyspaceStore open();

    protected abstract String bucket();

    @BeforeEach
    void start() {
        store = open();
        engine = new QueryEngine(store, InstantSource.system());
        plain = new QueryEngine(new Plain(store), InstantSource.system());
        spilling = SpillingEngine.over(store);
        rows("CREATE PRIMARY INDEX ON t");
    }

    private List<String> rows(String statement) {
        return rows(engine, statement, QueryOptions.DEFAULT);
    }

    private List<String> rows(QueryEngine by, String statement, QueryOptions options) {
        return values(by, statement, options).stream().map(Value::toJson).toList();
    }

    private List<Value> values(QueryEngine by, String statement, QueryOptions options) {
        List<Value> rows = new ArrayList<>();
        try (Rows cursor = by.execute(onBucket(statement), options)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row);
            }
        }
        return rows;
    }

    private String onBucket(String statement) {
        String name = "`" + bucket() + "`";
        return statement
                .replaceAll("(FROM|UPDATE) t\\b", "$1 " + name + " t")
                .replaceAll("(ON|INTO) t\\b", "$1 " + name);
    }

    private String plan(String statement) {
        return rows("EXPLAIN " + statement).getFirst();
    }

    private void put(String key, String body) {
        rows(
                engine,
                "UPSERT INTO t VALUES ($k, $b)",
                QueryOptions.DEFAULT.withNamed(Map.of(
                        "k", Value.of(key), "b", Objects.requireNonNull(io.millrace.n1ql.value.Json.parse(body)))));
    }

    // ---- the same answers

    @Test
    void randomQueries_answerWhatAScanAnswers() {
        rows("CREATE INDEX a ON t(a)");
        rows("CREATE INDEX ab ON t(a, b DESC)");
        rows("CREATE INDEX cd ON t(c.d DESC, a)");
        rows("CREATE INDEX part ON t(b, a) WHERE a > 0");
        rows("CREATE INDEX arr ON t(DISTINCT ARRAY v FOR v IN arr END)");
        rows("CREATE INDEX low ON t(LOWER(b))");
        rows("CREATE INDEX flat ON t(DISTINCT ARRAY FLATTEN_KEYS(v.x, v.y) FOR v IN arr END)");
        rows("CREATE INDEX behind ON t(b, DISTINCT ARRAY v FOR v IN arr END)");
        rows("CREATE INDEX typed ON t(c.d, META().id) WHERE b = 'a'");
        assertThat(compareByIndexes(SEEDS)).isGreaterThan(SEEDS * QUERIES_PER_SEED * 2 / 5);
    }

    @Test
    void randomQueries_byIndexesOfAllFields_answerWhatAScanAnswers() {
        rows("CREATE INDEX pairs ON t(DISTINCT PAIRS(SELF))");
        rows("CREATE INDEX few ON t(DISTINCT PAIRS({'first': a, 'd': c.d})) WHERE a > 0");
        rows("CREATE INDEX behind ON t(b, DISTINCT PAIRS({a, c}))");
        int seeds = (SEEDS + 3) / 4;

        assertThat(compareByIndexes(seeds)).isGreaterThan(seeds * QUERIES_PER_SEED * 2 / 5);
    }

    /** Returns how many of the queries used an index. */
    private int compareByIndexes(int seeds) {
        int indexed = 0;
        for (long seed = SEED; seed < SEED + seeds; seed++) {
            random.setSeed(seed);
            rows("DELETE FROM t");
            changeSome(90);
            for (int i = 0; i < QUERIES_PER_SEED; i++) {
                String query = queries.next();
                compare("seed " + seed, query);
                indexed += plan(query).contains("Scan3\",\"index\"") ? 1 : 0;
            }
        }
        return indexed;
    }

    private void compare(String seed, String query) {
        List<Object> expected = answers(plain, query);
        for (QueryEngine other : List.of(engine, spilling)) {
            List<Object> found = answers(other, query);
            Supplier<String> description =
                    () -> seed + (other == spilling ? ", spilling: " : ": ") + query + plan(query);
            if (query.contains("ORDER BY")) {
                assertThat(found).as(description).isEqualTo(expected);
            } else {
                assertThat(found).as(description).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    /** Of equal values any one may stand for its group, for example 1 or 1.0: those are compared, not their texts. */
    private List<Object> answers(QueryEngine by, String query) {
        return List.copyOf(
                RandomQueries.combinesRows(query)
                        ? values(by, query, QueryOptions.DEFAULT)
                        : rows(by, query, QueryOptions.DEFAULT));
    }

    private void changeSome(int changes) {
        for (int i = 0; i < changes; i++) {
            String key = "k" + random.nextInt(90);
            if (random.nextInt(6) == 0) {
                rows("DELETE FROM t USE KEYS '" + key + "'");
            } else {
                put(key, queries.document());
            }
        }
        rows("UPDATE t SET b = a WHERE a > 1 LIMIT 3");
    }

    // ---- what is used for what

    @Test
    void missingLeadingKey_isNotInTheIndex() {
        rows("CREATE INDEX i ON t(a)");
        put("1", "{\"a\":1}");
        put("2", "{\"b\":1}");
        put("3", "{\"a\":null}");

        assertThat(plan("SELECT META().id FROM t WHERE a IS NOT MISSING")).contains("IndexScan3", "\"covers\"");
        assertThat(rows("SELECT RAW META().id FROM t WHERE a IS NOT MISSING")).containsExactly("\"3\"", "\"1\"");
        assertThat(plan("SELECT META().id FROM t WHERE a IS MISSING")).contains("PrimaryScan3");
        assertThat(plan("SELECT META().id FROM t ORDER BY a")).contains("PrimaryScan3", "Order");
    }

    @Test
    void documentWithoutElements_isFoundByTheKeysBeforeThem() {
        rows("CREATE INDEX i ON t(a, DISTINCT ARRAY v FOR v IN arr END)");
        put("1", "{\"a\":1,\"arr\":[5]}");
        put("2", "{\"a\":1,\"arr\":[]}");
        put("3", "{\"a\":1}");

        assertThat(rows("SELECT RAW META().id FROM t WHERE a = 1 AND 5 IN arr")).containsExactly("\"1\"");
        assertThat(plan("SELECT RAW META().id FROM t WHERE a = 1 AND 5 IN arr")).contains("IndexScan3");
        assertThat(rows("SELECT RAW META().id FROM t WHERE a = 1"))
                .containsExactlyInAnyOrder("\"1\"", "\"2\"", "\"3\"");
    }

    @Test
    void numbersBeyondTheDoubles_areFoundByWhatIsEqual() {
        rows("CREATE INDEX i ON t(a)");
        put("1", "{\"a\":9007199254740993}");
        put("2", "{\"a\":9007199254740992}");
        put("3", "{\"a\":9007199254740992.0}");
        put("4", "{\"a\":9007199254740991}");

        for (String condition : List.of("= 9007199254740992.0", ">= 9007199254740993", "< 9007199254740992.0")) {
            String query = "SELECT RAW META(t).id FROM t WHERE t.a " + condition;
            assertThat(rows(query))
                    .as(condition)
                    .containsExactlyInAnyOrderElementsOf(rows(plain, query, QueryOptions.DEFAULT));
        }
    }

    @Test
    void notBetween_isNeverTrueIfABoundIsNull() {
        rows("CREATE INDEX i ON t(a)");
        put("1", "{\"a\":-5}");

        assertThat(rows("SELECT RAW COUNT(*) FROM t WHERE NOT (t.a BETWEEN 0 AND null)"))
                .containsExactly("0");
        assertThat(rows("SELECT RAW COUNT(*) FROM t WHERE t.a NOT BETWEEN 0 AND 9"))
                .containsExactly("1");
    }

    @Test
    void orderAndLimit_areTakenFromTheIndex() {
        rows("CREATE INDEX i ON t(type, name)");
        for (int i = 0; i < 40; i++) {
            put("k" + i, "{\"type\":\"x\",\"name\":" + i + ",\"more\":1}");
        }

        String query = "SELECT RAW t.name FROM t WHERE t.type = 'x' AND t.more = 1 ORDER BY t.name DESC LIMIT 3";
        assertThat(plan(query)).contains("IndexScan3", "\"reverse\":true").doesNotContain("\"Order\"");
        assertThat(rows(query)).containsExactly("39", "38", "37");
        assertThat(plan("SELECT RAW t.name FROM t WHERE t.type = 'x' ORDER BY t.more"))
                .contains("\"Order\"");
    }

    @Test
    void minAndMax_areTheFirstRowOfTheIndex() {
        rows("CREATE INDEX av ON t(a)");
        rows("CREATE INDEX bcv ON t(b, c DESC)");
        put("none", "{\"b\":1}");
        put("null", "{\"a\":null,\"b\":1,\"c\":null}");
        put("text", "{\"a\":\"x\",\"b\":1,\"c\":7}");
        put("two", "{\"a\":2,\"b\":1,\"c\":9}");
        put("nine", "{\"a\":9,\"b\":2,\"c\":1}");

        for (String query : List.of(
                "SELECT MIN(a) AS m FROM t",
                "SELECT MAX(a) AS m FROM t",
                "SELECT RAW MAX(a) FROM t WHERE a < 9",
                "SELECT MIN(c) AS m FROM t WHERE b = 1",
                "SELECT MAX(c) AS m FROM t WHERE b = 1 ORDER BY m LIMIT 1",
                "SELECT RAW MAX(x) + 1 FROM t LET x = a WHERE a > 1 AND a < 5")) {
            assertThat(rows(query)).as(query).isEqualTo(rows(plain, query, QueryOptions.DEFAULT));
            assertThat(plan(query)).as(query).contains("IndexScan3", "\"#operator\":\"Limit\"");
        }
        assertThat(rows("SELECT RAW MIN(a) FROM t WHERE a > 100 AND a < 200")).containsExactly("null");
        assertThat(rows("SELECT RAW [MIN(a), MAX(a)] FROM t")).containsExactly("[2,\"x\"]");
        assertThat(rows("SELECT RAW MAX(a) FILTER (WHERE b = 2) FROM t")).containsExactly("9");
        assertThat(rows("SELECT RAW MIN(a) FROM t GROUP BY b ORDER BY b")).containsExactly("2", "9");
    }

    @Test
    void parameters_areLookedUpWhenTheStatementRuns() {
        rows("CREATE INDEX i ON t(a)");
        put("1", "{\"a\":1}");
        put("2", "{\"a\":\"1\"}");
        String query = "SELECT RAW META().id FROM t WHERE a = $v";

        assertThat(rows(engine, query, QueryOptions.DEFAULT.withNamed(Map.of("v", Value.of(1L)))))
                .containsExactly("\"1\"");
        assertThat(rows(engine, query, QueryOptions.DEFAULT.withNamed(Map.of("v", Value.of("1")))))
                .containsExactly("\"2\"");
        assertThat(rows(engine, query, QueryOptions.DEFAULT.withNamed(Map.of("v", Value.NULL))))
                .isEmpty();
    }

    @Test
    void withoutPrimaryIndex_anIndexIsEnough() {
        rows("CREATE INDEX i ON t(a)");
        put("1", "{\"a\":1}");
        rows("DROP PRIMARY INDEX ON t");

        assertThat(rows("SELECT RAW t.a FROM t WHERE t.a >= 1")).containsExactly("1");
        assertThatThrownBy(() -> rows("SELECT * FROM t WHERE b = 1"))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.NO_INDEX));
    }

    @Test
    void droppedAndCreated_plansFollow() {
        String query = "SELECT RAW META().id FROM t WHERE a = 1";
        put("1", "{\"a\":1}");
        assertThat(plan(query)).contains("PrimaryScan3");

        rows("CREATE INDEX i ON t(a)");
        assertThat(rows(query)).containsExactly("\"1\"");
        assertThat(plan(query)).contains("IndexScan3");

        rows("DROP INDEX i ON t");
        put("2", "{\"a\":1}");
        assertThat(rows(query)).containsExactly("\"1\"", "\"2\"");
        assertThat(plan(query)).contains("PrimaryScan3");

        rows("CREATE INDEX i ON t(b)");
        rows("DROP INDEX i ON t");
        rows("CREATE INDEX i ON t(a)");
        assertThat(rows(query)).containsExactly("\"1\"", "\"2\"");
    }

    @Test
    void deferredIndex_isNotUsedUntilItIsBuilt() {
        put("1", "{\"a\":1}");
        String query = "SELECT RAW META().id FROM t WHERE a = 1";
        String state = "SELECT RAW state FROM system:indexes WHERE name = 'i' AND keyspace_id = '" + bucket() + "'";

        rows("CREATE INDEX i ON t(a) WITH {\"defer_build\": true}");
        assertThat(rows(state)).containsExactly("\"deferred\"");
        assertThat(plan(query)).contains("PrimaryScan3");

        rows("BUILD INDEX ON t(i)");
        assertThat(rows(state)).containsExactly("\"online\"");
        assertThat(plan(query)).contains("IndexScan3");
        assertThat(rows(query)).containsExactly("\"1\"");
    }

    @Test
    void update_ofTheIndexedField_changesEachDocumentOnce() {
        rows("CREATE INDEX i ON t(n)");
        for (int i = 0; i < 100; i++) {
            put("k" + i, "{\"n\":" + i + "}");
        }

        rows("UPDATE t SET n = n + 10 WHERE n >= 0");

        assertThat(rows("SELECT RAW SUM(n) FROM t")).containsExactly(String.valueOf(100 * 99 / 2 + 1000));
        assertThat(rows("SELECT RAW COUNT(*) FROM t WHERE n >= 100")).containsExactly("10");
    }

    @Test
    void keysThatDependOnMoreThanTheDocument_areRefused() {
        for (String key : List.of("NOW_MILLIS()", "$1", "(SELECT 1)", "RANDOM()")) {
            assertThatThrownBy(() -> rows("CREATE INDEX i ON t(" + key + ")"))
                    .as(key)
                    .isInstanceOfSatisfying(
                            QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.SEMANTICS));
        }
    }

    /** A store whose keyspaces have no secondary indexes. */
    private record Plain(KeyspaceStore store) implements KeyspaceStore {

        @Override
        public @Nullable Keyspace keyspace(KeyspaceName name) {
            Keyspace keyspace = store.keyspace(name);
            return keyspace == null
                    ? null
                    : (Keyspace) Proxy.newProxyInstance(
                            Keyspace.class.getClassLoader(), new Class<?>[] {Keyspace.class}, (proxy, method, args) -> {
                                Object answer = method.invoke(keyspace, args);
                                return method.getName().equals("indexes")
                                        ? keyspace.indexes().stream()
                                                .filter(IndexDefinition::primary)
                                                .toList()
                                        : answer;
                            });
        }

        @Override
        public List<KeyspaceName> names() {
            return store.names();
        }
    }
}
