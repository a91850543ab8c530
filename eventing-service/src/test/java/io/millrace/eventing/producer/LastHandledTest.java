package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An update that changes nothing is left out, one that changes something never. */
@Timeout(180)
class LastHandledTest {

    /** The limit of the same name in the package of deliveries. */
    private static final int MAX_OLD_DOCUMENT_BYTES = 64 * 1024;

    private static final Outcome OK = Outcome.success(1);
    private static final Outcome THREW = new Outcome(Outcome.Result.THREW, 5, "Error: no", 12, 4);
    private static final Handling SKIPPING =
            new Handling(0, Duration.ofMillis(1), Duration.ofMillis(1), 0, true, false);

    private static final Handling SHOWING = new Handling(0, Duration.ofMillis(1), Duration.ofMillis(1), 0, false, true);

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void start(Handling handling) {
        fixture.supervisor().start(Fixture.spec().withHandling(handling)).join();
    }

    private void put(String id, String body) {
        put(id, body, null);
    }

    private void put(String id, String body, @Nullable Origin origin) {
        DocumentKey key = new DocumentKey(Keyspace.of(Fixture.BUCKET), id);
        fixture.documents
                .write(Write.upsert(key, body.getBytes(StandardCharsets.UTF_8)).withOrigin(origin))
                .join();
    }

    private void remove(String id) {
        fixture.documents
                .write(Write.remove(new DocumentKey(Keyspace.of(Fixture.BUCKET), id)))
                .join();
    }

    private List<String> bodies() {
        return fixture.workers.handled().stream()
                .map(event -> new String(event.body(), StandardCharsets.UTF_8))
                .toList();
    }

    private long unchanged() {
        return fixture.processing("dcp_mutation_unchanged_counter");
    }

    private void awaitAllHandled() {
        await().until(() -> fixture.stats().backlog() == 0);
        long high = fixture.documents.highSeqno(Fixture.BUCKET, 0).join();
        await().until(() -> {
            for (int vbucket = 0; vbucket < 1024; vbucket++) {
                if (fixture.checkpoint(vbucket) != high) {
                    return false;
                }
            }
            return true;
        });
    }

    @Test
    void updateThatChangesNothing_isLeftOutAndCounted() {
        start(SKIPPING);
        put("a", "1");
        awaitAllHandled();

        put("a", "1");
        await().until(() -> unchanged() == 1);
        put("a", "2");
        awaitAllHandled();
        put("a", "1");
        awaitAllHandled();

        assertThat(bodies()).containsExactly("1", "2", "1");
        assertThat(unchanged()).isEqualTo(1);
    }

    @Test
    void changesThatAreNotHandled_areNotLookedUp() {
        Keyspace elsewhere = new Keyspace(Fixture.BUCKET, "s", "c");
        fixture.documents.catalog().createScope(Fixture.BUCKET, "s").join();
        fixture.documents.catalog().createCollection(elsewhere).join();
        start(SKIPPING);
        fixture.put(elsewhere, "a", null);
        put("b", "1", new Origin(Fixture.spec().instance(), 1));
        put("c", "1");

        awaitAllHandled();

        assertThat(bodies()).containsExactly("1");
        assertThat(fixture.statesRead).hasValue(1);
    }

    @Test
    void functionThatDoesNotSkip_handlesEveryUpdate() {
        start(Handling.AS_COUCHBASE);
        put("a", "1");
        awaitAllHandled();
        put("a", "1");
        awaitAllHandled();

        assertThat(bodies()).containsExactly("1", "1");
    }

    @Test
    void whatWasHandled_isKnownAfterACrash() {
        start(SKIPPING);
        put("a", "1");
        awaitAllHandled();

        fixture.crashAndRestart();
        start(SKIPPING);
        put("a", "1");

        await().until(() -> unchanged() == 1);
        awaitAllHandled();
        assertThat(bodies()).containsExactly("1");
    }

    @Test
    void updateToAStateThatFailed_isHandled() {
        AtomicInteger calls = new AtomicInteger();
        fixture.workers.handling((event, life) -> calls.incrementAndGet() == 2 ? THREW : OK);
        start(SKIPPING);
        for (String body : List.of("1", "2", "2", "2")) {
            put("a", body);
            awaitAllHandled();
        }

        assertThat(bodies()).containsExactly("1", "2", "2");
        assertThat(unchanged()).isEqualTo(1);
    }

    @Test
    void documentThatCameBack_isHandled() {
        start(SKIPPING);
        put("a", "1");
        awaitAllHandled();
        remove("a");
        awaitAllHandled();
        put("a", "1");
        awaitAllHandled();

        assertThat(bodies()).containsExactly("1", "", "1");
    }

