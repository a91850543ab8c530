package io.millrace.metakvservice.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakvservice.entries.Entries.Author;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The entries as the process itself uses them: as a client over HTTP finds them. */
class OwnEntriesTest {

    private static final String PATH = "/users/ann";

    private final FailingStore store = new FailingStore();
    private final SystemBucket bucket = new SystemBucket(store, store.streams());
    private final MetakvNode node = new MetakvNode(store, bucket);
    private final OwnEntries own = new OwnEntries(node.entries, node.mirror);

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void watch_afterTheStoreLostItsLatestWrites_tellsTheDifferences() {
        List<String> seen = new CopyOnWriteArrayList<>();
        node.set(PATH, "1");
        node.set("/users/bob", "lost");
        node.set("/other/x", "1");
        own.watch("/users/").map(OwnEntriesTest::told).subscribe(seen::add);
        await().atMost(MetakvNode.LONG)
                .untilAsserted(() -> assertThat(seen).containsExactly("/users/ann=1", "/users/bob=lost", "ready"));

        store.replaceBy(new MemoryDocumentStore(InstantSource.system()));
        node.setInTheEnd(PATH, "2");

        await().atMost(MetakvNode.LONG)
                .untilAsserted(() -> assertThat(seen).contains("/users/bob gone", "/users/ann=2"));
        assertThat(seen).containsOnlyOnce("ready");
    }

    @Test
    void anotherValueWithTheVersionAndSeqnoOfALostOne_isToldToWatches_andHasAnotherRev() {
        List<String> seen = new CopyOnWriteArrayList<>();
        await().atMost(MetakvNode.LONG).until(node.mirror::live); // the history is the first that is written
        String lost = Objects.requireNonNull(own.set(PATH, bytes("lost")).block());
        own.watch("/users/").map(OwnEntriesTest::told).subscribe(seen::add);
        await().atMost(MetakvNode.LONG)
                .untilAsserted(() -> assertThat(seen).containsExactly("/users/ann=lost", "ready"));

        var other = new FailingStore();
        try (var elsewhere = new MetakvNode(other, new SystemBucket(other, other.streams()))) {
            await().atMost(MetakvNode.LONG).until(elsewhere.mirror::live);
            elsewhere.set(PATH, "2");
        }
        store.replaceBy(other);
        node.setInTheEnd("/other/x", "1");

        await().atMost(MetakvNode.LONG)
                .untilAsserted(() -> assertThat(seen).containsExactly("/users/ann=lost", "ready", "/users/ann=2"));
        MetakvEntry found = Objects.requireNonNull(own.get(PATH).block());
        assertThat(numbers(found.rev())).isEqualTo(numbers(lost));
        assertThat(own.set(PATH, bytes("3"), lost).block()).isEqualTo(new WriteOutcome.Conflict(found.rev()));
    }

    @Test
    void aRepeatedWrite_hasTheRevOfTheFirst() {
        Author author = Author.of(null);
        WriteOutcome first = node.entries.set(PATH, bytes("1"), author).block();

        assertThat(node.entries.set(PATH, bytes("1"), author).block()).isEqualTo(first);
        assertThat(own.get(PATH)
                        .map(MetakvEntry::rev)
                        .map(WriteOutcome.Written::new)
                        .block())
                .isEqualTo(first);
    }

    /** Version and seqno of a rev. */
    private static String numbers(String rev) {
        return rev.substring(0, rev.lastIndexOf('-'));
    }

    private static String told(MetakvEvent event) {
        return switch (event) {
            case MetakvEvent.Changed(MetakvEntry entry) -> entry.path() + "=" + entry.text();
            case MetakvEvent.Deleted(String path) -> path + " gone";
            case MetakvEvent.Ready() -> "ready";
        };
    }

    @Test
    void writes_haveTheOutcomesOfAClient_andHistoriesHideTheirValues() {
        String first = Objects.requireNonNull(own.add(PATH, bytes("1"))
                .ofType(WriteOutcome.Written.class)
                .map(WriteOutcome.Written::rev)
                .block());
        String rev = Objects.requireNonNull(own.set(PATH, bytes("2")).block());

        assertThat(own.add(PATH, bytes("3")).block()).isEqualTo(new WriteOutcome.Conflict(rev));
        assertThat(own.set(PATH, bytes("3"), first).block()).isEqualTo(new WriteOutcome.Conflict(rev));
        assertThat(own.set(PATH, bytes("3"), rev).block()).isInstanceOf(WriteOutcome.Written.class);
        assertThat(own.get(PATH).map(MetakvEntry::text).block()).isEqualTo("3");
        assertThat(node.entries.history(PATH, Long.MAX_VALUE, 10).block())
                .hasSize(3)
                .allMatch(EntryChange::sensitive);
        own.delete(PATH).block();
        assertThat(own.get(PATH).block()).isNull();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
