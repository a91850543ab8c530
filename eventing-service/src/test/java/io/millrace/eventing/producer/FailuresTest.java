package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.VBuckets;
import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore.Kept;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.runtime.Events;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerId;
import io.millrace.traces.Span;
import io.millrace.traces.TraceContext;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change that fails is tried again, in the order of its document, and is never lost. */
@Timeout(180)
class FailuresTest {

    /** The limit of the same name in the package of deliveries. */
    private static final int MAX_CHANGES_AWAITING_RETRY = 1000;

    private static final Outcome OK = Outcome.success(1);
    private static final Outcome THREW =
            new Outcome(Outcome.Result.THREW, 5, "Error: no", 12, 4, "Error: no\n  at OnUpdate (f:12:4)");
    private static final Duration HOUR = Duration.ofHours(1);

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void start(int retries, Duration pause, int deadLetters) {
        start(new Handling(retries, pause, pause.multipliedBy(4), deadLetters, false, false));
    }

    private void start(Handling handling) {
        fixture.supervisor().start(Fixture.spec().withHandling(handling)).join();
    }

    private List<Kept> letters() {
        return fixture.deadLetters
                .list(Fixture.spec().checkpoints(), Long.MAX_VALUE, 100)
                .join();
    }

    private void awaitAllHandled() {
        await().until(() -> fixture.stats().backlog() == 0);
        long high = fixture.documents.highSeqno(Fixture.BUCKET, 0).join();
        await().untilAsserted(() -> {
            for (int vbucket = 0; vbucket < VBuckets.COUNT; vbucket++) {
                assertThat(fixture.checkpoint(vbucket)).isEqualTo(high);
            }
        });
    }

    @Test
    void changeThatFails_isTriedAgainUntilItIsHandled() {
        AtomicInteger failures = new AtomicInteger();
        fixture.workers.handling(
                (event, life) -> event.id().equals("a") && failures.incrementAndGet() < 3 ? THREW : OK);
        start(5, Duration.ofMillis(1), 10);
        fixture.put("a");
        fixture.put("b");

        await().until(() -> fixture.execution("on_update_success") == 2);
        awaitAllHandled();
        assertThat(fixture.workers.handledIds()).containsExactlyInAnyOrder("a", "b", "a", "a");
        assertThat(fixture.execution("on_update_failure")).isEqualTo(2);
        assertThat(fixture.processing("retry_counter")).isEqualTo(2);
        assertThat(letters()).isEmpty();
    }

    @Test
    void changeThatFailsForGood_isKeptAndNothingIsStuck() {
        fixture.workers.handling((event, life) -> event.id().equals("a") ? THREW : OK);
        start(2, Duration.ofMillis(1), 10);
        fixture.put("a");
        fixture.put("b");

        await().until(() -> letters().size() == 1);
        awaitAllHandled();
        DeadLetter letter = letters().getFirst().letter();
        Event event = fixture.workers.handled().stream()
                .filter(one -> one.id().equals("a"))
                .findFirst()
                .orElseThrow();
        assertThat(letter.name()).isEqualTo(event.vbucket() + "-" + event.seqno());
        assertThat(letter.change().id()).isEqualTo("a");
        assertThat(letter.tries().attempts()).isEqualTo(3);
        assertThat(letter.failure().error()).isEqualTo("Error: no");
        assertThat(letter.failure().result()).isEqualTo("threw");
        assertThat(List.of(letter.failure().line(), letter.failure().column())).containsExactly(12, 4);
        assertThat(letter.failure().stack()).contains("at OnUpdate (f:12:4)");
        assertThat(letter.content().document()).isEqualTo("{}");
        assertThat(letter.tries().died()).isGreaterThanOrEqualTo(letter.tries().firstFailed());
        await().until(() -> fixture.processing("dead_letter_counter") == 1);
        await().until(() -> fixture.log.stream().anyMatch(line -> line.contains("dead letter " + letter.name())));
    }

