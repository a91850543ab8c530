package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.QueryCall;
import io.millrace.worker.report.Counters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries of a handler have the rights of the function's owner. */
class QueryRunnerTest {

    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private QueryRunner queries = runner(List.of("admin"));

    private QueryRunner runner(List<String> roles) {
        return new QueryRunner(new QueryBinding(store, new Counters(), 10, roles, InstantSource.system()));
    }

    private void ownerHas(String... roles) {
        queries.close();
        queries = runner(List.of(roles));
    }

    @BeforeEach
    void buckets() throws HostFailure {
        store.catalog().createBucket("mine", 1).join();
        store.catalog().createBucket("theirs", 1).join();
        run("CREATE PRIMARY INDEX ON mine");
        run("CREATE PRIMARY INDEX ON theirs");
    }

    @AfterEach
    void close() {
        queries.close();
    }

    private String run(String statement) throws HostFailure {
        QueryCall call = new QueryCall(
                QueryCall.Service.QUERY,
                statement,
                "{}".getBytes(StandardCharsets.UTF_8),
                "[]".getBytes(StandardCharsets.UTF_8),
                "");
        QueryCall.QueryRows rows = queries.begin(call, null, System.nanoTime() + PATIENCE_NANOS);
        StringBuilder all = new StringBuilder();
        for (byte[] row = rows.next(); row != null; row = rows.next()) {
            all.append(new String(row, StandardCharsets.UTF_8));
        }
        return all.toString();
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
}
