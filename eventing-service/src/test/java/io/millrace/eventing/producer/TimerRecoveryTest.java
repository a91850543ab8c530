package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.consumer.DeliverySettings;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.lasthandled.LastHandledStore;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.Membership;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.eventing.runtime.RuntimeEnvironment.RuntimeSettings;
import io.millrace.eventing.timers.TimerGroups;
import io.millrace.eventing.timers.TimerRecovery;
import io.millrace.eventing.topics.Channels;
import io.millrace.eventing.topics.TopicStore;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.TimerMark;
import io.millrace.timers.TimerTrace;
import io.millrace.timers.firing.RetryPolicy;
import io.millrace.timers.firing.Schedules;
import io.millrace.timers.firing.TimerScanner;
import io.millrace.timers.firing.TimerScanner.PartitionScan;
import io.millrace.timers.firing.TimerSink;
import io.millrace.timers.firing.TimerSink.Ending;
import io.millrace.timers.firing.TimerWatch;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import io.millrace.workerprotocol.HandlerSettings;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The failure cases of seed document 000, "Failure cases of timers": each timer of a document is fired all the same. */
class TimerRecoveryTest {

    private static final String BUCKET = "source";
    private static final int PARTITIONS = 4;
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final MemoryDocumentStore documents = new MemoryDocumentStore(() -> NOON);
    private final MemoryTimerStore store = new MemoryTimerStore();
    private final FunctionSpec spec = spec();
    private final TimerGroup group = TimerGroups.group(spec);
    private final List<Timer> fired = new ArrayList<>();
    private boolean offline;
    private Instant now = NOON;
    private long epoch;
    private TimerScanner scanner;
    private TimerRecovery recovery;

    @BeforeEach
    void deploy() throws Exception {
        documents.catalog().createBucket(BUCKET, 1).join();
        store.open(group).join();
        takeOver(0);
        check();
    }

    @Test
    void nothingLost_restoresNothing() throws Exception {
        create("doc01", "doc02");
        check();
        assertThat(check()).isZero();
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02");
    }

    @Test
    void timerBlobRolledBack_isRestoredFromTheLostIntervalOfTheFeed() throws Exception {
        create("doc01", "doc02");
        check();
        String mark = Long.toString(high());
        check();
        create("doc03", "doc1000");
        check();

        rollBack(mark, "doc01", "doc02");

        assertThat(check()).isEqualTo(2);
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02", "doc03", "doc1000");
    }

    @Test
    void timerBlobRolledBackWhileItHadNoOwner_isRestoredByTheNextOwner() throws Exception {
        create("doc01");
        check();
        String mark = Long.toString(high());
        create("doc02");
        check();
        long checkpoint = high();

        rollBack(mark, "doc01");
        takeOver(checkpoint);

        assertThat(check()).isEqualTo(1);
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02");
    }

    @Test
    void timerBlobLost_isMadeAgainFromTheDocuments() throws Exception {
        create("doc01", "doc02", "doc03");
        check();
        check();

        rollBack("");

        assertThat(check()).isEqualTo(3);
        assertThat(check()).isZero();
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02", "doc03");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void checkpointRolledBackOrLost_restoresNothingThatIsThere(boolean lost) throws Exception {
        create("doc01");
        check();
        long earlier = high();
        create("doc02");
        check();
        check();

        takeOver(lost ? 0 : earlier);

        assertThat(check()).isZero();
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02");
    }

    @Test
    void checkpointAndTimerBlobRolledBackToDifferentMoments_areMadeAgainFromTheDocuments() throws Exception {
        create("doc01");
        check();
        String mark = Long.toString(high());
        create("doc02");
        check();
        long checkpoint = high();
        create("doc03");
        check();

        rollBack(mark, "doc01");
        takeOver(checkpoint);

        assertThat(check()).isEqualTo(2);
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02", "doc03");
    }

    @Test
    void checkpointAndTimerBlobLost_areMadeAgainFromTheDocuments() throws Exception {
        create("doc01", "doc02");
        check();

        rollBack("");
        takeOver(0);

        assertThat(check()).isEqualTo(2);
        assertThat(firedAtNoon()).containsExactlyInAnyOrder("doc01", "doc02");
    }

    @Test
    void clockOfTheOwnerSkewed_firesByTheDirectoryAndNeverEarlyByTheOwner() throws Exception {
        create("doc01");
        now = NOON.minus(Duration.ofDays(1));
        assertThat(fire()).as("the clock was set back").isEmpty();
        takeOver(high());
        assertThat(firedAtNoon()).containsExactly("doc01");

        create("doc02");
        now = NOON.plus(Duration.ofDays(365));
        assertThat(fire()).as("the clock was set forward").containsExactly("doc01", "doc02");
    }

    @Test
    void timersOffline_areWaitedFor() throws Exception {
        create("doc01");
        check();
        rollBack("");

        offline = true;
        assertThatThrownBy(this::check).isInstanceOf(ExecutionException.class);
        now = NOON;
        assertThatThrownBy(this::fire).hasRootCauseInstanceOf(IOException.class);
        offline = false;

        assertThat(check()).isEqualTo(1);
        assertThat(firedAtNoon()).containsExactly("doc01");
    }