    @Test
    void changeThatIsTracedAndFailsForGood_saysSoInItsTrace() {
        TraceContext trace = TraceContext.random();
        fixture.workers.handling((event, life) -> THREW);
        start(0, Duration.ofMillis(1), 10);

        fixture.put(Keyspace.of(Fixture.BUCKET), "a", Origin.ofClient(trace));

        await().until(() -> letters().size() == 1);
        DeadLetter letter = letters().getFirst().letter();
        assertThat(letter.trace()).isEqualTo(trace.traceId());
        Span span = fixture.spans.getFirst();
        assertThat(List.of(span.trace(), span.parent(), span.kind().name(), span.error()))
                .containsExactly(trace.traceId(), trace.spanId(), "DEAD_LETTER", "Error: no");
        assertThat(span.attribute("letter")).isEqualTo(letter.name());
        assertThat(span.attribute(Span.Attribute.FUNCTION))
                .isEqualTo(Fixture.spec().name());
    }

    @Test
    void functionWithoutRetriesAndLetters_behavesAsInCouchbase() {
        fixture.workers.handling((event, life) -> THREW);
        start(Handling.AS_COUCHBASE);
        fixture.put("a");

        await().until(() -> fixture.execution("on_update_failure") == 1);
        awaitAllHandled();
        assertThat(letters()).isEmpty();
        assertThat(fixture.processing("retry_counter")).isZero();
    }

    @Test
    void changeThatWaits_holdsItsCheckpointAndComesAgainAfterACrash() {
        AtomicInteger failures = new AtomicInteger();
        fixture.workers.handling(
                (event, life) -> event.id().equals("a") && failures.incrementAndGet() == 1 ? THREW : OK);
        start(1, HOUR, 10);
        fixture.put("a");
        await().until(() -> fixture.execution("on_update_failure") == 1);
        fixture.putMany("d", 50);
        long high = fixture.documents.highSeqno(Fixture.BUCKET, 0).join();
        await().until(() -> fixture.execution("on_update_success") == 50);
        int vbucket = VBuckets.of("a");
        await().until(() -> fixture.checkpoint((vbucket + 1) % VBuckets.COUNT) == high);
        assertThat(fixture.checkpoint(vbucket)).isZero();
        assertThat(fixture.stats().backlog()).isEqualTo(1);

        fixture.crashAndRestart();
        start(1, HOUR, 10);

        await().until(() ->
                fixture.workers.handledIds().stream().filter("a"::equals).count() == 2);
        awaitAllHandled();
    }

    @Test
    void laterChange_takesThePlaceOfOneThatWaits() {
        AtomicInteger failures = new AtomicInteger();
        fixture.workers.handling((event, life) -> failures.incrementAndGet() == 1 ? THREW : OK);
        start(1, HOUR, 10);
        fixture.put("a");
        await().until(() -> fixture.execution("on_update_failure") == 1);

        fixture.put("a");

        await().until(() -> fixture.processing("retry_superseded_counter") == 1);
        awaitAllHandled();
        assertThat(fixture.workers.handledIds()).containsExactly("a", "a");
        assertThat(letters()).isEmpty();
    }

    @Test
    void changeThatKillsWorkers_isKeptWithoutRetries() {
        fixture.workers.handling((event, life) -> {
            if (event.id().equals("a")) {
                throw new FakeWorkers.Crash();
            }
            return OK;
        });
        start(50, Duration.ofMillis(1), 10);
        fixture.put("a");

        await().until(() -> letters().size() == 1);
        assertThat(letters().getFirst().letter().failure().result()).isEqualTo("worker_ended");
        awaitAllHandled();
    }

    @Test
    void manyChangesThatFail_areHandledInOrderWithoutLoss() {
        Map<String, Integer> left = new ConcurrentHashMap<>();
        fixture.workers.handling((event, life) -> {
            boolean fails = ThreadLocalRandom.current().nextInt(3) == 0
                    && left.merge(event.id() + event.seqno(), 1, Integer::sum) < 20;
            return fails ? THREW : OK;
        });
        start(100, Duration.ofMillis(1), 10);
        Random random = new Random(7);
        for (int i = 0; i < 4000; i++) {
            fixture.put("d" + random.nextInt(40));
        }

        awaitAllHandled();
        Map<String, Long> newest = new HashMap<>();
        for (Event event : fixture.workers.handled()) {
            Long before = newest.put(event.id(), event.cas());
            assertThat(before == null ? 0 : before).as(event.id()).isLessThanOrEqualTo(event.cas());
        }
        assertThat(newest).hasSize(40);
        assertThat(letters()).isEmpty();
    }

