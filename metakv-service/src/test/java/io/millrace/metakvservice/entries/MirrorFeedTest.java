package io.millrace.metakvservice.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.TransactionId;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.metakv.MetakvLimits;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Expected;
import io.millrace.streams.store.StreamStore.PageRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The mirror over a store that fails, forgets and comes back. */
class MirrorFeedTest {

    private static final Duration LONG = MetakvNode.LONG;

    private final FailingStore store = new FailingStore();
    private final SystemBucket bucket = new SystemBucket(store, store.streams());
    private final MetakvNode node = new MetakvNode(store, bucket);

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void list_waitsForTheStoreAtTheStart() {
        store.down = true;
        try (var late = new MetakvNode(store, bucket)) {
            assertThat(late.mirror.live()).isFalse();
            assertThatThrownBy(() -> late.entries.list("/").block(LONG)).isInstanceOf(DocumentsException.class);
            store.down = false;

            await().atMost(LONG).until(late.mirror::live);
            assertThat(late.entries.list("/").block(LONG)).isEmpty();
        }
    }

    @Test
    void watch_goesOnAfterAnOutage() {
        var seen = node.watch();
        node.set("/x", "1");

        store.down = true;
        assertThatThrownBy(() -> node.set("/x", "2")).isInstanceOf(DocumentsException.class);
        store.down = false;
        node.setInTheEnd("/x", "3");

        await().atMost(LONG).untilAsserted(() -> assertThat(seen).containsExactly("reset", "ready", "/x=1", "/x=3"));
    }

    @Test
    void watch_tellsStatesThatWereOverwrittenBeforeTheyWereSeen() {
        node.set("/x", "0");
        node.set("/y", "0");
        var seen = node.watch();

        store.down = true;
        for (int i = 1; i <= 20; i++) {
            store.writeBehind("/x", "v" + i);
            store.writeBehind("/y", "w" + i);
        }
        store.down = false;

        List<String> expected = new ArrayList<>(List.of("reset", "/x=0", "/y=0", "ready"));
        for (int i = 1; i <= 20; i++) {
            expected.add("/x=v" + i);
            expected.add("/y=w" + i);
        }
        await().atMost(LONG).untilAsserted(() -> assertThat(seen).isEqualTo(expected));
    }