    @Test
    void ownerDead_leavesWhatItFiredToTheNext() throws Exception {
        create("doc01");
        check();
        now = NOON;
        scanner.tick().join();
        assertThat(fired).hasSize(1);

        takeOver(high());

        assertThat(check()).isZero();
        assertThat(firedAtNoon()).as("its end was not told").containsExactly("doc01", "doc01");
    }

    @Test
    void tracesOfAnEarlierDeployment_areIgnored() throws Exception {
        write("doc01", TimerTrace.text("instance-0", Map.of("cb", new TimerTrace(5, ""))));
        write("doc02", "gibberish");
        rollBack("");

        assertThat(check()).isZero();
    }

    private void create(String... ids) {
        for (String id : ids) {
            TimerTrace trace = new TimerTrace(NOON.toEpochMilli(), "o;:o");
            store.create(group, trace.timer("cb", id, '"' + id + '"')).join();
            write(id, TimerTrace.text(spec.instance(), Map.of("cb", trace)));
        }
    }

    private void write(String id, String traces) {
        String attributes = "{\"_timers\":{\"%s\":\"%s\"}}".formatted(spec.functionId(), traces);
        Write write = Write.upsert(new DocumentKey(Keyspace.of(BUCKET), id), new byte[] {'1'})
                .withXattrs(null, attributes.getBytes(StandardCharsets.UTF_8));
        documents.write(write).join();
    }

    /** Makes the timer store what it was when these timers were in it. */
    private void rollBack(String mark, String... ids) {
        store.drop(group).join();
        store.open(group).join();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            store.take(group, partition, epoch).join();
            if (!mark.isEmpty()) {
                store.mark(group, new TimerMark(partition, epoch, "", mark)).join();
            }
        }
        for (String id : ids) {
            NewTimer timer = new TimerTrace(NOON.toEpochMilli(), "").timer("cb", id, '"' + id + '"');
            store.create(group, timer).join();
        }
    }

    /** Another owner begins, with a checkpoint. */
    private void takeOver(long checkpoint) {
        TimerSink sink = new TimerSink() {
            @Override
            public int room() {
                return 100;
            }

            @Override
            public void fire(List<Timer> timers) {
                fired.addAll(timers);
            }
        };
        scanner = new TimerScanner(network(), group, () -> now, sink, RetryPolicy.NONE, Schedules.NONE, lag -> {});
        scanner.take(++epoch, 0, PARTITIONS - 1).join();
        recovery = new TimerRecovery(spec, environment(), document -> true, new long[] {checkpoint});
    }

    private int check() throws InterruptedException, ExecutionException, TimeoutException {
        List<PartitionScan> owned = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new PartitionScan(partition, epoch, 0, 0, 0))
                .toList();
        return recovery.check(owned);
    }

    private long high() {
        return documents.highSeqno(BUCKET, 0).join();
    }

    private List<String> firedAtNoon() {
        now = NOON;
        return fire();
    }

    private List<String> fire() {
        scanner.tick().join();
        fired.forEach(timer -> scanner.ended(timer, Ending.DONE));
        scanner.tick().join();
        return fired.stream().map(timer -> timer.id().reference()).toList();
    }

    private RuntimeEnvironment environment() {
        CheckpointStore checkpoints = CheckpointStore.inMemory(() -> NOON);
        return new RuntimeEnvironment(
                "node",
                "redis://nowhere",
                documents,
                checkpoints,
                (name, socket, placement) -> {
                    throw new IOException("There are no workers here");
                },
                (function, lines) -> {},
                InstantSource.system(),
                RuntimeSettings.DEFAULT,
                DeliverySettings.DEFAULT,
                HandlerSettings.Access.PUBLIC,
                network(),
                new TimerWatch(network(), InstantSource.system()),
                DeadLetterStore.inMemory(checkpoints),
                LastHandledStore.inMemory(checkpoints),
                Membership.alone("node"),
                TraceSampler.NEVER,
                SpanSink.NONE,
                TopicStore.onRedis(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                new Channels(() -> CompletableFuture.failedFuture(new IllegalStateException("no Redis"))),
                RealWorkers.KAFKA);
    }

    /** The store, as far as it can be reached. */
    private TimerStore network() {
        return (TimerStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TimerStore.class}, (proxy, method, arguments) -> {
                    if (offline) {
                        return CompletableFuture.failedFuture(new IOException("offline"));
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static FunctionSpec spec() {
        FunctionSpec plain = Fixture.spec();
        var timers = new HandlerSettings.TimerSettings(
                "meta", 1, plain.functionId(), PARTITIONS, 1024, 1, 50, "_default._default", List.of());
        return Fixture.with(
                plain,
                changes -> changes.source(Keyspace.of(BUCKET))
                        .size(1, 1)
                        .language("5.0.0")
                        .timers(timers));
    }
}
