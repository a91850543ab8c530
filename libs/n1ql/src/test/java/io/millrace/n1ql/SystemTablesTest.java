package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.n1ql.keyspace.AtomicChange;
import io.millrace.n1ql.keyspace.FunctionDefinition;
import io.millrace.n1ql.keyspace.Keyspace;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceStore;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.StatementRights;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine shows of its requests and of the catalog, and what INFER finds. */
class SystemTablesTest {

    private static final int MOST = 3;

    private final MemoryKeyspaces keyspaces = new MemoryKeyspaces();
    private final List<CompletedRequest> told = new ArrayList<>();
    private final QueryEngine engine = new QueryEngine(
            keyspaces,
            InstantSource.system(),
            QueryEngine.MemoryWatch.NONE,
            new SlowRequests(Duration.ZERO, MOST, told::add),
            Admission.NONE);

    @BeforeEach
    void keyspaces() {
        keyspaces.create("orders");
        rows("CREATE PRIMARY INDEX ON orders");
        told.clear();
    }

    private List<String> rows(String statement) {
        return rows(engine, statement, QueryOptions.DEFAULT);
    }

    private static List<String> rows(QueryEngine engine, String statement, QueryOptions options) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, options)) {
            for (var row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    @Test
    void completedRequest_isShownWithWhatItDid() {
        rows("UPSERT INTO orders VALUES (\"a\", {\"n\": 1}), (\"b\", {\"n\": 2})");

        assertThat(rows("SELECT statement, state, mutationCount, resultCount, errorCount FROM system:completed_requests"
                        + " WHERE statement LIKE 'UPSERT%'"))
                .singleElement()
                .asString()
                .contains("\"state\":\"completed\"", "\"mutationCount\":2", "\"resultCount\":0", "\"errorCount\":0");
    }

    @Test
    void failedRequest_isShownWithItsError() {
        assertThatThrownBy(() -> rows("SELECT RAW $missing")).isInstanceOf(QueryException.class);
        assertThatThrownBy(() -> rows("SELECT * FROM nowhere")).isInstanceOf(QueryException.class);

        assertThat(rows("SELECT RAW state || ' ' || SUBSTR(errors[0], 0, 5) FROM system:completed_requests"
                        + " WHERE state = 'errors'"))
                .containsExactly("\"errors 5010 \"", "\"errors 12003\"");
    }

    @Test
    void rowsThatAreNotRead_closeTheRequest() {
        try (Rows cursor = engine.execute("SELECT RAW x FROM [1, 2, 3] x", QueryOptions.DEFAULT)) {
            cursor.next();
        }

        assertThat(told).singleElement().satisfies(request -> {
            assertThat(request.state()).isEqualTo("closed");
            assertThat(request.rows()).isEqualTo(1);
        });
    }

    @Test
    void onlyTheLatestRequests_areKept_andCanBeDeleted() {
        for (int i = 0; i < MOST + 2; i++) {
            rows("SELECT RAW " + i);
        }

        assertThat(rows("SELECT RAW statement FROM system:completed_requests"))
                .containsExactly("\"SELECT RAW 2\"", "\"SELECT RAW 3\"", "\"SELECT RAW 4\"");
        rows("DELETE FROM system:completed_requests WHERE statement = 'SELECT RAW 4'");
        assertThat(rows("SELECT RAW statement FROM system:completed_requests")).doesNotContain("\"SELECT RAW 4\"");
    }

    @Test
    void longStatement_isKeptInPart() {
        rows("SELECT RAW '" + "x".repeat(1 << 20) + "'");

        assertThat(told)
                .singleElement()
                .satisfies(request -> assertThat(request.statement())
                        .hasSize(16 << 10)
                        .startsWith("SELECT RAW 'xx")
                        .endsWith("xx..."));
        assertThat(rows("SELECT RAW LENGTH(statement) FROM system:completed_requests"))
                .contains("16384");
    }

    @Test
    void fastRequest_isNotKept() {
        QueryEngine patient = new QueryEngine(
                keyspaces,
                InstantSource.system(),
                QueryEngine.MemoryWatch.NONE,
                new SlowRequests(Duration.ofHours(1), MOST, told::add),
                Admission.NONE);

        rows(patient, "SELECT 1", QueryOptions.DEFAULT);

        assertThat(rows(patient, "SELECT * FROM system:completed_requests", QueryOptions.DEFAULT))
                .isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void runningRequest_showsItself() {
        assertThat(rows("SELECT RAW state FROM system:active_requests")).containsExactly("\"running\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "buckets | orders", "scopes | _default", "all_scopes | _default", "keyspaces | orders",
                "all_keyspaces | orders", "namespaces | default", "datastores | millrace", "indexes | #primary",
                "nodes | n1ql", "my_user_info | anna", "my_user_info | {\"role\":\"admin\"}", "dual | null",
            })
    void table_hasWhatToolsAsk(String table, String shown) {
        QueryOptions options = QueryOptions.DEFAULT.withRights(new Anna());

        assertThat(rows(engine, "SELECT t.* FROM system:" + table + " t", options)
                                .toString()
                        + rows(engine, "SELECT RAW META(t).id FROM system:" + table + " t", options)
                        + rows(engine, "SELECT RAW t FROM system:" + table + " t", options))
                .contains(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"functions", "dictionary", "dictionary_cache", "tasks_cache", "group_info", "transactions"})
    void tableWithoutEntries_isEmpty(String table) {
        assertThat(rows("SELECT * FROM system:" + table)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing | Keyspace not found in CB datastore: system:nothing",
                "vital | Keyspace not found in CB datastore: system:vital; did you mean vitals?",
                "aus | There is no system:aus: statistics are neither gathered nor kept",
                "aus_settings | There is no system:aus_settings: statistics are neither",
                "awr | There is no system:awr: workload reports are not made; system:completed_requests has",
                "completed_requests_history | completed requests are not written to files;",
                "user_info | The process that runs this statement does not know the users; send",
                "bucket_info | does not know the settings of buckets; send the statement to the query service",
            })
    void tableThatIsNotThere_isRefusedWithTheReason(String table, String reason) {
        assertThatThrownBy(() -> rows("SELECT * FROM system:" + table)).hasMessageContaining(reason);
    }

    @Test
    void functions_tellTheUserAndTheProcess() {
        QueryOptions options = QueryOptions.DEFAULT.withRights(new Anna());

        assertThat(rows(engine, "SELECT RAW CURRENT_USERS()", options)).containsExactly("[\"local:anna\"]");
        assertThat(rows("SELECT RAW NODE_NAME()")).isEqualTo(rows("SELECT RAW n.name FROM system:nodes n"));
    }

    @Test
    void vitals_countRequestsAndTheirTimes() {
        rows("SELECT 1");

        String statement = "SELECT v.`request.completed.count` AS ended, v.`request.active.count` AS active,"
                + " STR_TO_DURATION(v.`request_time.99percentile`) >= STR_TO_DURATION(v.`request_time.median`) AS ordered,"
                + " STR_TO_DURATION(v.uptime) > 0 AS up, v.cores > 0 AND v.`memory.usage` > 0 AS sized"
                + " FROM system:vitals v";
        assertThat(rows(statement))
                .containsExactly("{\"ended\":2,\"active\":1,\"ordered\":true,\"up\":true,\"sized\":true}");
        assertThat(rows(statement)).singleElement().asString().startsWith("{\"ended\":3,");
    }

    @Test
    void transaction_isListedWhileItsRequestRuns() {
        String statement = "SELECT t.id = META(t).id AS same, t.isolationLevel, t.expiryTime > t.startTime AS ends"
                + " FROM system:transactions t";

        QueryOptions options = QueryOptions.DEFAULT.withTimeout(Duration.ofMinutes(10));
        assertThat(rows(engine, "BEGIN WORK; " + statement + "; COMMIT", options))
                .containsExactly("[{\"same\":true,\"isolationLevel\":\"READ COMMITTED\",\"ends\":true}]");
        assertThat(rows(statement)).isEmpty();
    }

    @Test
    void transaction_isEndedByItsDeletion() {
        QueryEngine stuck = new QueryEngine(new Stuck(keyspaces), InstantSource.system());
        CompletableFuture<List<String>> waiting = CompletableFuture.supplyAsync(
                () -> rows(stuck, "BEGIN WORK; UPSERT INTO orders VALUES ('a', 1); COMMIT", QueryOptions.DEFAULT));
        await().until(() -> rows(stuck, "SELECT 1 FROM system:transactions", QueryOptions.DEFAULT)
                        .size()
                == 1);

        rows(stuck, "DELETE FROM system:transactions", QueryOptions.DEFAULT);

        assertThatThrownBy(waiting::join)
                .cause()
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.CANCELLED));
    }

    /** Never says that changes are written. */
    private record Stuck(KeyspaceStore store) implements KeyspaceStore {

        @Override
        public @Nullable Keyspace keyspace(KeyspaceName name) {
            return store.keyspace(name);
        }

        @Override
        public List<KeyspaceName> names() {
            return store.names();
        }

        @Override
        public CompletableFuture<AtomicChange.Outcome> changeAll(List<AtomicChange> changes) {
            return new CompletableFuture<>();
        }
    }

    private static final class Anna implements StatementRights {
        @Override
        public boolean managesFunction(FunctionDefinition.Name name) {
            return false;
        }

        @Override
        public boolean allows(Need need, KeyspaceName name) {
            return true;
        }

        @Override
        public boolean shows(KeyspaceName name) {
            return true;
        }

        @Override
        public boolean allowsSystem() {
            return true;
        }

        @Override
        public boolean showsUsers() {
            return true;
        }

        @Override
        public User user() {
            return new User("local", "anna", "", List.of(new Role("admin", Map.of())));
        }
    }

    @Test
    void infer_findsTheKindsOfDocuments() {
        for (int i = 0; i < 20; i++) {
            rows("UPSERT INTO orders VALUES (\"a" + i + "\", {\"type\": \"airline\", \"name\": \"n" + i
                    + "\", \"fleet\": [1, \"x\"]})");
            rows("UPSERT INTO orders VALUES (\"h" + i + "\", {\"type\": \"hotel\", \"geo\": {\"lat\": 1.5}, \"rooms\": "
                    + (i % 2 == 0 ? i : "null") + "})");
        }

        String found = rows("INFER orders").getFirst();

        assertThat(found)
                .startsWith("[{\"#docs\":20,")
                .contains("\"Flavor\":\"`type` = \\\"airline\\\"\"", "\"Flavor\":\"`type` = \\\"hotel\\\"\"")
                .contains(
                        "\"fleet\":{\"#docs\":20,\"%docs\":100,\"items\":{\"type\":[\"number\",\"string\"]},\"type\":\"array\"}")
                .contains("\"properties\":{\"lat\":{\"#docs\":20,\"%docs\":100,\"samples\":[1.5],\"type\":\"number\"}}")
                .contains("\"type\":[\"null\",\"number\"]");
        assertThat(rows("INFER orders WITH {\"sample_size\": 4, \"num_sample_values\": 1}")
                        .getFirst())
                .contains("\"#docs\":");
        assertThatThrownBy(() -> rows("INFER orders WITH {\"sample_size\": \"x\"}"))
                .hasMessageContaining("sample_size");
    }
}
