package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QueryEngineTest {

    private final QueryTester tester = new QueryTester();

    @Test
    void parameterNames_inTheOrderOfTheText() {
        CompiledStatement statement =
                tester.engine().prepare("SELECT * FROM :ks USE KEYS $key WHERE a = ? AND b = ? AND c = $9");

        assertThat(statement.parameterNames()).containsExactly("ks", "key", "1", "2", "9");
        assertThat(statement.changes()).isFalse();
    }

    @Test
    void sameText_isPlannedOnce() {
        assertThat(tester.engine().prepare("SELECT 1")).isSameAs(tester.engine().prepare("SELECT 1"));
    }

    @Test
    void plansOfLongTexts_areFewerThanPlansOfShortOnes() {
        QueryEngine engine = tester.engine();
        CompiledStatement first = engine.prepare(longText(0));
        CompiledStatement last = first;
        for (int i = 1; i <= 64; i++) {
            last = engine.prepare(longText(i));
        }

        assertThat(engine.prepare(longText(64))).isSameAs(last);
        assertThat(engine.prepare(longText(0))).isNotSameAs(first);
    }

    private static String longText(int number) {
        return "SELECT " + number + " IN [" + "1,".repeat(8_100) + "1]";
    }

    /** Runs of several threads take the same plan, and an object that is parsed on access is for one thread. */
    @Test
    void constant_thatIsParsedOnAccess_belongsToOneRun() {
        CompiledStatement object = tester.engine().prepare("SELECT RAW DECODE_JSON('{\"a\":[1]}')");
        Value first = object.run(QueryOptions.DEFAULT).next();
        Value second = object.run(QueryOptions.DEFAULT).next();
        CompiledStatement array = tester.engine().prepare("SELECT RAW DECODE_JSON('[1,[2]]')");
        Value parsed = Objects.requireNonNull(array.run(QueryOptions.DEFAULT).next());

        assertThat(first).isEqualTo(second).isNotSameAs(second);
        assertThat(ValueBytes.isParsedOnAccess(parsed)).isFalse();
        assertThat(parsed.toJson()).isEqualTo("[1,[2]]");
    }

    @Test
    void parameter_isAValueAndNeverText() {
        tester.keyspace("t", "a", "{\"name\":\"x\"}");

        QueryOptions options = QueryOptions.DEFAULT.withNamed("name", Value.of("x' OR 'a' = 'a"));
        assertThat(tester.rows("SELECT * FROM t WHERE name = :name", options)).isEmpty();
    }

    @Test
    void parameterInTheKeyspacePosition_namesTheKeyspace() {
        tester.keyspace("t", "a", "{\"name\":\"x\"}");

        assertThat(tester.rows(
                        "SELECT d.name FROM :ks AS d USE KEYS :key",
                        QueryOptions.DEFAULT.withNamed(Map.of("ks", Value.of("t"), "key", Value.of("a")))))
                .containsExactly("{\"name\":\"x\"}");
    }

    @Test
    void missingParameter_isAnError() {
        assertThat(tester.failure("SELECT $x").errorCode()).isEqualTo(ErrorCode.EVALUATION);
    }

    /** One that looks may have to wait for the collection of what others have left. */
    @Test
    void memory_isLookedAtByStatementsThatHaveAllocatedSome() {
        AtomicInteger looks = new AtomicInteger();
        QueryEngine engine =
                new QueryEngine(new MemoryKeyspaces(), InstantSource.system(), looking -> looks.incrementAndGet());

        engine.execute("SELECT RAW SUM(i) FROM ARRAY_RANGE(0, 1000) AS i", QueryOptions.DEFAULT)
                .next();
        assertThat(looks).hasValue(0);

        engine.execute(
                        "SELECT RAW COUNT(REPEAT(TO_STRING(i), 1000)) FROM ARRAY_RANGE(0, 10000) AS i",
                        QueryOptions.DEFAULT)
                .next();
        assertThat(looks.get()).isPositive();
    }

    @Test
    void syntaxError_hasLineAndColumn() {
        QueryException failure = tester.failure("SELECT *\nFROM t WHERE\n  AND x");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.SYNTAX);
        assertThat(failure.line()).isEqualTo(3);
        assertThat(failure.column()).isEqualTo(3);
    }

    @Test
    void deepNesting_isRefusedAndNotAnOverflow() {
        assertThat(tester.failure("SELECT " + "(".repeat(5000) + "1" + ")".repeat(5000))
                        .errorCode())
                .isEqualTo(ErrorCode.SYNTAX);
    }

    @Test
    void longChainOfConditions_isAnswered() {
        assertThat(tester.rows("SELECT RAW 1 = 1" + " AND 1 = 1".repeat(300))).containsExactly("true");
    }

    @Test
    void unknownKeyspace_isReportedByName() {
        QueryException failure = tester.failure("SELECT * FROM nowhere");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.KEYSPACE_NOT_FOUND);
        assertThat(failure.getMessage()).contains("nowhere");
    }

    @Test
    void scanWithoutIndex_isRefused() {
        tester.keyspaces().create("bare").put("a", "{}");

        assertThat(tester.failure("SELECT * FROM bare").errorCode()).isEqualTo(ErrorCode.NO_INDEX);
        assertThat(tester.rows("SELECT RAW META().id FROM bare USE KEYS 'a'")).containsExactly("\"a\"");
    }

    @Test
    void limit_readsNoMoreThanItNeeds() {
        MemoryKeyspace keyspace = filled(10_000);

        assertThat(tester.rows("SELECT * FROM big LIMIT 5")).hasSize(5);
        assertThat(keyspace.fetched()).isEqualTo(5);
    }

    @Test
    void brokenOff_stopsReading() {
        MemoryKeyspace keyspace = filled(10_000);

        try (Rows rows = tester.engine().execute("SELECT * FROM big", QueryOptions.DEFAULT)) {
            for (int i = 0; i < 5; i++) {
                rows.next();
            }
        }
        assertThat(keyspace.fetched()).isLessThan(300);
        assertThat(tester.engine().active()).isEmpty();
    }

    private MemoryKeyspace filled(int documents) {
        MemoryKeyspace keyspace = tester.keyspace("big");
        for (int i = 0; i < documents; i++) {
            keyspace.put("key%06d".formatted(i), "{\"n\":" + i + "}");
        }
        return keyspace;
    }

    @Test
    void cancelledFromAnotherThread_endsInsideALoop() throws InterruptedException {
        filled(3000);
        Rows rows =
                tester.engine().execute("SELECT COUNT(*) FROM big a JOIN big b ON a.n + b.n < 0", QueryOptions.DEFAULT);

        CompletableFuture<Boolean> cancelled =
                CompletableFuture.supplyAsync(() -> tester.engine().cancel(rows.requestId()));
        QueryException failure = org.assertj.core.api.Assertions.catchThrowableOfType(QueryException.class, rows::next);

        assertThat(cancelled.join()).isTrue();
        assertThat(failure.errorCode()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(tester.engine().active()).isEmpty();
        assertThat(tester.engine().cancel(rows.requestId())).isFalse();
    }

    @Test
    void timeoutBelowAMillisecond_isATimeout() {
        QueryException failure = tester.failure(
                "SELECT COUNT(*) FROM ARRAY_RANGE(0, 100000) a, ARRAY_RANGE(0, 1000) b",
                QueryOptions.DEFAULT.withTimeout(Duration.ofNanos(100_000)));

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void timeout_endsALoopOverElements() {
        QueryException failure = tester.failure(
                "SELECT ARRAY_SUM(ARRAY a + b FOR a IN ARRAY_RANGE(0, 100000) FOR b IN ARRAY_RANGE(0, 100000) END)",
                QueryOptions.DEFAULT.withTimeout(Duration.ofMillis(50)));

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void readonly_refusesChangesAlsoByExecute() {
        tester.keyspace("t", "a", "{}");
        tester.rows("PREPARE d FROM DELETE FROM t");
        QueryOptions readonly = QueryOptions.DEFAULT.withReadonly(true);

        assertThat(tester.failure("DELETE FROM t", readonly).errorCode()).isEqualTo(ErrorCode.READONLY);
        assertThat(tester.failure("EXECUTE d", readonly).errorCode()).isEqualTo(ErrorCode.READONLY);
        assertThat(tester.rows("SELECT RAW COUNT(*) FROM t", readonly)).containsExactly("1");
    }

    @Test
    void correlatedSubqueryOverManyDocuments_isRefused() {
        filled(1001);
        tester.keyspace("small", "a", "{\"n\":5}");

        QueryException failure = tester.failure("SELECT (SELECT RAW b.n FROM big b WHERE b.n < s.n) FROM small s");

        assertThat(failure.errorCode()).isEqualTo(ErrorCode.SUBQUERY_NEEDS_INDEX);
        assertThat(tester.rows("SELECT RAW (SELECT RAW b.n FROM big b WHERE b.n = s.n) FROM small s"))
                .containsExactly("[5]");
        assertThat(tester.rows("SELECT RAW 5 IN (SELECT RAW n FROM big) FROM small s"))
                .containsExactly("true");
    }

    @Test
    void explain_showsThePlanAsJson() {
        assertThat(tester.rows("EXPLAIN SELECT * FROM t WHERE a = 1 ORDER BY b LIMIT 3"))
                .singleElement()
                .asString()
                .contains("PrimaryScan3", "Filter", "Order", "Limit");
    }

    @Test
    void warmUp_leavesTheEngineAsItWas() {
        tester.engine().warmUp();

        assertThat(tester.rows("SELECT RAW 1")).isEqualTo(List.of("1"));
    }
}
