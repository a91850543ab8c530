package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Memory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Long statements wait for their turn, short ones do not. */
class AdmissionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration NEVER = Duration.ofDays(1);
    /** Looks at its turn every few hundred rows, and never ends by itself. */
    private static final String LONG =
            "SELECT RAW COUNT(*) FROM ARRAY_RANGE(0, 2000) a, ARRAY_RANGE(0, 2000) b WHERE a + b = $n";

    private final Admission admission = new Admission(1, Duration.ZERO, NEVER);

    private static QueryEngine engine(Admission admission) {
        return new QueryEngine(
                new MemoryKeyspaces(),
                InstantSource.system(),
                QueryEngine.MemoryWatch.NONE,
                SlowRequests.DEFAULT,
                admission);
    }

    private final QueryEngine engine = engine(admission);

    private Rows holder() {
        Rows rows = engine.execute("SELECT RAW x FROM ARRAY_RANGE(0, 1000) x", QueryOptions.DEFAULT);
        assertThat(rows.next()).isNotNull();
        return rows;
    }

    private CompletableFuture<Long> count(QueryOptions options) {
        return CompletableFuture.supplyAsync(() -> {
                    try (Rows rows = engine.execute("SELECT RAW COUNT(*) FROM ARRAY_RANGE(0, 1000) x", options)) {
                        rows.next();
                        return rows.count();
                    }
                })
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS); // a turn that is lost fails the test
    }

    @Test
    void longStatement_waitsForTheTurnOfAnother() {
        try (Rows first = holder()) {
            CompletableFuture<Long> second = count(QueryOptions.DEFAULT);
            await().atMost(PATIENCE).until(() -> admission.waiting() == 1);
            assertThat(second).isNotDone();

            first.pause();

            assertThat(second.join()).isEqualTo(1);
            assertThat(first.next()).isNotNull();
        }
        assertThat(count(QueryOptions.DEFAULT).join()).isEqualTo(1);
    }

    @Test
    void endOfAStatement_givesItsTurnBack() {
        Rows first = holder();
        CompletableFuture<Long> second = count(QueryOptions.DEFAULT);
        await().atMost(PATIENCE).until(() -> admission.waiting() == 1);

        first.close();

        assertThat(second.join()).isEqualTo(1);
    }

    @Test
    void waitingStatement_timesOutAndCanBeCancelled() {
        try (Rows first = holder()) {
            assertThatThrownBy(() -> count(QueryOptions.DEFAULT.withTimeout(Duration.ofMillis(50)))
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseMessage("Timeout 50ms exceeded");

            CompletableFuture<Long> second = count(QueryOptions.DEFAULT.withClientContextId("second"));
            await().atMost(PATIENCE).until(() -> admission.waiting() == 1);
            engine.active().values().stream()
                    .filter(request -> "second".equals(request.clientContextId()))
                    .forEach(request -> engine.cancel(request.id()));
            assertThatThrownBy(second::join).hasRootCauseMessage("Request cancelled");
            assertThat(first.next()).isNotNull();
        }
        assertThat(admission.waiting()).isZero();
        assertThat(count(QueryOptions.DEFAULT).join()).isEqualTo(1);
    }

    @Test
    void shortStatement_neverWaits() {
        Admission patient = new Admission(0, NEVER, NEVER);

        try (Rows rows =
                engine(patient).execute("SELECT RAW COUNT(*) FROM ARRAY_RANGE(0, 1000) x", QueryOptions.DEFAULT)) {
            assertThat(rows.next()).isNotNull();
        }
    }

    @Test
    void statementThatWaitsForTheStore_letsOthersComputeAndGetsATurnAgain() {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        Execution waiting = execution();
        Admission.Ticket ticket = admission.ticket();
        waiting.checking(() -> ticket.look(waiting));
        waiting.idling(ticket::pause);
        CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> {
            waiting.check(); // has its turn
            long found = waiting.await(answer);
            waiting.check();
            ticket.pause();
            return found;
        });

        assertThat(count(QueryOptions.DEFAULT).join()).isEqualTo(1);
        assertThat(first).isNotDone();
        answer.complete(7L);

        assertThat(first.join()).isEqualTo(7);
        assertThat(admission.waiting()).isZero();
        assertThat(count(QueryOptions.DEFAULT).join()).isEqualTo(1);
    }

    @Test
    void statementThatWaitsForTheStore_doesNotBecomeLong() {
        Admission none = new Admission(0, Duration.ofMillis(100), NEVER);
        Execution statement = execution();
        Admission.Ticket ticket = none.ticket();
        statement.checking(() -> ticket.look(statement));

        statement.await(new CompletableFuture<Long>().completeOnTimeout(1L, 200, TimeUnit.MILLISECONDS));
        statement.check();

        assertThat(none.waiting()).isZero();
    }

    private static Execution execution() {
        return new Execution(
                new MemoryKeyspaces(),
                StatementRights.ALL,
                Map.of(),
                null,
                InstantSource.system(),
                PATIENCE.toMillis(),
                false,
                Memory.ofHeap());
    }

    @Test
    void turnThatIsOver_goesToTheNextInTheQueue() {
        QueryEngine fair = engine(new Admission(1, Duration.ZERO, Duration.ZERO));
        CompletableFuture<Void> endless = CompletableFuture.runAsync(() -> {
            try (Rows rows =
                    fair.execute(LONG, QueryOptions.DEFAULT.withNamed("n", io.millrace.n1ql.value.Value.of(-1L)))) {
                rows.next();
            }
        });
        await().atMost(PATIENCE).until(() -> !fair.active().isEmpty());

        try (Rows rows = fair.execute("SELECT RAW COUNT(*) FROM ARRAY_RANGE(0, 1000) x", QueryOptions.DEFAULT)) {
            assertThat(rows.next()).isNotNull();
        }
        fair.active().keySet().forEach(fair::cancel);
        assertThat(endless)
                .satisfiesAnyOf(
                        ended -> assertThatThrownBy(ended::join).hasRootCauseMessage("Request cancelled"),
                        ended -> assertThat(ended).isCompleted());
    }
}
