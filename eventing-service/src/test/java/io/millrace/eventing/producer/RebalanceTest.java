package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.checkpoint.Checkpoint;
import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.checkpoint.CheckpointStore.Claim;
import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.NewTimer;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.TimerCounts;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.Outcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes that share the vbuckets of a function, in one process and with fake workers. */
class RebalanceTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Fixture fixture = new Fixture();
    private final AtomicReference<Layout> layout = new AtomicReference<>(Layout.contiguous("1", List.of("a")));
    private final AtomicReference<@Nullable Layout> seenByB = new AtomicReference<>();
    private final AtomicInteger looksOfA = new AtomicInteger();
    private final Cut cutOfB = new Cut(fixture.checkpoints);
    private final SuperSupervisor a = fixture.newSupervisor("a", this::layoutOfA, fixture.checkpoints, LEASE);
    private volatile boolean comingB;
    private final SuperSupervisor b = fixture.newSupervisor("b", new MembershipOfB(), cutOfB, LEASE);

    private Layout layoutOfA() {
        looksOfA.incrementAndGet();
        return Objects.requireNonNull(layout.get());
    }

    /** The same as for the other, unless B does not hear of it. */
    private Layout layoutOfB() {
        Layout seen = seenByB.get();
        return seen == null ? layoutOfA() : seen;
    }

    private final class MembershipOfB implements Membership {

        @Override
        public Layout layout() {
            return layoutOfB();
        }

        @Override
        public boolean coming() {
            return comingB;
        }
    }

    @AfterEach
    void close() {
        cutOfB.cut = false;
        a.close();
        b.close();
        fixture.close();
    }

    @Test
    void nodesThatComeAndGo_handEventsOverWithoutRepeatingAny() {
        a.start(Fixture.spec(), null).join();
        b.start(Fixture.spec(), null).join();
        fixture.putMany("one", 300);
        owns(a, "0-1023");

        layout.set(Layout.contiguous("2", List.of("a", "b")));
        fixture.putMany("two", 300);
        owns(a, "0-511");
        owns(b, "512-1023");
        fixture.putMany("three", 300);
        layout.set(Layout.contiguous("3", List.of("b")));
        fixture.putMany("four", 300);
        owns(a, "");
        owns(b, "0-1023");
        fixture.putMany("five", 300);

        await().atMost(PATIENCE).until(() -> new HashSet<>(fixture.workers.handledIds()).size() == 1500);
        assertThat(fixture.workers.handledIds()).doesNotHaveDuplicates();
    }

    @Test
    void changesOfAnotherNode_areNotReadAndHoldNothingUp() {
        layout.set(Layout.contiguous("2", List.of("a", "b")));
        a.start(Fixture.spec(), null).join();
        b.start(Fixture.spec(), null).join();
        owns(a, "0-511");
        owns(b, "512-1023");
        fixture.putMany("one", 300);
        List<String> ofB = IntStream.range(0, 300)
                .mapToObj(i -> "two" + i)
                .filter(id -> VBuckets.of(id) > 511)
                .toList();
        ofB.forEach(fixture::put);

        int all = 300 + ofB.size();
        await().atMost(PATIENCE).until(() -> new HashSet<>(fixture.workers.handledIds()).size() == all);
        long last = fixture.seqno(ofB.getLast());
        await().atMost(PATIENCE)
                .until(() -> IntStream.range(0, 1024).allMatch(vbucket -> fixture.checkpoint(vbucket) == last));
        await().atMost(PATIENCE)
                .until(() -> a.stats("f")
                        .join()
                        .filter(stats -> stats.backlog() == 0)
                        .isPresent());
        assertThat(fixture.vbucketsRead)
                .as("no feed gives changes of both nodes")
                .allSatisfy(ofFeed -> assertThat(
                                ofFeed.stream().map(vbucket -> vbucket > 511).distinct())
                        .hasSizeLessThan(2));
    }

    @Test
    void timers_goWithTheirVbucketsAndFireOnce() {
        Set<FakeWorkers.Life> firing = ConcurrentHashMap.newKeySet();
        fixture.workers.handling((event, life) -> {
            firing.add(life);
            return Outcome.success(10);
        });
        a.start(withTimers(), null).join();
        b.start(withTimers(), null).join();
        owns(a, "0-1023");
        createTimers("one", 0);
        await().atMost(PATIENCE).until(() -> fixture.workers.handledIds().size() == 200);
        assertThat(firing).hasSize(1);

        layout.set(Layout.contiguous("2", List.of("a", "b")));
        owns(b, "512-1023");
        createTimers("two", 0);
        await().atMost(PATIENCE).until(() -> fixture.workers.handledIds().size() == 400);
        assertThat(firing).as("each node fires those of its vbuckets").hasSize(2);
        createTimers("three", 5);
        layout.set(Layout.contiguous("3", List.of("b")));
        owns(b, "0-1023");

        await().atMost(PATIENCE)
                .until(() -> fixture.timers
                        .counts(TimerGroups.group(withTimers()))
                        .join()
                        .equals(new TimerCounts(0, 0, 0)));
        assertThat(fixture.workers.handledIds()).hasSize(600).doesNotHaveDuplicates();
    }

    private static FunctionSpec withTimers() {
        FunctionSpec spec = Fixture.spec();
        return Fixture.with(
                spec,
                changes -> changes.timers(new HandlerSettings.TimerSettings(
                        "meta", 1, spec.functionId(), 16, 1024, 2, 50, "", List.of())));
    }

    /** Creates 200 timers, one due after the other. */
    private void createTimers(String prefix, int apartMillis) {
        long now = System.currentTimeMillis();
        for (int i = 0; i < 200; i++) {
            TimerId id = new TimerId("callback", prefix + i);
            NewTimer timer = new NewTimer(id, now + i * apartMillis, NewTimer.NEVER_STALE, "", "{}");
            assertThat(fixture.timers
                            .create(TimerGroups.group(withTimers()), timer)
                            .join())
                    .isEqualTo(TimerStore.Change.DONE);
        }
    }

    @Test
    void nodeThatIsToGetAShare_hasItsWorkersReadyBefore() {
        a.start(Fixture.spec(), null).join();
        b.start(Fixture.spec(), null).join();
        owns(a, "0-1023");
        assertThat(b.warm()).isEmpty();

        comingB = true;
        await().atMost(PATIENCE).until(() -> b.warm().contains("f"));
        owns(a, "0-1023");
        owns(b, "");
        var before = fixture.workers.living();
        layout.set(Layout.contiguous("2", List.of("a", "b")));
        owns(b, "512-1023");
        assertThat(fixture.workers.living()).as("no further workers").hasSameElementsAs(before);

        layout.set(Layout.contiguous("3", List.of("a")));
        owns(a, "0-1023");
        comingB = false;
        await().atMost(PATIENCE).until(() -> b.warm().isEmpty());
        assertThat(b.running()).containsExactly("f");
    }

    @Test
    void workers_surviveAChangeOfTheShare() {
        a.start(Fixture.spec(), null).join();
        owns(a, "0-1023");
        var before = fixture.workers.living();

        b.start(Fixture.spec(), null).join();
        layout.set(Layout.contiguous("2", List.of("a", "b")));
        owns(b, "512-1023");

        assertThat(fixture.workers.living()).containsAll(before);
    }

    @Test
    void nodeThatLosesRedis_stopsAndItsVbucketsAreTakenOverAfterItsLease() {
        layout.set(Layout.contiguous("2", List.of("a", "b")));
        a.start(Fixture.spec(), null).join();
        b.start(Fixture.spec(), null).join();
        fixture.putMany("one", 300);
        await().atMost(PATIENCE).until(() -> fixture.workers.handledIds().size() == 300);

        seenByB.set(layoutOfA());
        cutOfB.cut = true;
        layout.set(Layout.contiguous("3", List.of("a")));
        fixture.putMany("two", 300);
        owns(a, "0-1023");
        await().atMost(PATIENCE).until(() -> fixture.workers.handledIds().containsAll(List.of("two0", "two299")));
        await().atMost(PATIENCE)
                .until(() -> fixture.log.stream().anyMatch(line -> line.contains("stopped running the function")));
        cutOfB.cut = false;
        seenByB.set(null);

        owns(b, "");
        fixture.putMany("three", 300);
        await().atMost(PATIENCE).until(() -> new HashSet<>(fixture.workers.handledIds()).size() == 900);
        owns(a, "0-1023");
    }

    @Test
    void vbucketsOfAnEarlierRunOfTheNode_areGivenUpUnlessPlanned() {
        recordAllFor("b");

        layout.set(Layout.contiguous("2", List.of("a", "b")));
        a.start(Fixture.spec(), null).join();
        b.start(Fixture.spec(), null).join();

        owns(a, "0-511");
        owns(b, "512-1023");
    }

    @Test
    void vbucketsRecordedForANodeWithoutShare_areReleased() {
        recordAllFor("b");

        b.start(Fixture.spec(), null).join();
        a.start(Fixture.spec(), null).join();

        owns(a, "0-1023");
        owns(b, "");
    }

    /** As a process leaves it that died: its successor with the same name renews the lease. */
    private void recordAllFor(String node) {
        CheckpointGroup group = Fixture.spec().checkpoints();
        fixture.checkpoints.renew("meta", node, Duration.ofHours(1)).join();
        Claim claim = fixture.checkpoints
                .claim(group, node, VbucketSet.range(0, 1023))
                .join();
        assertThat(claim.checkpoints()).hasSize(1024);
    }

    @Test
    void nodeThatDoesNotKnowItsShare_keepsWhatIsRecordedForItAndHasNotStarted() {
        recordAllFor("a");
        layout.set(Layout.contiguous("unknown", List.of()));

        AtomicBoolean released = new AtomicBoolean();
        fixture.checkpoints.onGiveUp = () -> released.set(true);

        CompletableFuture<Void> start = a.startAgain(Fixture.spec());

        int before = looksOfA.get();
        await().atMost(PATIENCE).until(() -> looksOfA.get() > before + 20);
        assertThat(start).isNotDone();
        assertThat(released).isFalse();

        layout.set(Layout.contiguous("1", List.of("a")));
        start.join();
        owns(a, "0-1023");
    }

    @Test
    void vbuckets_areNotReleasedWhileAHandlerWorksOnThem() {
        fixture.workers.handling((event, life) -> life.hang());
        a.start(Fixture.with(Fixture.spec(), changes -> changes.timeout(PATIENCE)), null)
                .join();
        owns(a, "0-1023");
        fixture.put("stuck");
        await().atMost(PATIENCE).until(() -> !fixture.workers.batches().isEmpty());
        AtomicInteger workingAtRelease = new AtomicInteger(-1);
        fixture.checkpoints.onGiveUp =
                () -> workingAtRelease.set(fixture.workers.living().size());

        a.stop("f").join();

        assertThat(workingAtRelease).hasValue(0);
    }

    @Test
    void vbuckets_areNotReleasedUntilAKilledWorkerHasEnded() {
        fixture.workers.handling((event, life) -> life.hang());
        CompletableFuture<Void> ended = fixture.workers.delayEnds();
        a.start(Fixture.with(Fixture.spec(), changes -> changes.timeout(PATIENCE)), null)
                .join();
        owns(a, "0-1023");
        fixture.put("stuck");
        await().atMost(PATIENCE).until(() -> !fixture.workers.batches().isEmpty());
        AtomicBoolean released = new AtomicBoolean();
        fixture.checkpoints.onGiveUp = () -> released.set(true);

        CompletableFuture<Void> stopping = a.stop("f");
        await().atMost(PATIENCE).until(() -> fixture.workers.killsAsked() > 0);

        assertThatThrownBy(() -> stopping.get(3, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(released).isFalse();
        ended.complete(null);
        stopping.join();
        assertThat(released).isTrue();
    }

    @Test
    void frozenLayout_leavesVbucketsWhereTheyAre() {
        a.start(Fixture.spec(), null).join();
        owns(a, "0-1023");

        Layout two = Layout.contiguous("2", List.of("a", "b"));
        layout.set(new Layout("2", two.nodes(), two.members(), true, new TreeMap<>()));
        b.start(Fixture.spec(), null).join();
        fixture.putMany("one", 100);

        await().atMost(PATIENCE).until(() -> fixture.workers.handledIds().size() == 100);
        owns(a, "0-1023");
        owns(b, "");
    }

    private static void owns(SuperSupervisor node, String share) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.owned().getOrDefault("f", VbucketSet.NONE))
                        .hasToString(share));
    }

    /** The way of one node to the checkpoints. */
    private static final class Cut implements CheckpointStore {

        private final CheckpointStore store;
        volatile boolean cut;

        Cut(CheckpointStore store) {
            this.store = store;
        }

        private <T> CompletableFuture<T> unless(Supplier<CompletableFuture<T>> call) {
            return cut ? CompletableFuture.failedFuture(new IllegalStateException("Redis is away")) : call.get();
        }

        @Override
        public CompletableFuture<Claim> claim(CheckpointGroup group, String owner, VbucketSet wanted) {
            return unless(() -> store.claim(group, owner, wanted));
        }

        @Override
        public CompletableFuture<List<Integer>> save(CheckpointGroup group, List<Checkpoint> checkpoints) {
            return unless(() -> store.save(group, checkpoints));
        }

        @Override
        public CompletableFuture<List<Integer>> giveUp(CheckpointGroup group, List<Checkpoint> checkpoints) {
            return unless(() -> store.giveUp(group, checkpoints));
        }

        @Override
        public CompletableFuture<List<Checkpoint>> read(CheckpointGroup group) {
            return unless(() -> store.read(group));
        }

        @Override
        public CompletableFuture<Void> deleteAll(CheckpointGroup group) {
            return unless(() -> store.deleteAll(group));
        }

        @Override
        public CompletableFuture<Renewed> renew(String metadataBucket, String node, Duration lease) {
            return unless(() -> store.renew(metadataBucket, node, lease));
        }
    }
}