    @Test
    void moreFailuresThanMayWait_holdTheFeedBack() {
        Set<String> tried = ConcurrentHashMap.newKeySet();
        fixture.workers.handling((event, life) -> tried.add(event.id()) ? THREW : OK);
        fixture.putMany("d", 30_000);
        start(1, HOUR, 10);

        await().until(() -> tried.size() >= MAX_CHANGES_AWAITING_RETRY);
        // what was read before is handed out; of the rest nothing is
        await().during(Duration.ofMillis(300)).until(() -> fixture.rowsRead.get() < 20_000 && tried.size() < 20_000);
        assertThat(fixture.stats().backlog()).isEqualTo(30_000);
    }

    @Test
    void letterThatIsReplayed_isHandledAsItsDocumentIsNow() {
        AtomicInteger calls = new AtomicInteger();
        fixture.workers.handling((event, life) -> calls.incrementAndGet() == 1 ? THREW : OK);
        start(0, Duration.ofMillis(1), 10);
        fixture.put("a");
        await().until(() -> letters().size() == 1);
        awaitAllHandled();

        replay(letters().getFirst().letter());

        await().until(() -> letters().isEmpty());
        assertThat(fixture.workers.handledIds()).containsExactly("a", "a");
        assertThat(fixture.processing("dead_letter_replay_counter")).isEqualTo(1);
    }

    @Test
    void letterWhoseReplayFails_staysWithOneMoreAttempt() {
        fixture.workers.handling((event, life) -> THREW);
        start(2, Duration.ofMillis(1), 10);
        fixture.put("a");
        await().until(() -> letters().size() == 1);
        DeadLetter before = letters().getFirst().letter();

        replay(before);

        await().until(() -> letters().getFirst().letter().tries().attempts() == 4);
        DeadLetter after = letters().getFirst().letter();
        assertThat(letters()).hasSize(1);
        assertThat(letters().getFirst().replaying()).isFalse();
        assertThat(after.name()).isEqualTo(before.name());
        assertThat(after.tries().firstFailed()).isEqualTo(before.tries().firstFailed());
        awaitAllHandled();
    }

    @Test
    void letterWhoseCollectionIsGone_isRemovedByItsReplay() {
        Keyspace keyspace = new Keyspace(Fixture.BUCKET, "_default", "short");
        fixture.documents.catalog().createCollection(keyspace).join();
        fixture.workers.handling((event, life) -> THREW);
        fixture.supervisor()
                .start(Fixture.with(
                                Fixture.spec(),
                                changes -> changes.source(
                                        new Keyspace(Fixture.BUCKET, FunctionSpec.WILDCARD, FunctionSpec.WILDCARD)))
                        .withHandling(new Handling(0, Duration.ofMillis(1), Duration.ofMillis(4), 10, false, false)))
                .join();
        fixture.put(keyspace, "a", null);
        await().until(() -> letters().size() == 1);
        fixture.documents.catalog().dropCollection(keyspace).join();

        replay(letters().getFirst().letter());

        await().until(() -> letters().isEmpty());
    }

    /** The replay reads the state of a change that waits in the lane in front of it. */
    @Test
    void changeThatFailsInFrontOfAReplayOfItsState_isNotStuck() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        fixture.workers.handling((event, life) -> {
            if (event.id().equals("b")) {
                busy.countDown();
                go.await();
                return OK;
            }
            return calls.incrementAndGet() <= 3 ? THREW : OK;
        });
        Handling handling = new Handling(1, Duration.ofMillis(1), Duration.ofMillis(4), 10, false, false);
        fixture.supervisor()
                .start(Fixture.with(Fixture.spec(), changes -> changes.size(1, 1))
                        .withHandling(handling))
                .join();
        fixture.put("a");
        await().until(() -> letters().size() == 1);
        fixture.put("b");
        busy.await();
        fixture.put("a");
        await().until(() -> fixture.execution("agg_queue_size") == 2);

        replay(letters().getFirst().letter());
        await().until(() -> fixture.processing("dead_letter_replay_counter") == 1);
        go.countDown();

