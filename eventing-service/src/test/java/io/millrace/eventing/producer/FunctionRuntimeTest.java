package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.FeedBoundary;
import io.millrace.eventing.runtime.RuntimeStats;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Life of a function: from deploy to undeploy, and what it is shown of its source. */
@Timeout(240)
class FunctionRuntimeTest {

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void start_fromEverything_handlesExistingDocumentsAndChanges() {
        List<String> before = fixture.putMany("before", 500);
        start(Fixture.spec());
        List<String> after = fixture.putMany("after", 500);

        await().until(() -> fixture.workers.handled().size() == 1000);
        assertThat(fixture.workers.handledIds()).containsAll(before).containsAll(after);
        await().until(() -> fixture.execution("on_update_success") == 1000);
        assertThat(fixture.processing("dcp_mutation_sent_to_worker")).isEqualTo(1000);
        assertThat(fixture.stats().backlog()).isZero();
    }

    @Test
    void start_ofABucketWithManyShards_handlesAllOfThem() {
        try (Fixture sharded = new Fixture(16)) {
            List<String> ids = sharded.putMany("d", 500);
            sharded.supervisor()
                    .start(Fixture.with(Fixture.spec(), changes -> changes.size(3, 2)))
                    .join();

            await().until(() -> sharded.workers.handled().size() == 500);
            assertThat(sharded.workers.handledIds()).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void start_fromNow_skipsExistingDocuments() {
        fixture.putMany("before", 50);
        start(Fixture.with(Fixture.spec(), changes -> changes.boundary(FeedBoundary.FROM_NOW)));
        List<String> after = fixture.putMany("after", 50);

        await().until(() -> fixture.workers.handled().size() >= 50);
        assertThat(fixture.workers.handledIds()).containsExactlyInAnyOrderElementsOf(after);
    }

    @Test
    void start_fromNowAfterACrashBeforeTheFirstEvent_doesNotStartFromNowAgain() {
        FunctionSpec spec = Fixture.with(Fixture.spec(), changes -> changes.boundary(FeedBoundary.FROM_NOW));
        fixture.putMany("before", 10);
        fixture.workers.handling((event, life) -> life.hang());
        start(spec);
        List<String> after = fixture.putMany("after", 10);

        fixture.crashAndRestart();
        fixture.workers.handling((event, life) -> Outcome.success(1));
        start(spec);

        await().until(() -> fixture.workers.handled().size() >= 10);
        assertThat(fixture.workers.handledIds()).containsExactlyInAnyOrderElementsOf(after);
    }

    @Test
    void startAgain_doesNotWaitForTheCode_andSaysThenWhyItIsRejected() {
        FunctionSpec broken = Fixture.with(Fixture.spec(), changes -> changes.code("syntax error"));

        fixture.supervisor().startAgain(broken).join();

        await().until(() -> fixture.workers.lives().size() > 2);
        assertThat(fixture.supervisor().running()).containsExactly(broken.name());
        fixture.supervisor().stop(broken.name()).join();
        assertThatThrownBy(() -> fixture.supervisor().startAgain(broken).join())
                .as("the second time in the life of the service")
                .cause()
                .isInstanceOf(DeployRejected.class);
    }

    @Test
    void start_ofAHandlerThatDoesNotParse_isRejectedAndLeavesNothing() {
        FunctionSpec broken = Fixture.with(Fixture.spec(), changes -> changes.code("syntax error"));

        assertThatThrownBy(() -> fixture.supervisor().start(broken).join())
                .cause()
                .isInstanceOfSatisfying(DeployRejected.class, rejected -> {
                    assertThat(rejected).hasMessage("Unexpected identifier");
                    assertThat(rejected.line()).isEqualTo(3);
                    assertThat(rejected.column()).isEqualTo(7);
                });

        assertThat(fixture.supervisor().running()).isEmpty();
        assertThat(fixture.workers.living()).isEmpty();
        fixture.putMany("before", 5);
        start(Fixture.with(Fixture.spec(), changes -> changes.boundary(FeedBoundary.FROM_NOW)));
        fixture.put("after");
        await().until(() -> !fixture.workers.handled().isEmpty());
        assertThat(fixture.workers.handledIds())
                .as("the rejected attempt set no boundary")
                .containsExactly("after");
    }

    @Test
    void start_withoutItsBuckets_fails() {
        FunctionSpec noBucket = Fixture.with(Fixture.spec(), changes -> changes.source(Keyspace.of("nowhere")));
        FunctionSpec noScope =
                Fixture.with(Fixture.spec(), changes -> changes.source(new Keyspace(Fixture.BUCKET, "s", "*")));
        FunctionSpec noCollection =
                Fixture.with(Fixture.spec(), changes -> changes.source(new Keyspace(Fixture.BUCKET, "_default", "c")));

        for (FunctionSpec spec : List.of(noBucket, noScope, noCollection)) {
            assertThatThrownBy(() -> fixture.supervisor().start(spec).join())
                    .hasCauseInstanceOf(DocumentsException.class);
        }
        assertThat(fixture.supervisor().running()).isEmpty();
        assertThat(fixture.workers.lives()).isEmpty();
    }

    @Test
    void start_twice_failsTheSecondTime() {
        start(Fixture.spec());

        assertThatThrownBy(() -> start(Fixture.spec())).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(fixture.supervisor().running()).isEqualTo(Set.of("f"));
    }

    @Test
    void stop_whileRedisIsAway_cancelsTheStart() {
        fixture.checkpoints.failures.set(Integer.MAX_VALUE);
        CompletableFuture<Void> started = fixture.supervisor().start(Fixture.spec());
        await().until(() -> !fixture.workers.lives().isEmpty());

        fixture.supervisor().stop("f").join();

        assertThatThrownBy(started::join).isInstanceOf(CancellationException.class);
        assertThat(fixture.workers.living()).isEmpty();
    }

    @Test
    void stop_andStart_continuesExactly() {
        start(Fixture.spec());
        List<String> first = fixture.putMany("first", 2000);
        await().until(() -> fixture.workers.handled().size() > 300);

        fixture.supervisor().stop("f").join();
        int whenStopped = fixture.workers.handled().size();
        assertThat(fixture.supervisor().running()).isEmpty();
        assertThat(fixture.workers.living()).isEmpty();
        List<String> second = fixture.putMany("second", 100);
        assertThat(fixture.workers.handled()).hasSize(whenStopped);
        start(Fixture.spec());

        await().until(() -> fixture.workers.handled().size() >= 2100);
        fixture.supervisor().stop("f").join();
        assertThat(fixture.workers.handledIds())
                .as("each exactly once")
                .hasSize(2100)
                .containsAll(first)
                .containsAll(second);
    }

    @Test
    void stop_withAHandlerInTheMiddle_finishesItFirst() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        fixture.workers.handling((event, life) -> {
            entered.countDown();
            mayEnd.await();
            return Outcome.success(1);
        });
        start(Fixture.spec());
        fixture.put("a");
        entered.await();

        CompletableFuture<Void> stopped = fixture.supervisor().stop("f");
        assertThat(stopped).isNotDone();
        mayEnd.countDown();
        stopped.join();

        assertThat(fixture.workers.handledIds()).containsExactly("a");
        start(Fixture.spec());
        fixture.put("b");
        await().until(() -> fixture.workers.handled().size() == 2);
        assertThat(fixture.workers.handledIds()).containsExactly("a", "b");
    }

    @Test
    void remove_deletesTheCheckpoints() {
        List<String> ids = fixture.putMany("d", 20);
        start(Fixture.spec());
        await().until(() -> fixture.workers.handled().size() == 20);

        fixture.checkpoints.failures.set(3);
        fixture.supervisor().remove(Fixture.spec()).join();
        fixture.supervisor().remove(Fixture.spec()).join();
        start(Fixture.spec());

        await().until(() -> fixture.workers.handled().size() == 40);
        assertThat(fixture.workers.handledIds().subList(20, 40)).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void ownWrites_areSuppressedAndCounted() {
        start(Fixture.spec());
        Keyspace source = Keyspace.of(Fixture.BUCKET);
        fixture.put(source, "own", new Origin("instance-1", 1));
        fixture.put(source, "other", new Origin("instance-2", 3));
        fixture.put(source, "gone", null);
        fixture.documents
                .write(Write.remove(new DocumentKey(source, "gone")).withOrigin(new Origin("instance-1", 1)))
                .join();
        fixture.put("last");

        await().until(() -> fixture.workers.handledIds().contains("last"));
        await().until(() -> fixture.workers.handledIds().contains("other"));
        assertThat(fixture.workers.handledIds()).doesNotContain("own");
        assertThat(fixture.processing("dcp_mutation_suppressed_counter")).isEqualTo(1);
        assertThat(fixture.processing("dcp_deletion_suppressed_counter")).isEqualTo(1);
        assertThat(fixture.workers.handled().stream()
                        .filter(event -> event.id().equals("other"))
                        .findFirst()
                        .orElseThrow()
                        .hops())
                .isEqualTo(3);
    }

    @Test
    void changesFromACycleOfFunctions_areNotHandled() {
        start(Fixture.spec());
        Keyspace source = Keyspace.of(Fixture.BUCKET);
        int limit = Fixture.spec().limits().hops();
        fixture.put(source, "too far", new Origin("instance-2", limit + 1));
        fixture.put(source, "too far as well", new Origin("instance-2", limit + 1));
        fixture.put(source, "far", new Origin("instance-2", limit));
        fixture.put("last");

        await().until(() -> fixture.workers.handledIds().containsAll(List.of("far", "last")));
        await().until(() -> fixture.processing("hop_limit_counter") == 2);
        assertThat(fixture.workers.handledIds()).doesNotContain("too far", "too far as well");
        assertThat(fixture.log)
                .filteredOn(line -> line.contains("chain of more than 100 functions (setting hop_limit)"))
                .hasSize(1);
    }

    @Test
    void source_withWildcards_coversItsCollectionsOnly() {
        Keyspace inScope = new Keyspace(Fixture.BUCKET, "s", "one");
        Keyspace alsoInScope = new Keyspace(Fixture.BUCKET, "s", "two");
        fixture.documents.catalog().createScope(Fixture.BUCKET, "s").join();
        fixture.documents.catalog().createCollection(inScope).join();
        fixture.documents.catalog().createCollection(alsoInScope).join();
        fixture.put(inScope, "a", null);
        fixture.put(alsoInScope, "b", null);
        fixture.put("c");

        assertThat(handledFrom(new Keyspace(Fixture.BUCKET, "s", "*"), 2)).containsExactlyInAnyOrder("a", "b");
        assertThat(handledFrom(new Keyspace(Fixture.BUCKET, "*", "*"), 3)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(handledFrom(alsoInScope, 1)).containsExactly("b");
        assertThat(handledFrom(Keyspace.of(Fixture.BUCKET), 1)).containsExactly("c");
    }

    private List<String> handledFrom(Keyspace source, int expected) {
        FunctionSpec spec = Fixture.with(Fixture.spec(), changes -> changes.source(source));
        int before = fixture.workers.handled().size();
        start(spec);
        await().until(() -> fixture.workers.handled().size() >= before + expected);
        await().until(() -> fixture.stats().backlog() == 0);
        fixture.supervisor().remove(spec).join();
        List<String> ids = fixture.workers.handledIds();
        return ids.subList(before, ids.size());
    }

    @Test
    void failedInvocations_areCountedAndLogged() {
        fixture.workers.handling((event, life) -> switch (event.id()) {
            case "throws" -> new Outcome(Outcome.Result.THREW, 5, "Error: no", 12, 4);
            case "loops" -> new Outcome(Outcome.Result.TIMED_OUT, 5, "", 0, 0);
            case "unwritten" -> new Outcome(Outcome.Result.WRITE_FAILED, 5, "Redis was away", 0, 0);
            case "skipped" -> Outcome.skipped();
            default -> Outcome.success(700);
        });
        start(Fixture.spec());
        List.of("throws", "loops", "skipped", "fine", "unwritten").forEach(fixture::put);

        await().until(() -> fixture.execution("num_processed_events") == 5);
        assertThat(fixture.execution("on_update_failure")).isEqualTo(3);
        assertThat(fixture.execution("on_update_success")).isEqualTo(1);
        assertThat(fixture.execution("no_op_counter")).isEqualTo(1);
        assertThat(fixture.stats().failures()).containsEntry("timeout_count", 1L);
        assertThat(fixture.stats().latencyPercentile(100)).isBetween(700L, 800L);
        assertThat(fixture.log)
                .as("the worker logs the others")
                .containsExactly("OnUpdate of 'unwritten' (vb 894, seq 5) failed: Redis was away");
        fixture.supervisor().resetStats("f");
        assertThat(fixture.execution("on_update_failure")).isZero();
    }

    @Test
    void stats_showWorkersAndTheirVbuckets() {
        start(Fixture.with(Fixture.spec(), changes -> changes.size(3, 1)));

        RuntimeStats stats = fixture.stats();

        assertThat(stats.workers())
                .extracting(RuntimeStats.Worker::name)
                .containsExactly("worker_f_0", "worker_f_1", "worker_f_2");
        assertThat(stats.workers().get(1)).satisfies(worker -> {
            assertThat(worker.vbuckets()).hasToString("342-682");
            assertThat(worker.pid()).isPositive();
            assertThat(worker.runtime()).isEqualTo("fake");
        });
        assertThat(stats.processing()).containsEntry("worker_spawn_counter", 3L);
        assertThat(fixture.supervisor().stats("unknown").join()).isEmpty();
    }

    @Test
    void backlog_ofABusyFunction_countsWhatIsReadAndWhatIsNot() throws InterruptedException {
        CountDownLatch mayGo = new CountDownLatch(1);
        fixture.workers.handling((event, life) -> {
            mayGo.await();
            return Outcome.success(1);
        });
        start(Fixture.spec());
        fixture.putMany("d", 10_000);

        await().untilAsserted(() -> assertThat(fixture.stats().backlog()).isBetween(10_000L, 12_000L));
        long read = fixture.rowsRead.get();
        assertThat(read).as("a slow handler stops the reading").isLessThan(8_000);
        await().during(Duration.ofMillis(200)).until(() -> fixture.rowsRead.get() < 8_000);
        await().until(() -> fixture.stats().lagSeconds() >= 1);

        mayGo.countDown();
        await().until(() -> fixture.stats().backlog() == 0);
        await().until(() -> fixture.stats().lagSeconds() == 0);
        assertThat(fixture.workers.handled()).hasSize(10_000);
    }

    private void start(FunctionSpec spec) {
        fixture.supervisor().start(spec).join();
    }
}
