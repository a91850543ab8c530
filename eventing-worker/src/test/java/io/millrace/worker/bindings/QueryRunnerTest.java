package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Keyspace;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.QueryCall;
import io.millrace.worker.Samples;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of a handler have the rights of the function's owner. */
class QueryRunnerTest {

    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private QueryRunner queries = runner(List.of("admin"));

    private QueryRunner runner(List<String> roles) {
        return new QueryRunner(new QueryBinding(
                store,
                new Counters(),
                10,
                roles,
                List.of(alias("mine", "_default", true), alias("shown", "*", false)),
                InstantSource.system()));
    }

    private static WorkerSetup.Alias alias(String bucket, String scopesAndCollections, boolean writable) {
        return new WorkerSetup.Alias(bucket, bucket, scopesAndCollections, scopesAndCollections, writable);
    }

    private void ownerHas(String... roles) {
        queries.close();
        queries = runner(List.of(roles));
    }

    @BeforeEach
    void buckets() throws HostFailure {
        store.catalog().createBucket("mine", 1).join();
        store.catalog().createBucket("theirs", 1).join();
        store.catalog().createBucket("shown", 1).join();
        store.catalog().createScope("shown", "eu").join();
        store.catalog().createCollection(new Keyspace("shown", "eu", "things")).join();
        run("CREATE PRIMARY INDEX ON mine");
        run("CREATE PRIMARY INDEX ON theirs");
        run("CREATE PRIMARY INDEX ON shown.eu.things");
    }

    @AfterEach
    void close() {
        queries.close();
    }

    private String run(String statement) throws HostFailure {
        return run(statement, false, "{}");
    }

    private String runForEveryone(String statement) throws HostFailure {
        return run(statement, true, "{}");
    }

    private String run(String statement, boolean isPublic, String parameters) throws HostFailure {
        return run(statement, isPublic, parameters, invocation());
    }

    private static Invocation invocation() {
        return new Invocation(Samples.event("e", 1, 0), System.nanoTime() + PATIENCE_NANOS);
    }

    private String run(String statement, boolean isPublic, String parameters, Invocation by) throws HostFailure {
        QueryCall call = new QueryCall(
                QueryCall.Service.QUERY,
                statement,
                parameters.getBytes(StandardCharsets.UTF_8),
                "[]".getBytes(StandardCharsets.UTF_8),
                "");
        QueryCall.QueryRows rows = queries.begin(call, isPublic, null, by);
        StringBuilder all = new StringBuilder();
        for (byte[] row = rows.next(); row != null; row = rows.next()) {
            all.append(new String(row, StandardCharsets.UTF_8));
        }
        return all.toString();
    }

    @Test
    void statementThatFindsTheStoreAway_isAnOutageToItsInvocation() {
        FaultyStore away = new FaultyStore().fates(() -> FaultyStore.Fate.LOST);
        queries.close();
        queries = new QueryRunner(
                new QueryBinding(away, new Counters(), 10, List.of("admin"), List.of(), InstantSource.system()));
        Invocation by = invocation();

        assertThatThrownBy(() -> run("UPSERT INTO target VALUES ('a', 1)", false, "{}", by))
                .isInstanceOf(HostFailure.class);

        assertThat(by.outage()).isEqualTo(StoreOutage.away("Redis does not answer."));
    }

    @Test
    void aRoleOnOneBucket_opensNoOther() throws HostFailure {
        ownerHas("query_select[mine]", "query_insert[mine]");

        run("INSERT INTO mine VALUES ('a', 1)");
        assertThat(run("SELECT RAW m FROM mine m")).isEqualTo("1");
        assertThatThrownBy(() -> run("SELECT RAW t FROM theirs t"))
                .isInstanceOf(HostFailure.class)
                .hasMessageContaining("theirs");
        assertThatThrownBy(() -> run("DELETE FROM mine")).isInstanceOf(HostFailure.class);
        assertThat(run("SELECT RAW k FROM system:keyspaces k")).contains("mine").doesNotContain("theirs");
    }

    @Test
    void anOwnerWithoutRoles_mayDoNothing() {
        ownerHas();

        assertThatThrownBy(() -> run("SELECT RAW m FROM mine m")).isInstanceOf(HostFailure.class);
    }

    private void refused(String statement, String parameters) {
        assertThatThrownBy(() -> run(statement, true, parameters))
                .as(statement)
                .isInstanceOf(HostFailure.class)
                .hasMessageContaining("request_access")
                .hasMessageContaining("add a binding");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT RAW t FROM theirs t | {}",
                "SELECT RAW (SELECT RAW t FROM theirs t) FROM mine m | {}",
                "SELECT RAW t FROM $k t | {\"k\": \"theirs\"}",
                "INSERT INTO mine (KEY k, VALUE t) SELECT META(t).id AS k, t FROM theirs t | {}",
                "DELETE FROM theirs | {}",
                "UPDATE shown SET a = 1 | {}",
                "EXPLAIN SELECT RAW t FROM theirs t | {}",
                "INFER theirs | {}",
                "CREATE INDEX i ON mine(a) | {}",
                "CREATE FUNCTION f() {1} | {}",
                "CREATE SCOPE mine.s | {}",
                "CREATE COLLECTION theirs.s.c | {}",
                "SELECT NEXTVAL FOR mine._default.counter | {}",
                "SELECT * FROM system:completed_requests | {}",
                "SELECT RAW n FROM absent n | {}"
            })
    void requestToAPublicFunction_reachesOnlyItsBindings(String statement, String parameters) throws HostFailure {
        run("INSERT INTO mine VALUES ('a', 1)");

        refused(statement, parameters);
    }

    @Test
    void requestToAPublicFunction_usesItsBindingsAsTheyAllow() throws HostFailure {
        runForEveryone("INSERT INTO mine VALUES ('a', 1)");

        assertThat(runForEveryone("SELECT RAW m FROM mine m")).isEqualTo("1");
        assertThat(runForEveryone("SELECT RAW s FROM shown.eu.things s")).isEmpty();
        assertThat(runForEveryone("SELECT RAW k FROM system:keyspaces k"))
                .contains("mine", "shown")
                .doesNotContain("theirs");
    }

    @Test
    void requestToAPublicFunction_mayDoWhatTheStatementsInItsCodeDo() throws HostFailure {
        run("INSERT INTO theirs VALUES ('a', 1)");
        queries.runs(List.of("SELECT RAW t FROM theirs t WHERE t > 0"));

        assertThat(runForEveryone("SELECT RAW t FROM theirs t WHERE t > 0")).isEqualTo("1");
        refused("DELETE FROM theirs", "{}");
        queries.runs(List.of("DELETE FROM theirs WHERE a = 1"));
        runForEveryone("DELETE FROM theirs WHERE a = 1");
        refused("SELECT RAW t FROM theirs t WHERE t > 0", "{}");
    }

    @Test
    void requestToAPublicFunction_hasNoMoreRightsThanItsOwner() {
        ownerHas("query_select[mine]");

        assertThatThrownBy(() -> runForEveryone("DELETE FROM mine")).isInstanceOf(HostFailure.class);
    }
}
