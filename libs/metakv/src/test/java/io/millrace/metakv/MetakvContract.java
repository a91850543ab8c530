package io.millrace.metakv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What every MetaKV does. Subclasses say which one. */
public abstract class MetakvContract extends MetakvHistoryContract {

    @Test
    void get_ofAMissingPathIsEmpty() {
        assertThat(metakv().get(home + "nothing").blockOptional(LONG)).isEmpty();
    }

    @Test
    void get_returnsTheBytesThatWereSet() {
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }

        String rev = metakv().set(home + "bytes", every).block(LONG);

        MetakvEntry entry = done(metakv().get(home + "bytes"));
        assertThat(entry.value()).isEqualTo(every);
        assertThat(entry.rev()).isEqualTo(rev);
        assertThat(entry.path()).isEqualTo(home + "bytes");
    }

    @Test
    void set_storesUnusualPathsAndValues() {
        for (String name : List.of("a b", "ü-ß-水", "100%", "q?x=1&y#z", "semi;colon", "a/b/c", "+plus+", "%2F", "\"")) {
            set(name, name);

            assertThat(done(metakv().get(home + name)).text()).isEqualTo(name);
        }
        assertThat(metakv().list(home).block(LONG)).hasSize(9);
    }

    @Test
    void set_ofAnEmptyValueIsAnEntry() {
        set("empty", "");

        assertThat(done(metakv().get(home + "empty")).value()).isEmpty();
        assertThat(metakv().list(home).block(LONG)).hasSize(1);
    }

    @Test
    void set_changesTheRevEveryTime() {
        assertThat(List.of(set("x", "1"), set("x", "1"), set("x", "2"))).doesNotHaveDuplicates();
    }

    @Test
    void setWithRev_ofTheCurrentVersionIsApplied() {
        String rev = set("x", "1");

        WriteOutcome outcome = metakv().set(home + "x", bytes("2"), rev).block(LONG);

        MetakvEntry now = done(metakv().get(home + "x"));
        assertThat(now.text()).isEqualTo("2");
        assertThat(outcome).isEqualTo(new WriteOutcome.Written(now.rev()));
    }

    @Test
    void setWithRev_ofAnOlderVersionIsAConflictAndChangesNothing() {
        String old = set("x", "1");
        String current = set("x", "2");

        WriteOutcome outcome = metakv().set(home + "x", bytes("3"), old).block(LONG);

        assertThat(outcome).isEqualTo(new WriteOutcome.Conflict(current));
        assertThat(done(metakv().get(home + "x")).text()).isEqualTo("2");
    }

    @Test
    void setWithRev_ofADeletedEntryIsAConflictWithoutRev() {
        String rev = set("x", "1");
        metakv().delete(home + "x").block(LONG);

        WriteOutcome outcome = metakv().set(home + "x", bytes("2"), rev).block(LONG);

        assertThat(outcome).isEqualTo(new WriteOutcome.Conflict(null));
        assertThat(metakv().get(home + "x").blockOptional(LONG)).isEmpty();
    }

    @Test
    void setWithRev_ofATombstoneIsAConflictWithoutRev() {
        String rev = set("x", "1");
        WriteOutcome deletion = metakv().delete(home + "x", rev).block(LONG);
        assertThat(deletion).isInstanceOf(WriteOutcome.Written.class);

        String deleted = deletion instanceof WriteOutcome.Written(String trace) ? trace : "";

        assertThat(metakv().set(home + "x", bytes("2"), deleted).block(LONG))
                .isEqualTo(new WriteOutcome.Conflict(null));
    }

    @Test
    void add_ofAMissingEntryCreatesIt() {
        WriteOutcome outcome = metakv().add(home + "x", bytes("1")).block(LONG);

        MetakvEntry now = done(metakv().get(home + "x"));
        assertThat(outcome).isEqualTo(new WriteOutcome.Written(now.rev()));
        assertThat(now.text()).isEqualTo("1");
    }

    @Test
    void add_ofAnExistingEntryIsAConflictAndChangesNothing() {
        String rev = set("x", "1");

        WriteOutcome outcome = metakv().add(home + "x", bytes("2")).block(LONG);

        assertThat(outcome).isEqualTo(new WriteOutcome.Conflict(rev));
        assertThat(done(metakv().get(home + "x")).text()).isEqualTo("1");
    }

    @Test
    void add_afterADeletionCreatesTheEntry() {
        set("x", "1");
        metakv().delete(home + "x").block(LONG);

        assertThat(metakv().add(home + "x", bytes("2")).block(LONG)).isInstanceOf(WriteOutcome.Written.class);
    }

    @Test
    void delete_ofAMissingPathDoesNothing() {
        metakv().delete(home + "nothing").block(LONG);

        assertThat(metakv().list(home).block(LONG)).isEmpty();
    }

    @Test
    void delete_removesTheEntry() {
        set("x", "1");

        metakv().delete(home + "x").block(LONG);

        assertThat(metakv().get(home + "x").blockOptional(LONG)).isEmpty();
        assertThat(metakv().list(home).block(LONG)).isEmpty();
    }

    @Test
    void deleteWithRev_ofAnOlderVersionIsAConflict() {
        String old = set("x", "1");
        String current = set("x", "2");

        assertThat(metakv().delete(home + "x", old).block(LONG)).isEqualTo(new WriteOutcome.Conflict(current));
        assertThat(metakv().delete(home + "x", current).block(LONG)).isInstanceOf(WriteOutcome.Written.class);
        assertThat(metakv().delete(home + "x", current).block(LONG)).isEqualTo(new WriteOutcome.Conflict(null));
    }

    @Test
    void list_returnsExactlyTheEntriesAtAnyDepthInOrder() {
        set("d/b", "2");
        set("d/a/deep/er", "1");
        set("d", "not inside");
        set("d2/x", "other");
        set("e/x", "other");

        List<MetakvEntry> found = done(metakv().list(home + "d/"));

        assertThat(found).extracting(MetakvEntry::path).containsExactly(home + "d/a/deep/er", home + "d/b");
        assertThat(found).extracting(MetakvEntry::text).containsExactly("1", "2");
        assertThat(found.get(1).rev())
                .isEqualTo(done(metakv().get(home + "d/b")).rev());
    }

    @Test
    void privateDirectory_isFoundOnlyByItsName() {
        String path = "/secrets" + home + "x";
        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv().watch("/").map(Object::toString).subscribe(seen::add);
        metakv().set(path, bytes("hidden")).block(LONG);
        set("shown", "v");

        await().atMost(LONG).until(() -> seen.stream().anyMatch(event -> event.contains(home + "shown")));
        assertThat(seen).noneMatch(event -> event.contains("/secrets"));
        assertThat(done(metakv().list("/"))).extracting(MetakvEntry::path).doesNotContain(path);
        assertThat(done(metakv().list("/secrets" + home))).hasSize(1);
        watch.dispose();
    }

    @Test
    void list_includesOwnWrites() {
        for (int i = 0; i < 30; i++) {
            String rev = set("x", "v" + i);

            assertThat(metakv().list(home).block(LONG))
                    .containsExactly(new MetakvEntry(home + "x", bytes("v" + i), rev));
        }
    }

    @Test
    void deleteRecursively_deletesOnlyTheDirectory() {
        set("d/a", "1");
        set("d/b/c", "2");
        set("d2", "3");

        assertThat(metakv().deleteRecursively(home + "d/").block(LONG)).isEqualTo(2);

        assertThat(metakv().list(home).block(LONG))
                .extracting(MetakvEntry::name)
                .containsExactly("d2");
        assertThat(metakv().deleteRecursively(home + "d/").block(LONG)).isZero();
    }

    @Test
    void watch_emitsEntriesThenReadyThenChangesInOrder() {
        set("a", "1");
        set("b", "2");

        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv().watch(home).map(this::brief).subscribe(seen::add);
        await().until(() -> seen.contains("ready"));
        set("a", "new value");
        set("b", "secret");
        metakv().delete(home + "a").block(LONG);
        metakv().delete(home + "b").block(LONG);
        metakv().add(home + "a", bytes("again")).block(LONG);

        await().untilAsserted(() -> assertThat(seen)
                .containsExactly("a=1", "b=2", "ready", "a=new value", "b=secret", "a gone", "b gone", "a=again"));
        watch.dispose();
    }

    /** What MetaKV's own sanity test demands of every MetaKV. */
    @Test
    void watch_passesTheSanityTest() {
        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv().watch(home).map(this::brief).subscribe(seen::add);
        await().atMost(LONG).until(() -> seen.contains("ready"));

        assertThat(metakv().get(home + "basic").blockOptional(LONG)).isEmpty();
        String rev = done(metakv().add(home + "basic", bytes("value"))) instanceof WriteOutcome.Written(String first)
                ? first
                : "";
        assertThat(done(metakv().get(home + "basic"))).isEqualTo(new MetakvEntry(home + "basic", bytes("value"), rev));
        assertThat(metakv().add(home + "basic", bytes("again")).block(LONG)).isEqualTo(new WriteOutcome.Conflict(rev));
        assertThat(metakv().set(home + "basic", bytes("new value"), rev).block(LONG))
                .isInstanceOf(WriteOutcome.Written.class);
        assertThat(metakv().set(home + "basic", bytes("late"), rev).block(LONG))
                .isInstanceOf(WriteOutcome.Conflict.class);
        set("secret", "secret");
        assertThat(metakv().list(home).block(LONG))
                .extracting(MetakvEntry::text)
                .containsExactly("new value", "secret");
        metakv().delete(home + "basic").block(LONG);
        metakv().delete(home + "basic").block(LONG);
        assertThat(metakv().deleteRecursively(home).block(LONG)).isEqualTo(1);

        await().atMost(LONG).until(() -> seen.contains("secret gone"));
        assertThat(seen)
                .containsExactly(
                        "ready", "basic=value", "basic=new value", "secret=secret", "basic gone", "secret gone");
        watch.dispose();
    }

    @Test
    void watch_withASlowSubscriberMissesNothing() {
        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv().watch(home)
                .map(this::brief)
                .concatMap(event -> Mono.delay(Duration.ofMillis(30)).thenReturn(event), 1)
                .subscribe(seen::add);
        await().atMost(LONG).until(() -> seen.contains("ready"));
        var expected = new ArrayList<String>(List.of("ready"));

        for (int i = 0; i < 20; i++) {
            set("x", "v" + i);
            expected.add("x=v" + i);
        }
        metakv().delete(home + "x").block(LONG);
        expected.add("x gone");

        await().atMost(LONG).untilAsserted(() -> assertThat(seen).isEqualTo(expected));
        watch.dispose();
    }

    @Test
    void watch_emitsEveryStateOfConcurrentWriters() {
        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv().watch(home).map(this::brief).subscribe(seen::add);
        await().atMost(LONG).until(() -> seen.contains("ready"));

        Flux.range(0, 60)
                .flatMap(i -> metakv().set(home + "x" + i % 3, bytes("v" + i)), 60)
                .blockLast(LONG);

        await().atMost(LONG).until(() -> seen.size() >= 61);
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of("ready"), IntStream.range(0, 60).mapToObj(i -> "x" + i % 3 + "=v" + i))
                        .toList());
        for (MetakvEntry entry : done(metakv().list(home))) {
            List<String> ofPath = seen.stream()
                    .filter(told -> told.startsWith(entry.name() + "="))
                    .toList();
            assertThat(ofPath.getLast()).isEqualTo(entry.name() + "=" + entry.text());
        }
        watch.dispose();
    }

    @Test
    void watch_emitsOnlyItsDirectory() {
        var seen = new CopyOnWriteArrayList<String>();
        Disposable watch = metakv().watch(home + "in/").map(this::brief).subscribe(seen::add);
        await().until(() -> seen.contains("ready"));

        set("out/x", "1");
        set("in2", "2");
        set("in/deep/x", "3");

        await().untilAsserted(() -> assertThat(seen).containsExactly("ready", "in/deep/x=3"));
        watch.dispose();
    }

    @Test
    void watch_neverMissesTheLastStateUnderLoad() {
        var random = new Random(20261121);
        var watched = new AtomicReference<SortedMap<String, MetakvEntry>>(new TreeMap<>());
        Disposable early = metakv().follow(home).subscribe(watched::set);
        var late = new AtomicReference<SortedMap<String, MetakvEntry>>(new TreeMap<>());
        var watches = new ArrayList<Disposable>(List.of(early));

        for (int i = 0; i < 300; i++) {
            String path = home + "k" + random.nextInt(20);
            if (random.nextInt(4) == 0) {
                metakv().delete(path).block(LONG);
            } else {
                metakv().set(path, bytes("v" + i)).block(LONG);
            }
            if (i == 150) {
                watches.add(metakv().follow(home).subscribe(late::set));
            }
        }

        List<MetakvEntry> listed = done(metakv().list(home));
        for (AtomicReference<SortedMap<String, MetakvEntry>> state : List.of(watched, late)) {
            await().untilAsserted(() ->
                    assertThat(Objects.requireNonNull(state.get()).values()).containsExactlyElementsOf(listed));
        }
        watches.forEach(Disposable::dispose);
    }

    @Test
    void watch_servesManyWatchersAtOnce() {
        var last = new CopyOnWriteArrayList<AtomicReference<String>>();
        var watches = new ArrayList<Disposable>();
        for (int i = 0; i < 200; i++) {
            var latest = new AtomicReference<>("");
            last.add(latest);
            watches.add(metakv().watch(home).map(this::brief).subscribe(latest::set));
        }
        await().atMost(LONG)
                .untilAsserted(() ->
                        assertThat(last).allSatisfy(latest -> assertThat(latest).hasValue("ready")));

        set("x", "1");
        set("x", "2");

        await().atMost(LONG)
                .untilAsserted(() ->
                        assertThat(last).allSatisfy(latest -> assertThat(latest).hasValue("x=2")));
        watches.forEach(Disposable::dispose);
    }

    @Test
    void invalidPaths_areRefused() {
        List<ThrowingCallable> calls = List.of(
                () -> metakv().get("no-slash").block(LONG),
                () -> metakv().get(home).block(LONG),
                () -> metakv().set(home + "a//b", bytes("1")).block(LONG),
                () -> metakv().set(home + "../b", bytes("1")).block(LONG),
                () -> metakv().set(home + "line\nbreak", bytes("1")).block(LONG),
                () -> metakv().add(home + "x".repeat(MetakvLimits.MAX_PATH_BYTES), bytes("1"))
                        .block(LONG),
                () -> metakv().list(home + "x").block(LONG),
                () -> metakv().watch(home + "x").blockFirst(LONG));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOfSatisfying(
                            MetakvException.class,
                            failure -> assertThat(failure.code()).isEqualTo(MetakvException.Code.INVALID_PATH));
        }
    }

    @Test
    void values_upToTheLimitAreStoredAndLargerOnesRefused() {
        byte[] largest = new byte[MetakvLimits.MAX_VALUE_BYTES];
        new Random(1).nextBytes(largest);
        var seen = new CopyOnWriteArrayList<MetakvEvent>();
        Disposable watch = metakv().watch(home).subscribe(seen::add);
        await().until(() -> !seen.isEmpty());

        metakv().set(home + "large", largest).block(LONG);

        assertThat(done(metakv().get(home + "large")).value()).isEqualTo(largest);
        await().until(() -> seen.size() == 2);
        assertThat(((MetakvEvent.Changed) seen.get(1)).entry().value()).isEqualTo(largest);
        assertThatThrownBy(() -> metakv().set(home + "larger", new byte[largest.length + 1])
                        .block(LONG))
                .isInstanceOfSatisfying(
                        MetakvException.class,
                        failure -> assertThat(failure.code()).isEqualTo(MetakvException.Code.VALUE_TOO_LARGE));
        watch.dispose();
    }

    @Test
    void register_listsTheNodeUntilItIsReleased() {
        var node = new NodeInfo(UUID.randomUUID().toString(), "eventing", "http://127.0.0.1:8096", "0.1");

        NodeLease lease = metakv().register(node, Duration.ofSeconds(5));

        await().untilAsserted(() -> assertThat(metakv().nodes().block(LONG)).contains(node));
        await().until(lease::current); // the answer may come after the others know
        lease.release().block(LONG);
        assertThat(metakv().nodes().block(LONG)).doesNotContain(node);
    }

    @Test
    void register_withATakenIdWaitsUntilItIsFree() {
        String id = UUID.randomUUID().toString();
        var first = new NodeInfo(id, "eventing", "http://127.0.0.1:8096", "0.1");
        var second = new NodeInfo(id, "eventing", "http://127.0.0.1:8097", "0.1");
        NodeLease held = metakv().register(first, Duration.ofSeconds(60));
        await().atMost(LONG).until(held::current);

        NodeLease tooEarly = metakv().register(second, Duration.ofSeconds(60));
        await().atMost(LONG).until(tooEarly::refused);
        assertThat(tooEarly.current()).isFalse();
        tooEarly.release().block(LONG);
        assertThat(metakv().nodes().block(LONG)).contains(first).doesNotContain(second);

        NodeLease waiting = metakv().register(second, Duration.ofSeconds(60));
        await().atMost(LONG).until(waiting::refused);
        NodeLease restarted = metakv().register(first, Duration.ofSeconds(60));
        await().atMost(LONG).until(restarted::current);
        assertThat(waiting.refused()).isTrue();
        restarted.release().block(LONG);
        held.release().block(LONG);

        await().atMost(LONG).until(waiting::current);
        assertThat(waiting.refused()).isFalse();
        waiting.release().block(LONG);
    }

    protected final String brief(MetakvEvent event) {
        return switch (event) {
            case MetakvEvent.Changed(MetakvEntry entry) -> entry.path().substring(home.length()) + "=" + entry.text();
            case MetakvEvent.Deleted(String path) -> path.substring(home.length()) + " gone";
            case MetakvEvent.Ready() -> "ready";
        };
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
