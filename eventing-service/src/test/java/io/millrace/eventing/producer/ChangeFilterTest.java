package io.millrace.eventing.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Origin;
import io.millrace.documents.Write;
import io.millrace.eventing.runtime.FunctionSpec;
import io.millrace.eventing.runtime.FunctionSpec.Handling;
import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers get the changes that meet the filter, and checkpoints advance over the others. */
@Timeout(180)
class ChangeFilterTest {

    private static final String ORDERS = "type = 'order' AND total > 100";

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static FunctionSpec spec(String filter) {
        return Fixture.with(Fixture.spec(), changes -> changes.filter(filter));
    }

    private void start(String filter) {
        fixture.supervisor().start(spec(filter)).join();
    }

    private static Write write(String id, String body) {
        return Write.upsert(new DocumentKey(Keyspace.of(Fixture.BUCKET), id), body.getBytes(StandardCharsets.UTF_8));
    }

    private void put(String id, String body) {
        fixture.documents.write(write(id, body)).join();
    }

    private void order(String id, int total) {
        put(id, "{\"type\": \"order\", \"total\": %d}".formatted(total));
    }

    private void remove(String id) {
        fixture.documents
                .write(Write.remove(new DocumentKey(Keyspace.of(Fixture.BUCKET), id)))
                .join();
    }

    private List<String> handled() {
        return fixture.workers.handled().stream().map(Event::id).toList();
    }

    private void awaitCheckpointsAtTheEnd() {
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
    void changesThatDoNotMatch_areCountedAndNotSent_andCheckpointsPassThem() {
        start(ORDERS);
        order("large", 101);
        order("small", 100);
        put("invoice", "{\"type\": \"invoice\", \"total\": 500}");
        put("other", "{}");

        awaitCheckpointsAtTheEnd();
        assertThat(handled()).containsExactly("large");
        assertThat(fixture.processing("dcp_mutation_unmatched_counter")).isEqualTo(3);
        assertThat(fixture.processing("dcp_mutation_sent_to_worker")).isEqualTo(1);
        assertThat(fixture.stats().backlog()).isZero();
    }

    @Test
    void changesThatDidNotMatch_areNotReadAgainAfterACrash() {
        start(ORDERS);
        order("small", 1);
        awaitCheckpointsAtTheEnd();
        long read = fixture.rowsRead.get();
        fixture.crashAndRestart();

        start(ORDERS);
        order("large", 500);

        await().until(() -> handled().equals(List.of("large")));
        assertThat(fixture.rowsRead.get() - read).isEqualTo(1);
    }

    @Test
    void deletion_isLeftOutOnlyIfTheFilterIsFalseWithoutTheDocument() {
        start("type = 'order' AND META().id LIKE 'eu:%'");
        for (String id : List.of("eu:1", "us:1")) {
            put(id, "{}");
            remove(id);
        }

        awaitCheckpointsAtTheEnd();
        assertThat(handled()).containsExactly("eu:1");
        assertThat(fixture.processing("dcp_deletion_unmatched_counter")).isEqualTo(1);
    }

    @Test
    void deletions_canBeLeftOutAltogether() {
        start("NOT META().deleted");
        put("a", "{}");
        await().until(() -> handled().equals(List.of("a")));
        remove("a");

        awaitCheckpointsAtTheEnd();
        assertThat(handled()).containsExactly("a");
    }

    @Test
    void filter_mayAskForAttributes() {
        start("META().xattrs.source = 'shop' AND META().keyspace = 'source._default._default'");
        byte[] shop = "{\"source\": \"shop\"}".getBytes(StandardCharsets.UTF_8);
        byte[] imported = "{\"source\": \"import\"}".getBytes(StandardCharsets.UTF_8);
        fixture.documents.write(write("a", "{}").withXattrs(shop, null)).join();
        fixture.documents.write(write("b", "{}").withXattrs(imported, null)).join();

        awaitCheckpointsAtTheEnd();
        assertThat(handled()).containsExactly("a");
    }

    @Test
    void filterThatCannotBeComputed_letsTheChangeThroughAndLogsOnce() {
        start("REPEAT('0', n) = ''");
        put("a", "{\"n\": 10000000000}");
        put("b", "{\"n\": 10000000000}");

        await().until(() -> handled().size() == 2);
        assertThat(fixture.processing("filter_failure_counter")).isEqualTo(2);
        assertThat(fixture.log).filteredOn(line -> line.contains("filter")).hasSize(1);
    }

    @Test
    void ownChange_isSuppressedWhateverTheFilterSays() {
        start(ORDERS);
        fixture.documents
                .write(write("a", "{}").withOrigin(new Origin(Fixture.spec().instance(), 1)))
                .join();

        awaitCheckpointsAtTheEnd();
        assertThat(fixture.processing("dcp_mutation_suppressed_counter")).isEqualTo(1);
        assertThat(fixture.processing("dcp_mutation_unmatched_counter")).isZero();
    }

    private static FunctionSpec comparing(String filter) {
        return spec(filter).withHandling(new Handling(0, Duration.ofMillis(1), Duration.ofMillis(1), 0, false, true));
    }

    @Test
    void filterOfBothStates_leavesOutAllButTheChangesFromOneToTheOther() {
        String raised = "total > 100 AND IFMISSING(META().old.total, 0) <= 100";
        fixture.supervisor().start(comparing(raised)).join();
        for (int total : List.of(200, 300, 50, 400, 500)) {
            order("a", total);
            awaitCheckpointsAtTheEnd();
        }

        assertThat(fixture.workers.handled())
                .extracting(event -> new String(event.body(), StandardCharsets.UTF_8))
                .satisfiesExactly(
                        first -> assertThat(first).contains("200"),
                        second -> assertThat(second).contains("400"));
        assertThat(fixture.workers.handled().getLast().old())
                .asString(StandardCharsets.UTF_8)
                .contains("50");
        assertThat(fixture.processing("dcp_mutation_unmatched_counter")).isEqualTo(3);
    }

    @Test
    void statesThatWereLeftOut_areKnownAfterACrash_alsoThoseOfDeletions() {
        String filter = "META().deleted AND META().old.total > 100 OR META().old.total < 10";
        fixture.supervisor().start(comparing(filter)).join();
        order("a", 200);
        order("b", 50);
        order("c", 5);
        awaitCheckpointsAtTheEnd();
        fixture.crashAndRestart();

        fixture.supervisor().start(comparing(filter)).join();
        remove("a");
        remove("b");
        order("c", 6);
        awaitCheckpointsAtTheEnd();

        assertThat(handled()).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void oldDocument_isTheOneThatMatchedLast_ifTheFilterDoesNotCompare() {
        fixture.supervisor().start(comparing(ORDERS)).join();
        for (int total : List.of(200, 50, 300)) {
            order("a", total);
            awaitCheckpointsAtTheEnd();
        }

        assertThat(fixture.workers.handled().getLast().old())
                .asString(StandardCharsets.UTF_8)
                .contains("200");
        assertThat(fixture.statesRead).hasValue(2);
    }
}
