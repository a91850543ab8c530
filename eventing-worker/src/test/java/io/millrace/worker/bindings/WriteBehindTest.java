package io.millrace.worker.bindings;

import static io.millrace.worker.bindings.FaultyStore.key;
import static io.millrace.worker.bindings.FaultyStore.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.Expiry;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.Samples;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.bindings.FaultyStore.Fate;
import io.millrace.worker.bindings.WriteBehind.StoreTimeout;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.Outcome;
import io.millrace.workerprotocol.WorkerExit;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WriteBehindTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SEED = 42;

    private final FaultyStore store = new FaultyStore();
    private final ManualTime time = new ManualTime();
    private final Counters counters = new Counters();
    private final WriteBehind writes =
            new WriteBehind(new StoreQueue(store, new MemoryTimerStore(), Runnable::run), time, PATIENCE, counters);

    @Test
    void write_returnsBeforeItsAnswer() throws Exception {
        store.hold();

        writes.write(upsert("a", "1"), invocation());

        assertThat(writes.made()).isEqualTo(1);
        assertThat(writes.settled()).isZero();
        store.release();
        writes.settle();
        assertThat(writes.settled()).isEqualTo(1);
        assertThat(writes.nextAnswer()).isNull();
    }

    @Test
    void writesThatWereLost_areRepeatedWithTheLastOfEachKeyOnly() throws Exception {
        becomes(Fate.LOST, Fate.LOST, Fate.LOST);

        writes.write(upsert("a", "1"), invocation());
        writes.write(upsert("a", "2"), invocation());
        writes.write(upsert("b", "1"), invocation());
        writes.settle();

        assertThat(store.stored("a")).isEqualTo("2");
        assertThat(store.stored("b")).isEqualTo("1");
        assertThat(store.sent()).isEqualTo(3 + 2);
        assertThat(counters.takeDeltas()).containsEntry(Counters.REPAIRS, 2L);
    }

    @Test
    void writeThatWasLost_isNotRepeatedOverALaterOne() throws Exception {
        store.hold();
        becomes(Fate.LOST, Fate.DONE);

        writes.write(upsert("a", "1"), invocation());
        writes.write(upsert("a", "2"), invocation());
        store.release();
        writes.settle();

        assertThat(store.stored("a")).isEqualTo("2");
        assertThat(store.mutations()).isEqualTo(1);
    }

    @Test
    void writeWhoseAnswerWasLost_happensOnce() throws Exception {
        becomes(Fate.ANSWER_LOST, Fate.ANSWER_LOST, Fate.DONE);

        writes.write(upsert("a", "1"), invocation());
        writes.settle();

        assertThat(store.stored("a")).isEqualTo("1");
        assertThat(store.mutations()).isEqualTo(1);
    }

    @Test
    void writeOfALockedDocument_isRepeatedUntilTheLockEnds() throws Exception {
        becomes(Fate.LOCKED, Fate.LOCKED, Fate.DONE);

        writes.write(upsert("a", "1"), invocation());
        writes.settle();

        assertThat(store.stored("a")).isEqualTo("1");
        assertThat(store.mutations()).isEqualTo(1);
    }

    @Test
    void repair_takesPlaceBeforeTheThreadGoesOn() throws Exception {
        becomes(Fate.LOST);

        writes.write(upsert("a", "1"), invocation());
        writes.settle();

        assertThat(writes.settled()).isEqualTo(1);
    }

    @Test
    void read_seesTheWriteBeforeIt() throws Exception {
        store.hold();
        becomes(Fate.LOST);
        writes.write(upsert("a", "1"), invocation());
        CompletableFuture<Void> answered = CompletableFuture.runAsync(
                store::release, CompletableFuture.delayedExecutor(50, java.util.concurrent.TimeUnit.MILLISECONDS));

        Optional<Document> found = writes.read(key("a"), invocation());

        assertThat(found).isPresent();
        answered.join();
    }

    @Test
    void readOfAnotherKey_doesNotWaitForWrites() throws Exception {
        store.hold();
        writes.write(upsert("a", "1"), invocation());

        assertThat(writes.read(key("b"), invocation())).isEmpty();
        assertThat(writes.settled()).isZero();
    }

    @Test
    void storeThatStaysAway_isAnOutageAndLeavesTheWriteUnsettled() throws Exception {
        Invocation before = invocation();
        Invocation during = invocation();
        becomes(Fate.DONE);
        writes.write(upsert("a", "1"), before);
        writes.settle();
        store.fates(() -> Fate.LOST);

        writes.write(upsert("b", "1"), during);
        writes.settle();

        assertThat(writes.outage()).isEqualTo(new StoreOutage(WorkerExit.STORE_AWAY, "Redis does not answer."));
        assertThat(during.outcome().ok()).isTrue();
        assertThat(writes.settled()).isEqualTo(1);
        assertThat(counters.takeDeltas()).doesNotContainKey(Counters.BUCKET_EXCEPTIONS);
        store.fates(() -> Fate.DONE);
        writes.settle();
        assertThat(writes.settled()).as("nothing is settled any more").isEqualTo(1);
    }

    @Test
    void lockThatStays_failsTheInvocationOfTheWrite() throws Exception {
        Invocation invocation = invocation();
        store.fates(() -> Fate.LOCKED);

        writes.write(upsert("a", "1"), invocation);
        writes.settle();

        assertThat(writes.outage()).isNull();
        assertThat(invocation.outcome().result()).isEqualTo(Outcome.Result.WRITE_FAILED);
        assertThat(invocation.outcome().message())
                .contains("target._default._default/a")
                .contains("locked");
        assertThat(counters.takeDeltas()).containsEntry(Counters.BUCKET_EXCEPTIONS, 1L);
    }

    @Test
    void writeThatIsRefused_failsItsInvocationAtOnce() throws Exception {
        Invocation refused = invocation();
        Invocation done = invocation();
        store.hold();
        becomes(Fate.REFUSED, Fate.DONE);

        writes.write(upsert("a", "1"), refused);
        writes.write(upsert("b", "1"), done);
        store.release();
        writes.settle();

        assertThat(refused.outcome().result()).isEqualTo(Outcome.Result.WRITE_FAILED);
        assertThat(done.outcome().result()).isEqualTo(Outcome.Result.SUCCESS);
        assertThat(store.sent()).isEqualTo(2);
    }

    @Test
    void writeToAFullStore_isRepeatedUntilThereIsSpace() throws Exception {
        Invocation invocation = invocation();
        becomes(Fate.FULL, Fate.FULL, Fate.DONE);

        writes.write(upsert("a", "1"), invocation);
        writes.settle();

        assertThat(invocation.outcome().result()).isEqualTo(Outcome.Result.SUCCESS);
        assertThat(store.sent()).isEqualTo(3);
    }

    @Test
    void storeThatStaysFull_isAnOutage() throws Exception {
        store.fates(() -> Fate.FULL);

        writes.write(upsert("a", "1"), invocation());
        writes.settle();

        assertThat(writes.outage()).isEqualTo(new StoreOutage(WorkerExit.STORE_FULL, "Redis refused the command"));
        assertThat(writes.settled()).isZero();
    }

    @Test
    void messageThatRedisDidNotTake_isAnOutageAndOneOfKafkaIsNot() {
        CompletableFuture<Void> failed = CompletableFuture.failedFuture(
                DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "It does not answer."));
        Invocation toKafka = invocation();
        writes.follow(failed, "The message", 1, false, toKafka);
        writes.settle();
        assertThat(writes.outage()).isNull();
        assertThat(toKafka.outcome().result()).isEqualTo(Outcome.Result.WRITE_FAILED);

        writes.follow(failed, "The message", 1, true, invocation());
        writes.settle();

        assertThat(writes.outage()).isEqualTo(StoreOutage.away("It does not answer."));
    }

    @Test
    void writeToAMissingBucket_failsItsInvocation() throws Exception {
        Invocation astray = invocation();

        writes.write(Write.upsert(new DocumentKey(Keyspace.of("nowhere"), "a"), new byte[] {'1'}), astray);
        writes.settle();

        assertThat(astray.outcome().result()).isEqualTo(Outcome.Result.WRITE_FAILED);
        assertThat(astray.outcome().message()).contains("There is no bucket 'nowhere'");
    }

    @Test
    void readFromAStoreThatIsAway_endsInTimeForTheHandler() {
        store.fates(() -> Fate.LOST);
        long end = time.nanos() + Duration.ofSeconds(8).toNanos();

        Invocation by = invocation(end);

        assertThatThrownBy(() -> writes.read(key("a"), by)).isInstanceOf(StoreTimeout.class);
        assertThat(time.nanos()).isLessThan(end);
        assertThat(writes.metBy(by)).isEqualTo(StoreOutage.away("Redis does not answer."));
    }

    @Test
    void readThatOutlastsAnOutage_hasMetNone() throws Exception {
        becomes(Fate.LOST);
        Invocation by = invocation();

        assertThat(writes.read(key("a"), by)).isEmpty();

        assertThat(writes.metBy(by)).isNull();
    }

    @Test
    void writeThatKeptTheHandlerWaiting_hasMetAnOutageOnlyIfItsAnswerSaysSo() throws Exception {
        store.hold();
        becomes(Fate.DONE, Fate.LOST);
        Invocation slow = invocation(time.nanos());
        Invocation away = invocation(time.nanos());
        assertThatThrownBy(() -> writes.writeAndWait(upsert("a", "1"), slow)).isInstanceOf(StoreTimeout.class);
        assertThatThrownBy(() -> writes.writeAndWait(upsert("b", "1"), away)).isInstanceOf(StoreTimeout.class);
        store.release();

        assertThat(writes.metBy(slow)).isNull();
        assertThat(writes.metBy(away)).isEqualTo(StoreOutage.away("Redis does not answer."));
    }

    @Test
    void readBehindALostWrite_endsInTimeForTheHandlerAndKeepsTheWrite() throws Exception {
        store.fates(() -> Fate.LOST);
        long end = time.nanos() + Duration.ofSeconds(8).toNanos();
        Invocation by = invocation(end);
        writes.write(upsert("a", "1"), by);

        assertThatThrownBy(() -> writes.read(key("a"), by)).isInstanceOf(StoreTimeout.class);

        assertThat(time.nanos()).isLessThan(end);
        store.fates(() -> Fate.DONE);
        writes.settle();
        assertThat(store.stored("a")).isEqualTo("1");
        assertThat(by.outcome().ok()).isTrue();
    }

    @Test
    void awaitedWrite_tellsItsResult() throws Exception {
        becomes(Fate.LOST);

        assertThat(writes.writeAndWait(Write.remove(key("a")), invocation())).isInstanceOf(WriteResult.NotFound.class);
        writes.write(upsert("a", "1"), invocation());
        assertThat(writes.writeAndWait(Write.remove(key("a")), invocation())).isInstanceOf(WriteResult.Written.class);
    }

    @Test
    void touch_ofADocumentThatIsLocked_keepsTheBodyWrittenBefore() throws Exception {
        writes.write(upsert("a", "old"), invocation());
        store.hold();
        becomes(Fate.LOCKED, Fate.LOCKED);
        Thread answers = releasing();

        writes.write(upsert("a", "new"), invocation());
        WriteResult touched = writes.writeAndWait(Write.touch(key("a"), Expiry.NEVER), invocation());
        stop(answers);

        assertThat(touched).isInstanceOf(WriteResult.Written.class);
        assertThat(store.stored("a")).isEqualTo("new");
    }

    @Test
    void insert_afterADeletionThatWasLost_insertsIntoNothing() throws Exception {
        writes.write(upsert("a", "old"), invocation());
        store.hold();
        becomes(Fate.LOST, Fate.LOST);
        Thread answers = releasing();

        writes.write(Write.remove(key("a")), invocation());
        WriteResult inserted = writes.writeAndWait(Write.insert(key("a"), bytes("new")), invocation());
        stop(answers);

        assertThat(inserted).isInstanceOf(WriteResult.Written.class);
        assertThat(store.stored("a")).isEqualTo("new");
    }

    @Test
    void awaitedWrite_behindALostOne_isNotSentWhenTheTimeIsUp() throws Exception {
        store.fates(() -> Fate.LOST);
        long end = time.nanos() + Duration.ofSeconds(8).toNanos();
        Invocation by = invocation(end);
        writes.write(upsert("a", "1"), by);

        assertThatThrownBy(() -> writes.writeAndWait(Write.touch(key("a"), Expiry.NEVER), by))
                .isInstanceOf(StoreTimeout.class);

        assertThat(time.nanos()).isLessThan(end);
        assertThat(writes.made()).isEqualTo(1);
        assertThat(writes.metBy(by)).isEqualTo(StoreOutage.away("Redis does not answer."));
        store.fates(() -> Fate.DONE);
        writes.settle();
        assertThat(store.stored("a")).isEqualTo("1");
    }

    @Test
    void awaitedWrite_ofAnotherKey_doesNotWaitForWrites() throws Exception {
        store.hold();
        writes.write(upsert("a", "1"), invocation());
        Invocation impatient = invocation(time.nanos());

        assertThatThrownBy(() -> writes.writeAndWait(Write.insert(key("b"), bytes("1")), impatient))
                .isInstanceOf(StoreTimeout.class);
        assertThat(store.stored("b")).as("sent").isEqualTo("1");
    }

    @Test
    void tooManyUnansweredWrites_makeTheNextOneWait() throws Exception {
        store.hold();
        Invocation impatient = invocation(time.nanos());
        for (int i = 0; i < WorkerLimits.MAX_UNANSWERED_WRITES; i++) {
            writes.write(upsert("k" + i, "1"), impatient);
        }

        assertThatThrownBy(() -> writes.write(upsert("more", "1"), impatient)).isInstanceOf(StoreTimeout.class);

        store.release();
        writes.write(upsert("more", "1"), impatient);
        assertThat(store.stored("more")).isEqualTo("1");
    }

    @Test
    void tooManyUnansweredBytes_makeTheNextOneWait() throws Exception {
        store.hold();
        Invocation impatient = invocation(time.nanos());
        String large = "x".repeat((int) WorkerLimits.MAX_UNANSWERED_BYTES + 1);
        writes.write(upsert("large", large), impatient);

        assertThatThrownBy(() -> writes.write(upsert("more", "1"), impatient)).isInstanceOf(StoreTimeout.class);
    }

    /** After any failures, every document is as its last write left it, and no write took effect twice. */
    @Test
    void anyFaults_leaveEveryDocumentAsItsLastWriteLeftIt() throws Exception {
        Random random = new Random(SEED);
        Map<String, String> expected = new HashMap<>();
        store.fates(() -> Fate.values()[random.nextInt(10) < 7 ? 0 : 1 + random.nextInt(2)]);
        Thread answers = releasing();
        for (int round = 0; round < 20_000; round++) {
            String id = "k" + random.nextInt(12);
            switch (random.nextInt(10)) {
                case 0 -> {
                    writes.write(Write.remove(key(id)), invocation());
                    expected.put(id, "absent");
                }
                case 1 ->
                    assertThat(text(writes.read(key(id), invocation()))).isEqualTo(expected.getOrDefault(id, "absent"));
                case 2 -> writes.settle();
                case 3 -> store.hold();
                case 4 -> writeIf(id, "v" + round, Kind.values()[random.nextInt(4)], random.nextBoolean(), expected);
                default -> {
                    writes.write(upsert(id, "v" + round), invocation());
                    expected.put(id, "v" + round);
                }
            }
        }
        stop(answers);
        writes.settle();

        expected.forEach((id, body) -> assertThat(store.stored(id)).as(id).isEqualTo(body));
        assertThat(writes.settled()).isEqualTo(writes.made());
    }

    private enum Kind {
        INSERT,
        REPLACE,
        TOUCH,
        REMOVE
    }

    /** Makes a write that depends on what is there, and checks that its result is that of the writes before it. */
    private void writeIf(String id, String body, Kind kind, boolean otherCas, Map<String, String> expected)
            throws Exception {
        DocumentKey key = key(id);
        long cas = otherCas ? writes.read(key, invocation()).map(Document::cas).orElse(1L) : 0;
        if (otherCas) {
            writes.write(upsert(id, body + "-other"), invocation());
            expected.put(id, body + "-other");
        }
        boolean there = !expected.getOrDefault(id, "absent").equals("absent");
        Write write = switch (kind) {
            case INSERT -> Write.insert(key, bytes(body));
            case REPLACE -> Write.replace(key, bytes(body)).withCas(cas);
            case TOUCH -> Write.touch(key, Expiry.NEVER).withCas(cas);
            case REMOVE -> Write.remove(key).withCas(cas);
        };

        WriteResult result = writes.writeAndWait(write, invocation());

        boolean takesPlace = !otherCas && there != (kind == Kind.INSERT);
        assertThat(result instanceof WriteResult.Written)
                .as("%s of %s: %s", kind, id, result)
                .isEqualTo(takesPlace);
        if (takesPlace && kind != Kind.TOUCH) {
            expected.put(id, kind == Kind.REMOVE ? "absent" : body);
        }
    }

    /** Starts to release the answers that the store holds, again and again. */
    private Thread releasing() {
        return Thread.startVirtualThread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(20_000);
                store.release();
            }
        });
    }

    private void stop(Thread releasing) throws InterruptedException {
        releasing.interrupt();
        releasing.join();
        store.release();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String text(Optional<Document> document) {
        return document.map(found -> new String(found.body(), java.nio.charset.StandardCharsets.UTF_8))
                .orElse("absent");
    }

    private void becomes(Fate... fates) {
        Iterator<Fate> next = List.of(fates).iterator();
        store.fates(() -> next.hasNext() ? next.next() : Fate.DONE);
    }

    private Invocation invocation() {
        return invocation(time.nanos() + Duration.ofMinutes(10).toNanos());
    }

    private static Invocation invocation(long giveUpNanos) {
        Invocation invocation = new Invocation(Samples.event("e", 1, 0), giveUpNanos);
        invocation.ended(Outcome.success(1));
        return invocation;
    }
}