        awaitAllHandled();
        await().until(() -> letters().isEmpty());
        assertThat(calls).hasValue(4);
    }

    private void replay(DeadLetter letter) {
        fixture.deadLetters
                .askForReplay(Fixture.spec().checkpoints(), List.of(letter.name()))
                .join();
    }

    @Test
    void letterReplayedWithADraft_isHandledByASeparateWorker() {
        fixture.workers.handling((event, life) -> life.name().startsWith("draft") ? OK : THREW);
        start(0, Duration.ofMillis(1), 10);
        fixture.put("a");
        await().until(() -> letters().size() == 1);
        DeadLetter letter = letters().getFirst().letter();

        Optional<Outcome> outcome = fixture.supervisor()
                .tryOut(Fixture.spec().withCode("function OnUpdate(doc, meta) { }"), letter)
                .join();

        assertThat(outcome).contains(OK);
        assertThatThrownBy(() -> fixture.supervisor()
                        .tryOut(Fixture.spec().withCode("syntax error"), letter)
                        .join())
                .hasCauseInstanceOf(DeployRejected.class);
        await().untilAsserted(() -> assertThat(fixture.workers.living()).hasSize(1));
    }

    @Test
    void lettersReplayedWithADraft_shareAWorkerAndStopWhenTheTimeIsOver() {
        fixture.workers.handling(
                (event, life) -> life.name().startsWith("draft") && !event.id().equals("b") ? OK : THREW);
        start(0, Duration.ofMillis(1), 10);
        List.of("a", "b", "c").forEach(fixture::put);
        await().until(() -> letters().size() == 3);
        List<DeadLetter> letters = letters().stream().map(Kept::letter).toList();
        FunctionSpec draft = Fixture.spec().withCode("function OnUpdate(doc, meta) { }");

        List<Optional<Outcome>> outcomes = fixture.supervisor()
                .tryOut(draft, letters, List.of(), Duration.ofMinutes(1))
                .join();
        List<Optional<Outcome>> first = fixture.supervisor()
                .tryOut(draft, letters, List.of(), Duration.ZERO)
                .join();

        assertThat(outcomes).hasSize(3);
        for (int i = 0; i < 3; i++) {
            boolean bad = letters.get(i).change().id().equals("b");
            assertThat(outcomes.get(i).orElseThrow().ok()).isEqualTo(!bad);
        }
        assertThat(first).hasSize(1);
    }

    @Test
    void timerReplayedWithADraft_isHandledByASeparateWorker() {
        fixture.workers.handling((event, life) -> life.name().startsWith("draft")
                        && event.kind() == Event.Kind.TIMER
                        && event.scope().equals("cb")
                        && event.id().equals("r")
                ? OK
                : THREW);
        Timer timer = new Timer(new TimerId("cb", "r"), 1000, 1000, 7, 1, NewTimer.NEVER_STALE, "", "{}");

        Outcome outcome = fixture.supervisor()
                .tryOut(Fixture.spec().withCode("function cb(context) { }"), timer)
                .join();

        assertThat(outcome).isEqualTo(OK);
        await().untilAsserted(() -> assertThat(fixture.workers.living()).isEmpty());
    }

    @Test
    void dryRun_isMadeByAWorkerOfItsOwn() {
        List<Event> events = List.of(Events.of(document("a")), Events.of(document("b")));

        List<byte[]> tried = fixture.supervisor()
                .dryRun(Fixture.spec().withCode("function OnUpdate(doc, meta) { }"), events, new byte[] {'{', '}'})
                .join();

        assertThat(tried)
                .map(json -> new String(json, java.nio.charset.StandardCharsets.UTF_8))
                .containsExactly("{\"id\":\"a\"}", "{\"id\":\"b\"}");
        for (String broken : List.of("syntax error", "stops")) {
            CompletableFuture<List<byte[]>> failed =
                    fixture.supervisor().dryRun(Fixture.spec().withCode(broken), events, new byte[] {'{', '}'});
            assertThatThrownBy(failed::join)
                    .hasCauseInstanceOf(broken.equals("stops") ? IOException.class : DeployRejected.class);
        }
        await().untilAsserted(() -> assertThat(fixture.workers.living()).isEmpty());
    }

    private static Document document(String id) {
        return new Document(
                new DocumentKey(Fixture.spec().source().keyspace(), id),
                1,
                Document.State.LIVE,
                new byte[] {'{', '}'},
                Datatype.JSON,
                0,
                null,
                null,
                null,
                null);
    }

    @Test
    void removedFunction_leavesNoLetters() {
        fixture.workers.handling((event, life) -> THREW);
        start(0, Duration.ofMillis(1), 10);
        fixture.put("a");
        await().until(() -> letters().size() == 1);

        fixture.supervisor().remove(Fixture.spec()).join();

        assertThat(letters()).isEmpty();
    }
}