    @Test
    void updateThatUndoesWhatTheFunctionWrote_isHandled() {
        start(SKIPPING);
        put("a", "1");
        awaitAllHandled();
        put("a", "1 enriched", new Origin(Fixture.spec().instance(), 1));
        awaitAllHandled();
        put("a", "1");
        awaitAllHandled();

        assertThat(bodies()).containsExactly("1", "1");
        assertThat(unchanged()).isZero();
    }

    @Test
    void writeOfTheFunctionThatIsReadBeforeItsOutcome_isNotForgotten() {
        fixture.workers.handling((event, life) -> {
            if (fixture.workers.handled().isEmpty()) {
                put("a", "1 enriched", new Origin(Fixture.spec().instance(), 1));
                await().until(() -> fixture.processing("dcp_mutation_suppressed_counter") == 1);
            }
            return OK;
        });
        start(SKIPPING);
        put("a", "1");
        awaitAllHandled();
        put("a", "1");
        awaitAllHandled();

        assertThat(bodies()).containsExactly("1", "1");
    }

    private List<String> olds() {
        return fixture.workers.handled().stream()
                .map(event -> event.old() == null ? "-" : new String(event.old(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void functionWithBeforeImages_isShownWhatItHandledLast() {
        start(SHOWING);
        put("a", "1");
        awaitAllHandled();
        put("a", "2");
        awaitAllHandled();
        fixture.crashAndRestart();
        start(SHOWING);
        put("a", "2");
        awaitAllHandled();
        remove("a");
        awaitAllHandled();
        put("a", "3");
        awaitAllHandled();

        assertThat(bodies()).containsExactly("1", "2", "2", "", "3");
        assertThat(olds()).containsExactly("-", "1", "2", "2", "-");
    }

    @Test
    void functionWithoutBeforeImages_isShownNone() {
        start(SKIPPING);
        put("a", "1");
        awaitAllHandled();
        put("a", "2");
        awaitAllHandled();

        assertThat(olds()).containsExactly("-", "-");
    }

    @Test
    void changeAfterOneThatFailed_isShownWhatWasHandledBefore() {
        AtomicInteger calls = new AtomicInteger();
        fixture.workers.handling((event, life) -> calls.incrementAndGet() == 2 ? THREW : OK);
        start(SHOWING);
        for (String body : List.of("1", "2", "3")) {
            put("a", body);
            awaitAllHandled();
        }

        assertThat(olds()).containsExactly("-", "1", "1");
    }

    @Test
    void changeAfterOneOfTheFunctionItself_getsItAsTheOldDocument() {
        fixture.workers.handling((event, life) -> {
            if (fixture.workers.handled().isEmpty()) {
                put("a", "1 enriched", new Origin(Fixture.spec().instance(), 1));
                await().until(() -> fixture.processing("dcp_mutation_suppressed_counter") == 1);
            }
            return OK;
        });
        start(SHOWING);
        put("a", "1");
        awaitAllHandled();
        put("a", "2");
        awaitAllHandled();

        assertThat(olds()).containsExactly("-", "1 enriched");
    }

    @Test
    void documentThatIsTooLarge_isNotKept() {
        start(SHOWING);
        put("a", '"' + "x".repeat(MAX_OLD_DOCUMENT_BYTES) + '"');
        awaitAllHandled();
        put("a", "2");
        awaitAllHandled();
        put("a", "3");
        awaitAllHandled();

        assertThat(olds()).containsExactly("-", "-", "2");
    }

    @Test
    void manyUpdates_showEachWhatWasHandledJustBefore() {
        start(SHOWING);
        Random random = new Random(3);
        for (int i = 0; i < 3000; i++) {
            put("d" + random.nextInt(7), Integer.toString(i));
        }

        awaitAllHandled();
        Map<String, String> last = new HashMap<>();
        for (Event event : fixture.workers.handled()) {
            byte[] old = event.old();
            String body = new String(event.body(), StandardCharsets.UTF_8);
            assertThat(old == null ? null : new String(old, StandardCharsets.UTF_8))
                    .isEqualTo(last.put(event.id(), body));
        }
    }

    @Test
    void manyUpdates_endInTheStateThatIsThere() {
        ConcurrentMap<String, String> seen = new ConcurrentHashMap<>();
        fixture.workers.handling((event, life) -> {
            seen.put(event.id(), new String(event.body(), StandardCharsets.UTF_8));
            return OK;
        });
        start(SKIPPING);
        Random random = new Random(5);
        List<String> last = new ArrayList<>(List.of("", "", "", "", "", "", "", "", "", ""));
        for (int i = 0; i < 5000; i++) {
            int document = random.nextInt(10);
            last.set(document, Integer.toString(random.nextInt(2)));
            put("d" + document, last.get(document));
        }

        awaitAllHandled();
        for (int i = 0; i < 10; i++) {
            assertThat(seen.get("d" + i)).as("d" + i).isEqualTo(last.get(i));
        }
    }
}