    @Test
    void watch_isResumedByAnInstanceThatWasNotThereThen() {
        node.set("/x", "1");
        node.set("/y", "1");
        Cursor place = placeOf(node);
        node.set("/x", "2");
        node.set("/x", "3");
        node.delete("/y");
        node.set("/z", "1");
        node.close();

        try (var other = new MetakvNode(store, bucket);
                var told = other.watch(place)) {
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(told.seen).containsExactly("/x=2", "/x=3", "/y gone", "/z=1", "ready"));
            other.set("/x", "4");
            await().atMost(LONG).untilAsserted(() -> assertThat(told.seen).endsWith("ready", "/x=4"));
        }
    }

    @Test
    void watch_whenTheChangesSinceAreNotKept_startsOver() {
        node.set("/x", "0");
        Cursor place = placeOf(node);
        for (int i = 1; i <= 2 * MetakvLimits.MAX_HISTORY_EVENTS; i++) {
            store.writeBehind("/x", "v" + i);
        }
        bucket.events()
                .prune(ConfigEvents.stream("/x"), MetakvLimits.MAX_HISTORY_EVENTS)
                .join();

        try (var other = new MetakvNode(store, bucket);
                var told = other.watch(place)) {
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(told.seen)
                            .containsExactly("reset", "/x=v" + 2 * MetakvLimits.MAX_HISTORY_EVENTS, "ready"));
        }
    }

    @Test
    void history_isBounded() {
        for (int i = 1; i <= MetakvLimits.MAX_HISTORY_EVENTS + 200; i++) {
            node.streams
                    .append("/x", Expected.any(), set("v" + i), TransactionId.random())
                    .block(LONG);
        }
        for (int i = 1; i <= 6; i++) {
            node.set("/large", "v".repeat(MetakvLimits.MAX_HISTORY_BYTES / 4));
        }

        assertThat(node.streams.afterSeqno("/x", 0).onErrorComplete().block(LONG))
                .isNull();
        assertThat(node.entries
                        .history("/x", PageRequest.END, MetakvLimits.MAX_HISTORY_EVENTS * 2)
                        .block(LONG))
                .hasSizeBetween(MetakvLimits.MAX_HISTORY_EVENTS, MetakvLimits.MAX_HISTORY_EVENTS + 64);
        assertThat(node.entries.history("/large", PageRequest.END, 100).block(LONG))
                .hasSizeBetween(2, 4);
    }

    @Test
    void list_isRightAfterTheStoreLostItsLatestWrites() {
        node.set("/x", "1");
        node.set("/y", "lost");
        node.set("/y", "lost too");

        store.replaceBy(new MemoryDocumentStore(InstantSource.system()));
        bucket.create().block(LONG);
        store.writeBehind("/x", "1");

        assertThat(node.list()).containsExactly("/x=1");
    }

    @Test
    void watch_afterTheStoreLostItsLatestWrites_receivesEveryEntryAgain() {
        node.set("/x", "1");
        node.set("/y", "lost");
        Cursor place = placeOf(node);
        var seen = node.watch();
        seen.clear();

        store.replaceBy(new MemoryDocumentStore(InstantSource.system()));
        node.setInTheEnd("/z", "new");

        await().atMost(LONG).untilAsserted(() -> assertThat(seen).containsExactly("reset", "/z=new", "ready"));
        for (int i = 0; i < 10; i++) {
            node.setInTheEnd("/z", "newer");
        }
        try (var told = node.watch(place)) {
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(told.seen).containsExactly("reset", "/z=newer", "ready"));
        }
    }

    @Test
    void mirror_whenTheBucketIsDropped_isRebuilt() {
        node.set("/x", "1");
        store.catalog().dropBucket(SystemBucket.NAME).join();

        node.setInTheEnd("/y", "2");

        assertThat(node.list()).containsExactly("/y=2");
    }

    @Test
    void mirror_whenTheBucketIsDroppedAndCreatedUnseen_isRebuilt() {
        node.set("/x", "1");
        var seen = node.watch();
        seen.clear();

        store.holdFeeds();
        store.catalog().dropBucket(SystemBucket.NAME).join();
        bucket.create().block(LONG);
        store.writeBehind("/y", "2");
        store.letFeedsGo();

        assertThat(node.list()).containsExactly("/y=2");
        await().atMost(LONG)
                .untilAsserted(() ->
                        assertThat(seen).endsWith("reset", "/y=2", "ready").doesNotContain("/x=1"));
    }

    @Test
    void list_isEmptyAfterTheBucketWasDroppedAndMadeAgainUnseen() {
        node.set("/x", "1");

        store.holdFeeds();
        store.catalog().dropBucket(SystemBucket.NAME).join();
        bucket.create().block(LONG);
        store.letFeedsGo();

        assertThat(node.list()).isEmpty();
    }

    @Test
    void mirror_whenTheStoreWasAnotherOneForAWhile_isThatOfTheFirstAgain() {
        for (int i = 0; i < 10; i++) {
            node.set("/x", "1");
        }
        node.set("/y", "2");
        Runnable back = store.replaceBy(new MemoryDocumentStore(InstantSource.system()));
        bucket.create().block(LONG);
        assertThat(node.list()).isEmpty();

        back.run();
        store.writeBehind("/z", "3");

        await().atMost(LONG).untilAsserted(() -> assertThat(node.list()).containsExactly("/x=1", "/y=2", "/z=3"));
    }

    @Test
    void stop_endsTheWatches() {
        var ended = new CopyOnWriteArrayList<String>();
        Disposable watch = node.entries
                .watch("/", null)
                .flatMapMany(notices -> notices)
                .doOnComplete(() -> ended.add("ended"))
                .subscribe();
        await().atMost(LONG).until(() -> node.entries.watchers() == 1);

        node.close();

        await().atMost(LONG).untilAsserted(() -> assertThat(ended).containsExactly("ended"));
        await().atMost(LONG).until(() -> node.entries.watchers() == 0);
        watch.dispose();
    }

    private static Cursor placeOf(MetakvNode node) {
        try (var told = node.watch((Cursor) null)) {
            await().atMost(LONG).until(() -> told.seen.contains("ready"));
            return Objects.requireNonNull(told.next);
        }
    }

    private static EncodedEvent set(String value) {
        return ConfigEvents.set(value.getBytes(UTF_8), false, Instant.now(), null);
    }
}
