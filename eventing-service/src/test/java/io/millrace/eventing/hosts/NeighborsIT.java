package io.millrace.eventing.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Write;
import io.millrace.documents.notify.ChangeNotifier;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.consumer.Placement.Isolation;
import io.millrace.eventing.consumer.WorkerLauncher;
import io.millrace.testkit.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions that mean well share a process, some of them with one that does not. */
@Timeout(300)
class NeighborsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Path HOME = WorkerLauncher.developmentHome(Path.of(""));
    private static final int INNOCENTS = 20;
    private static final int DEATHS = 100;
    private static final String COPY = "function OnUpdate(doc, meta) { dst[meta.id] = doc; }";

    /** Computes until it is told to stop, which it asks seldom: a thread that waits for an answer uses no processor. */
    private static final String BUSY = """
            function OnUpdate(doc, meta) {
                while (doc.busy && dst.stop === undefined) {
                    for (let i = 0, n = 0; i < 2000000; i++) { n += i; }
                }
                dst[meta.id] = doc;
            }
            """;

    /** What all of them use together before their shares are compared. */
    private static final long MEASURED_NANOS = 6_000_000_000L;

    /** Logs without a pause until it is told to stop. */
    private static final String FLOOD = """
            function OnUpdate(doc) {
                while (dst.stop === undefined) {
                    for (let i = 0; i < 20000; i++) { log('flood', i, 'and more of it'); }
                }
            }
            """;

    /** A single built-in of the engine that runs for minutes cannot be interrupted. */
    private static final String STUCK = "function OnUpdate(doc) { dst.digits = {n: Number(7n ** 40000000n % 10n)}; }";

    /** What an event may wait because of a neighbor, on a machine that has nothing else to do. */
    private static final long LONGEST_WAIT_MILLIS = 2_000;

    /** On a busy machine it may wait so many times as long as it took to start all functions, which is what a death makes necessary. */
    private static final long STARTS = 3;

    private static final String LEAK = """
            function OnUpdate(doc) {
                globalThis.kept = globalThis.kept || [];
                kept.push(new Array(60000).fill(7));
            }
            """;

    /** Long enough that the next test finds the processes of the last one. */
    private static final Duration KEPT_EMPTY = Duration.ofSeconds(2);

    /** A start costs seconds of processor time, so the tests share the processes that live through them. */
    private static final WorkerHosts HOSTS = open(HostSettings.Renewal.NEVER, KEPT_EMPTY);

    private final String bucket = "b" + UUID.randomUUID().toString().replace("-", "");
    private final RedisClient client = RedisClient.create(RedisFixture.url());
    private final StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    private final RedisDocumentStore documents = new RedisDocumentStore(
            () -> CompletableFuture.completedFuture(connection.async()), ChangeNotifier.SILENT, InstantSource.system());
    private final List<Inhabitant> innocents = new ArrayList<>();
    /** How long it took to start the innocents in a warm process. */
    private long startMillis;

    private static WorkerHosts open(HostSettings.Renewal renewal, Duration keptEmpty) {
        return new WorkerHosts(
                new HostSettings(HOME, RedisFixture.url(), 192, false, 0, 1, 1, false, false, renewal, Map.of()),
                DeadConnections.LEFT,
                keptEmpty);
    }

    @BeforeAll
    static void startHosts() {
        HOSTS.start();
        HOSTS.warmUp();
    }

    @AfterAll
    static void closeHosts() {
        HOSTS.close();
    }

    @BeforeEach
    void open() {
        documents.catalog().createBucket(bucket, 1).join();
    }

    private void startInnocents(int count) {
        await().atMost(PATIENCE).until(() -> HOSTS.warm() > 0);
        long began = System.nanoTime();
        startInnocents(HOSTS, count);
        startMillis = (System.nanoTime() - began) / 1_000_000;
    }

    private void startInnocents(WorkerHosts in, int count) {
        startInnocents(in, count, COPY);
    }

    private void startInnocents(WorkerHosts in, int count, String code) {
        for (int n = 0; n < count; n++) {
            innocents.add(new Inhabitant(in, "innocent" + n, Inhabitant.shared(), bucket, code));
        }
        CompletableFuture.allOf(
                        innocents.stream().map(one -> one.consumer.start()).toArray(CompletableFuture[]::new))
                .join();
    }

    @AfterEach
    void close() {
        HOSTS.noSpareWhile(() -> false);
        innocents.forEach(Inhabitant::close);
        documents.close();
        client.shutdown();
    }

    private Inhabitant start(String name, String code) {
        Inhabitant one = new Inhabitant(HOSTS, name, Inhabitant.shared(), bucket, code);
        one.consumer.start().join();
        return one;
    }

    @Test
    void knownCode_runsInAProcessThatWasNotWarmWhenItCame() throws InterruptedException {
        try (WorkerHosts cold = open(HostSettings.Renewal.NEVER, KEPT_EMPTY);
                Inhabitant one = new Inhabitant(cold, "known", Inhabitant.shared(), bucket, COPY)) {
            one.consumer.calls().known();
            one.consumer.start().join();
            assertThat(cold.warm()).isZero();
            one.send("{\"n\":1}");
            await().atMost(PATIENCE).until(one::done);
        }
    }

    private void awaitSpare() {
        await().atMost(PATIENCE).until(() -> HOSTS.spare() > 0);
    }

    private static Set<Long> processes() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private Set<Long> pids() {
        return innocents.stream().map(one -> one.consumer.pid()).collect(Collectors.toSet());
    }

    /** Has each innocent handle so many events, a few of them in flight at any time. */
    private void work(int rounds) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            for (Inhabitant one : innocents) {
                one.send("{\"n\":%d}".formatted(round));
            }
        }
    }

    /** Lets the innocents work before there is trouble; what their first events wait for is their code. */
    private void workInPeace() throws InterruptedException {
        work(20);
        awaitInnocents();
        innocents.forEach(Inhabitant::forgetWaits);
    }

    private void awaitInnocents() {
        await().atMost(PATIENCE).until(() -> innocents.stream().allMatch(Inhabitant::done));
    }

    private long longestMillis() {
        return innocents.stream().mapToLong(Inhabitant::longestMillis).max().orElse(0);
    }

    private void assertInnocentsDidNotWait() {
        System.out.printf("innocents longest_wait_ms=%d start_ms=%d%n", longestMillis(), startMillis);
        assertThat(longestMillis()).isLessThanOrEqualTo(Math.max(LONGEST_WAIT_MILLIS, STARTS * startMillis));
    }

    private void assertInnocentsLostNothing() {
        awaitInnocents();
        assertThat(innocents).allSatisfy(one -> assertThat(one.failures()).isEmpty());
        assertThat(innocents).allSatisfy(one -> assertThat(one.consumer.apart()).isEmpty());
        long sent = innocents.stream().mapToLong(Inhabitant::sent).sum();
        assertThat(documents.count(Keyspace.of(bucket)).join()).isEqualTo(sent);
    }

    /** One allocation that the heap cannot hold ends the process before anything can look. */
    @Test
    void functionThatUsesUpTheHeap_isSetApartAtOnceAndTheOthersGoOnInTheSpare() throws InterruptedException {
        startInnocents(INNOCENTS);
        try (Inhabitant killer = start("killer", "function OnUpdate(doc) { new ArrayBuffer(180000000); }")) {
            awaitSpare();
            long before = killer.consumer.pid();
            assertThat(pids()).containsExactly(before);
            Set<Long> warm = processes();
            workInPeace();

            killer.send("{}");
            work(20);
            await().atMost(PATIENCE).until(() -> !killer.consumer.apart().isEmpty() || killer.done());
            assertThat(killer.failures()).isEmpty();
            work(20);

            assertInnocentsLostNothing();
            assertInnocentsDidNotWait();
            assertThat(pids())
                    .as("none of them waits for the start of a process")
                    .hasSize(1)
                    .doesNotContain(before, killer.consumer.pid())
                    .isSubsetOf(warm);
            assertThat(killer.consumer.apart()).contains("used up the memory");
        }
    }

    @Test
    void functionThatEndedItsProcess_leavesTheWarmOneToTheOthers() {
        await().atMost(PATIENCE).until(() -> HOSTS.warm() == 1);
        HOSTS.noSpareWhile(() -> true);
        Set<Long> first = processes();
        startInnocents(1);
        assertThat(first) // one of another test may have ended meanwhile
                .as("no spare while functions wait for their turn to start")
                .containsAll(processes());
        HOSTS.noSpareWhile(() -> false);
        awaitSpare();
        Set<Long> warm = processes();

        Placement convicted = new Placement("", Isolation.PROCESS, Placement.Start.YIELDING);
        try (Inhabitant killer = new Inhabitant(HOSTS, "killer", convicted, bucket, COPY)) {
            killer.consumer.start().join();

            assertThat(warm).doesNotContain(killer.consumer.pid());
        }
    }

    /** No invocation holds much, but each leaves something behind. */
    @Test
    void functionThatKeepsMoreAndMore_isSetApartBeforeTheHeapIsUsedUp() throws InterruptedException {
        startInnocents(INNOCENTS);
        try (Inhabitant leaker = start("leaker", LEAK)) {
            long before = leaker.consumer.pid();
            assertThat(pids()).containsExactly(before);
            workInPeace();

            while (leaker.consumer.apart().isEmpty()) {
                work(1);
                for (int n = 0; n < 10; n++) {
                    leaker.send("{}");
                }
                await().atMost(PATIENCE)
                        .until(() -> leaker.done() || !leaker.consumer.apart().isEmpty());
            }
            work(5);

            assertInnocentsLostNothing();
            assertInnocentsDidNotWait();
            assertThat(pids()).containsExactly(before);
            await().atMost(PATIENCE).until(leaker::done);
            assertThat(leaker.failures()).isEmpty();
            assertThat(leaker.consumer.apart()).contains("kept the most memory");
            assertThat(leaker.log).anyMatch(line -> line.contains("kept the most memory"));
        }
    }

    /** It computes without end while each of the others computes as well: the system divides the processors by threads. */
    @Test
    void functionThatComputesWithoutEnd_leavesTheOthersTheirShare() throws InterruptedException {
        startInnocents(HOSTS, INNOCENTS, BUSY);
        try (Inhabitant hog = start("hog", "function OnUpdate(doc) { log('at work'); while (true) {} }")) {
            hog.send("{}");
            for (Inhabitant one : innocents) {
                one.send("{\"busy\":true}");
            }
            await().atMost(PATIENCE).until(() -> works(hog) > 0);
            ThreadTimes times = new ThreadTimes(hog.consumer.pid());
            Map<String, Long> before = times.nanosByWorker();

            await().atMost(PATIENCE)
                    .until(() -> sum(ThreadTimes.since(before, times.nanosByWorker())) > MEASURED_NANOS);
            Map<String, Long> used = ThreadTimes.since(before, times.nanosByWorker());
            stopBusyOnes();

            assertThat(used).hasSize(INNOCENTS + 1);
            long fair = sum(used) / used.size();
            assertThat(used.values()).allSatisfy(nanos -> assertThat(nanos).isGreaterThan(fair / 2));
            assertThat(hog.done()).isFalse();
            await().atMost(PATIENCE).until(() -> innocents.stream().allMatch(Inhabitant::done));
        }
    }

    /** Lines leave on a thread of their function, and those that come faster than that are dropped. */
    @Test
    void functionThatFloodsItsLog_keepsNoOtherWaiting() throws InterruptedException {
        startInnocents(INNOCENTS);
        try (Inhabitant flood = start("flood", FLOOD)) {
            workInPeace();

            flood.send("{}");
            await().atMost(PATIENCE).until(() -> flood.log.size() > 1_000);
            work(20);
            awaitInnocents();
            assertThat(flood.done()).isFalse();

            assertInnocentsLostNothing();
            assertInnocentsDidNotWait();
            stopBusyOnes();
            await().atMost(PATIENCE).until(flood::done);
            assertThat(flood.failures()).isEmpty();
            assertThat(pids()).containsExactly(flood.consumer.pid());
        }
    }

    /** Its process ends with it; the others go on before that and after it. */
    @Test
    @Tag("long")
    void functionThatCannotBeStopped_isSetApartAndKeepsNoOtherWaiting() throws InterruptedException {
        startInnocents(INNOCENTS);
        try (Inhabitant stuck =
                new Inhabitant(HOSTS, "stuck", Inhabitant.shared(), bucket, STUCK, Duration.ofSeconds(1))) {
            stuck.consumer.start().join();
            awaitSpare();
            long before = stuck.consumer.pid();
            assertThat(pids()).containsExactly(before);
            workInPeace();

            stuck.send("{}");
            while (stuck.consumer.apart().isEmpty()) {
                work(1);
                awaitInnocents();
            }
            work(20);

            assertInnocentsLostNothing();
            assertInnocentsDidNotWait();
            assertThat(pids()).hasSize(1).doesNotContain(before, stuck.consumer.pid());
            assertThat(stuck.consumer.apart()).contains("could not be stopped");
        }
    }

    /** There is no function to blame: none may be set apart, and no event may be given up. */
    @Test
    @Tag("long")
    @Timeout(3600)
    void processThatIsKilledAgainAndAgain_takesNoEventWithIt() throws InterruptedException {
        startInnocents(INNOCENTS);
        for (int death = 0; death < DEATHS; death++) {
            awaitSpare();
            work(5);
            long pid = innocents.getFirst().consumer.pid();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            work(5);
            await().atMost(PATIENCE).until(() -> pids().size() == 1 && !pids().contains(pid));
            awaitInnocents();
        }

        assertInnocentsLostNothing();
    }

    private static long sum(Map<String, Long> times) {
        return times.values().stream().mapToLong(Long::longValue).sum();
    }

    private void stopBusyOnes() {
        documents
                .write(Write.upsert(
                        new DocumentKey(Keyspace.of(bucket), "stop"), "{}".getBytes(StandardCharsets.UTF_8)))
                .join();
    }

    /** Twenty functions at work move to another process. */
    @Test
    void processThatIsOld_isReplacedWhileItsFunctionsWork() throws InterruptedException {
        try (WorkerHosts renewed = open(new HostSettings.Renewal(Duration.ofSeconds(8), 0), Duration.ofMillis(100))) {
            renewed.start();
            startInnocents(renewed, INNOCENTS);
            Set<Long> before = pids();

            while (pids().stream().anyMatch(before::contains)) {
                work(1);
                await().atMost(PATIENCE).until(() -> innocents.stream().allMatch(Inhabitant::done));
            }

            assertInnocentsLostNothing();
            assertThat(innocents.stream().mapToLong(Inhabitant::repeated).sum()).isZero();
            innocents.forEach(Inhabitant::close);
        }
    }

    /** The process ends without a trace whenever a certain function works. */
    @Test
    void functionWithoutWhichTheProcessLives_isFoundAndSetApart() throws InterruptedException {
        startInnocents(INNOCENTS);
        try (Inhabitant killer = start("killer", "function OnUpdate(doc) { log('at work'); while (true) {} }")) {
            work(5);
            killer.send("{}");
            work(5);

            for (AtomicInteger seen = new AtomicInteger();
                    killer.consumer.apart().isEmpty(); ) {
                await().atMost(PATIENCE).until(() -> works(killer) > seen.get());
                seen.set(works(killer));
                ProcessHandle.of(killer.consumer.pid()).ifPresent(ProcessHandle::destroyForcibly);
                await().atMost(PATIENCE)
                        .until(() -> works(killer) > seen.get()
                                || !killer.consumer.apart().isEmpty());
            }
            work(5);

            assertInnocentsLostNothing();
            assertThat(killer.consumer.apart()).contains("twice");
        }
    }

    private static int works(Inhabitant one) {
        return (int) one.log.stream().filter(line -> line.contains("at work")).count();
    }

    /** In a process of its own each, they would take minutes, and more memory than there is. */
    @Test
    void thirtyFunctionsThatAreStartedAtOnce_areReadyInOneProcess() {
        startInnocents(1);
        long begin = System.nanoTime();
        List<Inhabitant> more = IntStream.range(0, 30)
                .mapToObj(n -> new Inhabitant(HOSTS, "more" + n, Inhabitant.shared(), bucket, COPY))
                .toList();
        CompletableFuture.allOf(more.stream().map(one -> one.consumer.start()).toArray(CompletableFuture[]::new))
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        System.out.printf("thirty functions ready after_ms=%d%n", (System.nanoTime() - begin) / 1_000_000);

        assertThat(more.stream().map(one -> one.consumer.pid()).collect(Collectors.toSet()))
                .isEqualTo(pids());
        more.forEach(Inhabitant::close);
    }

    @Test
    void processesThatAreEmpty_endExceptForOne() {
        startInnocents(2);
        awaitSpare();

        innocents.forEach(Inhabitant::close);

        await().atMost(PATIENCE).until(() -> HOSTS.warm() == 1);
        try (Inhabitant later = start("later", COPY)) {
            assertThat(later.consumer.pid()).isPositive();
        }
    }

    @Test
    void functionsOfOtherDomainsAndThoseThatWant_haveOtherProcesses() {
        startInnocents(1);
        try (Inhabitant other = new Inhabitant(HOSTS, "other", new Placement("x", Isolation.SHARED), bucket, COPY);
                Inhabitant apart = new Inhabitant(HOSTS, "apart", new Placement("", Isolation.PROCESS), bucket, COPY)) {
            other.consumer.start().join();
            apart.consumer.start().join();

            assertThat(pids()).hasSize(1).doesNotContain(other.consumer.pid(), apart.consumer.pid());
            assertThat(other.consumer.pid()).isNotEqualTo(apart.consumer.pid());
            List<Long> left = List.of(other.consumer.pid(), apart.consumer.pid());
            apart.consumer.close().join();
            other.consumer.close().join();
            left.forEach(pid ->
                    await().atMost(PATIENCE).until(() -> ProcessHandle.of(pid).isEmpty()));
        }
    }
}
