package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Mutation;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** At least once, in order, and never stuck: whatever dies, in a process that is shared or not. */
@Timeout(240)
@ParameterizedClass
@EnumSource(names = {"SHARED", "PROCESS"})
class DeliveryTest {

    private static final Outcome OK = Outcome.success(1);

    private final Fixture fixture = new Fixture();

    private final Isolation isolation;

    DeliveryTest(Isolation isolation) {
        this.isolation = isolation;
        if (isolation == Isolation.SHARED) {
            fixture.workers.sharingProcesses();
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void workerThatDiesBeforeItAnswers_hasItsEventsResentInOrder() {
        AtomicBoolean crashed = new AtomicBoolean();
        fixture.workers.handling((event, life) -> {
            if (event.id().equals("d300") && crashed.compareAndSet(false, true)) {
                throw new FakeWorkers.Crash();
            }
            return OK;
        });
        List<String> ids = fixture.putMany("d", 1000);
        start(Fixture.spec());

        await().until(() -> Set.copyOf(fixture.workers.handledIds()).size() == 1000);
        await().until(() -> fixture.stats().backlog() == 0);
        assertThat(fixture.workers.handledIds()).containsAll(ids);
        assertThat(fixture.workers.lives()).hasSize(2);
        assertThat(fixture.processing("worker_death_counter")).isEqualTo(1);
        assertThat(fixture.log).containsExactly("worker_f_0 ended and is being restarted: exit code 137");
        assertOrderPerDocument();
    }

    @Test
    void workerThatDiesAfterItAnswered_hasNothingResentOfThat() {
        fixture.workers.handling((event, life) -> {
            if (event.id().equals("a") && life.number() == 1) {
                life.crashAfterAnswer();
            }
            return OK;
        });
        start(Fixture.spec());
        fixture.put("a");
        await().until(() -> fixture.workers.lives().size() == 2);
        fixture.put("b");

        await().until(() -> fixture.workers.handledIds().contains("b"));
        assertThat(fixture.workers.handledIds()).containsExactly("a", "b");
    }

    @Test
    void workerThatDies_doesNotTakeADocumentBackToAnOlderState() {
        start(Fixture.spec());
        fixture.workers.lives().getFirst().answerNothing();
        fixture.put("a");
        await().until(() -> fixture.workers.handled().size() == 1);
        fixture.put("a");
        await().until(() -> fixture.workers.handled().size() == 2);

        fixture.workers.lives().getFirst().kill();

        await().until(() -> fixture.workers.handled().size() == 3);
        assertOrderPerDocument();
        await().until(() -> fixture.stats().backlog() == 0);
        awaitCheckpointsAtTheEnd();
    }

    /** The first end of a process that is shared is not counted against the event. */
    @Test
    void eventThatKillsEveryWorker_isGivenUpAndNothingIsStuck() {
        fixture.workers.handling((event, life) -> {
            if (event.id().equals("d77")) {
                throw new FakeWorkers.Crash();
            }
            return OK;
        });
        fixture.putMany("d", 500);
        start(Fixture.spec());

        await().until(() -> fixture.stats().backlog() == 0);
        assertThat(Set.copyOf(fixture.workers.handledIds())).hasSize(499).doesNotContain("d77");
        assertThat(fixture.execution("on_update_failure")).isEqualTo(1);
        assertThat(fixture.processing("poison_events_skipped")).isEqualTo(1);
        assertThat(fixture.workers.lives()).hasSize(isolation == Isolation.SHARED ? 7 : 6);
        assertThat(fixture.log)
                .filteredOn(line -> line.contains("given up"))
                .singleElement()
                .asString()
                .contains("OnUpdate of 'd77'", "ended 5 times in a row");
    }

    @Test
    void workerThatDoesNotAnswer_isKilledAndReplaced() {
        fixture.workers.handling((event, life) -> life.number() == 1 ? life.hang() : OK);
        start(Fixture.with(Fixture.spec(), changes -> changes.timeout(Duration.ofMillis(20))));
        fixture.put("a");

        await().until(() -> fixture.workers.handledIds().contains("a"));
        assertThat(fixture.workers.living()).hasSize(1);
    }

    @Test
    void workerWithoutHeartbeats_isKilledAndReplaced() {
        try (Fixture impatient = new Fixture(1, Duration.ofMillis(200))) {
            impatient.supervisor().start(Fixture.spec()).join();

            await().until(() -> impatient.workers.lives().size() > 1);
        }
    }

    @Test
    void crashOfTheService_repeatsOnlyWhatWasNotCheckpointed() {
        start(Fixture.spec());
        fixture.putMany("first", 200);
        await().until(() -> fixture.workers.handled().size() == 200);
        awaitCheckpointsAtTheEnd();
        fixture.workers.handling((event, life) -> life.hang());
        fixture.putMany("second", 100);
        await().until(() -> fixture.rowsRead.get() == 300);

        fixture.crashAndRestart();
        fixture.workers.handling((event, life) -> OK);
        start(Fixture.spec());

        await().until(() -> fixture.workers.handled().size() >= 300);
        assertThat(fixture.workers.handledIds().subList(200, 300)).allMatch(id -> id.startsWith("second"));
        assertThat(fixture.workers.handled()).hasSize(300);
    }

    @Test
    void idleVbuckets_moveWithTheFeed_soThatARestartReadsNothingAgain() {
        start(Fixture.spec());
        for (int i = 0; i < 300; i++) {
            fixture.put("one document"); // one vbucket only
        }
        await().until(() -> fixture.stats().backlog() == 0);
        awaitCheckpointsAtTheEnd();

        fixture.crashAndRestart();
        fixture.rowsRead.set(0);
        start(Fixture.spec());
        fixture.put("another");

        await().until(() -> fixture.workers.handledIds().contains("another"));
        assertThat(fixture.rowsRead).hasValue(1);
    }

    @Test
    void checkpoints_areNeverAheadOfWhatIsAcknowledged() {
        Unanswered unanswered = new Unanswered();
        fixture.workers.observedBy(unanswered);
        fixture.checkpoints.onSave = unanswered::check;
        AtomicInteger calls = new AtomicInteger();
        fixture.workers.handling((event, life) -> {
            int call = calls.incrementAndGet();
            if (call % 70 == 0) {
                LockSupport.parkNanos(30_000_000L); // a slow handler
            }
            if (call % 100 == 0) {
                throw new FakeWorkers.Crash();
            }
            return OK;
        });
        start(Fixture.spec());
        List<String> inOneVbucket = IntStream.range(0, 20_000)
                .mapToObj(i -> "v" + i)
                .filter(id -> VBuckets.of(id) == 7)
                .limit(8)
                .toList();
        for (int round = 0; round < 100; round++) {
            int before = calls.get();
            inOneVbucket.forEach(fixture::put);
            fixture.putMany("d", 10);
            await().pollInterval(Duration.ofMillis(1)).until(() -> calls.get() > before);
        }

        await().until(() -> fixture.stats().backlog() == 0);
        awaitCheckpointsAtTheEnd();
        assertThat(fixture.processing("worker_death_counter")).isPositive();
        assertThat(unanswered.violations).isEmpty();
    }

    /** What the workers have and did not answer: of each document the last change. */
    private final class Unanswered implements FakeWorkers.Observer {

        private final Map<Integer, Map<String, Out>> out = new ConcurrentHashMap<>();
        private final List<String> violations = new CopyOnWriteArrayList<>();

        private record Out(long seqno, FakeWorkers.Life life) {}

        @Override
        public void arrived(List<Event> events, FakeWorkers.Life life) {
            events.forEach(event -> of(event.vbucket()).put(event.id(), new Out(event.seqno(), life)));
        }

        @Override
        public void answering(List<Event> events) {
            events.forEach(event -> of(event.vbucket())
                    .computeIfPresent(event.id(), (id, out) -> out.seqno() == event.seqno() ? null : out));
        }

        void check(Checkpoint checkpoint) {
            of(checkpoint.vbucket()).forEach((id, out) -> {
                if (out.seqno() <= checkpoint.seqno() && !superseded(id, out)) {
                    violations.add("%s of seqno %d is with a worker, the checkpoint is %d"
                            .formatted(id, out.seqno(), checkpoint.seqno()));
                }
            });
        }

        /** What a worker had when it died need not be handled any more when the document has changed since. */
        private boolean superseded(String id, Out out) {
            return out.life().exited().isDone() && fixture.seqno(id) > out.seqno();
        }

        private Map<String, Out> of(int vbucket) {
            return out.computeIfAbsent(vbucket, any -> new ConcurrentHashMap<>());
        }
    }

    @Test
    void everythingDies_allLastStatesAreHandledInOrder() throws InterruptedException {
        Random random = new Random(11);
        AtomicInteger calls = new AtomicInteger();
        fixture.workers.handling((event, life) -> {
            if (calls.incrementAndGet() % 1500 == 0) {
                throw new FakeWorkers.Crash();
            }
            return OK;
        });
        FunctionSpec spec = Fixture.with(Fixture.spec(), changes -> changes.size(2, 2));
        start(spec);
        CountDownLatch written = new CountDownLatch(1);
        Thread writer = Thread.startVirtualThread(() -> {
            for (int i = 0; i < 20_000; i++) {
                fixture.put("d" + random.nextInt(500));
            }
            written.countDown();
        });
        for (int round = 0; round < 4; round++) {
            int soFar = fixture.workers.handled().size();
            await().until(() -> fixture.workers.handled().size() > soFar + 500 || written.getCount() == 0);
            fixture.feedFailures.set(5);
            fixture.checkpoints.failures.set(5);
            fixture.crashAndRestart();
            start(spec);
        }
        writer.join();

        await().until(() -> fixture.stats().backlog() == 0);
        assertOrderPerDocument();
        assertLastStatesHandled(500);
    }

    @Test
    void redisAway_delaysAndLosesNothing() {
        fixture.feedFailures.set(30);
        fixture.checkpoints.failures.set(10);
        start(Fixture.spec());
        fixture.putMany("a", 100);
        await().until(() -> fixture.workers.handled().size() == 100);
        fixture.feedFailures.set(30);
        fixture.checkpoints.failures.set(10);
        fixture.putMany("b", 100);

        await().until(() -> fixture.workers.handled().size() == 200);
        awaitCheckpointsAtTheEnd();
        assertThat(fixture.stats().failures().get("checkpoint_failure_count")).isPositive();
    }

    @Test
    void readerThatCrashes_isRestartedFromTheCheckpoints() {
        start(Fixture.spec());
        fixture.putMany("a", 100);
        await().until(() -> fixture.workers.handled().size() == 100);
        fixture.feedCrash = new IllegalStateException("a defect");
        fixture.put("b");

        await().until(() -> fixture.workers.handledIds().contains("b"));
        assertThat(fixture.workers.handled()).hasSize(101);
        assertThat(fixture.log)
                .singleElement()
                .asString()
                .startsWith("The function failed and is being restarted: The feed of shard 0 failed")
                .endsWith("a defect");
        assertThat(fixture.workers.living()).hasSize(1);
    }

    @Test
    void nodeThatLostItsVbuckets_stopsAndWritesNothing() {
        start(Fixture.spec());
        fixture.putMany("a", 100);
        await().until(() -> fixture.workers.handled().size() == 100);
        awaitCheckpointsAtTheEnd();

        fixture.checkpoints.renew("meta", "node-1", Duration.ZERO).join();
        SuperSupervisor other = fixture.newSupervisor("node-2");
        other.start(Fixture.spec(), null).join();
        fixture.putMany("b", 50);

        await().until(() ->
                fixture.supervisor().owned().getOrDefault("f", VbucketSet.NONE).isEmpty());
        assertThat(other.owned().getOrDefault("f", VbucketSet.NONE).size()).isEqualTo(1024);
        await().untilAsserted(() -> assertThat(fixture.log)
                .anySatisfy(line -> assertThat(line).startsWith("This node stopped running the function")));
        await().until(() -> fixture.workers.handledIds().containsAll(List.of("b0", "b49")));
        other.close();
    }

    @Test
    void newerStateAtAnOlderSeqno_isHandled() {
        start(Fixture.spec());
        fixture.putMany("a", 50);
        await().until(() -> fixture.workers.handled().size() == 50);
        fixture.supervisor().stop("f").join();
        fixture.put("b");
        // a feed that reads documents after their rows finds newer states at places before the checkpoint
        fixture.tamper = mutation -> new Mutation(mutation.seqno() - 20, mutation.document());

        start(Fixture.spec());

        await().until(() -> fixture.workers.handledIds().contains("b"));
        awaitCheckpointsAtTheEnd();
    }

    @Test
    void bucketCreatedAgain_isReadFromItsBeginning() {
        start(Fixture.spec());
        fixture.putMany("old", 50);
        await().until(() -> fixture.workers.handled().size() == 50);
        fixture.supervisor().stop("f").join();
        fixture.documents.catalog().dropBucket(Fixture.BUCKET).join();
        fixture.documents.catalog().createBucket(Fixture.BUCKET, 1).join();
        fixture.putMany("new", 10);

        start(Fixture.spec());

        await().until(() -> fixture.workers.handled().size() == 60);
        assertThat(fixture.workers.handledIds().subList(50, 60)).allMatch(id -> id.startsWith("new"));
    }

    @Test
    void deletions_areSentAsSuch() {
        start(Fixture.spec());
        fixture.put("a");
        await().until(() -> fixture.workers.handled().size() == 1);
        fixture.documents
                .write(Write.remove(new DocumentKey(Keyspace.of(Fixture.BUCKET), "a")))
                .join();

        await().until(() -> fixture.execution("on_delete_success") == 1);
        assertThat(fixture.workers.handled())
                .extracting(Event::kind)
                .containsExactly(Event.Kind.MUTATION, Event.Kind.DELETION);
        assertThat(fixture.processing("dcp_deletion_sent_to_worker")).isEqualTo(1);
    }

    private void start(FunctionSpec spec) {
        fixture.supervisor().start(spec).join();
    }

    private void awaitCheckpointsAtTheEnd() {
        long high = fixture.documents.highSeqno(Fixture.BUCKET, 0).join();
        await().untilAsserted(() -> {
            for (int vbucket = 0; vbucket < 1024; vbucket++) {
                assertThat(fixture.checkpoint(vbucket))
                        .as("vbucket %d", vbucket)
                        .isEqualTo(high);
            }
        });
    }

    private void assertOrderPerDocument() {
        Map<String, Long> newest = new HashMap<>();
        for (Event event : fixture.workers.handled()) {
            Long before = newest.put(event.id(), event.cas());
            assertThat(before == null ? 0 : before)
                    .as("CAS of %s handled before", event.id())
                    .isLessThanOrEqualTo(event.cas());
        }
    }

    private void assertLastStatesHandled(int documents) {
        Map<String, Long> newest = new HashMap<>();
        fixture.workers.handled().forEach(event -> newest.merge(event.id(), event.cas(), Math::max));
        for (int i = 0; i < documents; i++) {
            String id = "d" + i;
            DocumentKey key = new DocumentKey(Keyspace.of(Fixture.BUCKET), id);
            fixture.documents
                    .get(key)
                    .join()
                    .ifPresent(document -> assertThat(newest.get(id)).as(id).isEqualTo(document.cas()));
        }
    }
}
