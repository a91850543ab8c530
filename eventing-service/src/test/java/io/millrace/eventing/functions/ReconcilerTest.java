package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.DocumentsException;
import io.millrace.documents.MemoryDocumentStore;
import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.producer.DeployAction;
import io.millrace.eventing.producer.DeployRejected;
import io.millrace.metakv.MemoryMetakv;
import io.millrace.workerlink.LogLine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class ReconcilerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** One eventing-service on a MetaKV that it may share. */
    private final class Node {
        private final String id;
        private final FakeRuntime runtime;
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger asked = new AtomicInteger();
        private final FunctionStore store =
                new FunctionStore(metakv, new RebalanceGuard(() -> false, new ConfigStore(metakv)));
        private final ConfigStore config = new ConfigStore(metakv);
        private final DeployCheck check = new DeployCheck(documents::catalog, config, definition -> List.of());
        private final FunctionLogs logs = new FunctionLogs(directory);
        private final Reconciler reconciler;
        private final Lifecycle lifecycle = new Lifecycle(store, check, clock);
        private final Definitions definitions =
                new Definitions(store, config, definition -> List.of(), lifecycle, clock);
        private final Status status;
        private final List<String> callsBeforeLeaving = new ArrayList<>();

        private Node() {
            this(new FakeRuntime());
        }

        private Node(FakeRuntime runtime) {
            this("a", runtime);
        }

        private Node(String id, FakeRuntime runtime) {
            this.id = id;
            this.runtime = runtime;
            Pace pace = new Pace(Duration.ofSeconds(2), Duration.ofMillis(200), farewell);
            reconciler = new Reconciler(
                    store,
                    config,
                    runtime,
                    logs,
                    check,
                    clock,
                    pace,
                    new Nodes(
                            id,
                            () -> sharing,
                            this::alive,
                            this::ask,
                            () -> callsBeforeLeaving.addAll(runtime.calls("f"))));
            status = new Status(store, reconciler::running, reconciler::stopping, () -> 1);
            nodes.put(id, this);
            reconciler.start();
        }

        private Set<String> alive() {
            looks.incrementAndGet();
            return nodes.keySet();
        }

        private CompletableFuture<Stragglers.Found> ask(FunctionName name, Instant since) {
            asked.incrementAndGet();
            return CompletableFuture.completedFuture(new Stragglers.Found(
                    nodes.values().stream()
                            .filter(other -> other != this && !silent.contains(other.id))
                            .filter(other -> !Status.ended(other.status.one(name, List.of()), since))
                            .map(other -> other.id)
                            .toList(),
                    List.copyOf(silent)));
        }

        /** Ends as a crash does: nobody is told. */
        private void die() {
            nodes.remove(id);
            reconciler.stop();
        }

        private void awaitStatus(String name, String expected) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(name)).isEqualTo(expected));
        }

        private String status(String name) {
            return status.one(FunctionName.of(name), List.of())
                    .at("/app/composite_status")
                    .asString();
        }
    }

    @TempDir
    private Path directory;

    private final InstantSource clock = InstantSource.system();
    private final MemoryMetakv metakv = new MemoryMetakv();
    private final MemoryDocumentStore documents = new MemoryDocumentStore(clock);
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();
    private Duration farewell = Duration.ofMinutes(10);
    private volatile SortedSet<String> sharing = new TreeSet<>(Set.of("a"));
    private Node node;

    @BeforeEach
    void start() {
        for (String bucket : new String[] {"src", "meta", "dst"}) {
            documents.catalog().createBucket(bucket, 1).join();
        }
        node = new Node();
        node.definitions.save(SampleDefinitions.json("f"), null);
    }

    @AfterEach
    void stop() {
        node.reconciler.stop();
    }

    @Test
    void deploy_startsTheFunction() {
        node.lifecycle.deploy(FunctionName.of("f"), null);

        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.running()).containsExactly("f");
    }

    @Test
    void wholeLife_endsWhereItBegan() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        String instance = node.runtime.spec("f").orElseThrow().instance();
        node.lifecycle.pause(FunctionName.of("f"));
        node.awaitStatus("f", "paused");
        assertThat(node.runtime.running()).isEmpty();
        node.lifecycle.resume(FunctionName.of("f"));
        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.spec("f").orElseThrow().instance()).isEqualTo(instance);
        node.lifecycle.undeploy(FunctionName.of("f"));
        node.awaitStatus("f", "undeployed");

        assertThat(node.runtime.running()).isEmpty();
        assertThat(node.runtime.calls("f")).containsExactly("start", "stop", "start", "stop", "remove");
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.spec("f").orElseThrow().instance()).isNotEqualTo(instance);
    }

    @Test
    void handlerThatCannotRun_isUndeployedWithTheReason() {
        node.runtime.onStart(spec -> CompletableFuture.failedFuture(new DeployRejected("no such thing", 3, 7)));

        node.lifecycle.deploy(FunctionName.of("f"), null);

        node.awaitStatus("f", "undeployed");
        ObjectNode status = node.status.one(FunctionName.of("f"), List.of());
        assertThat(status.at("/app/failure/message").asString()).isEqualTo("no such thing");
        assertThat(status.at("/app/failure/line").asInt()).isEqualTo(3);
        assertThat(node.logs.newestFirst("f", 1000)).contains("[ERROR]", "no such thing (line 3, column 7)");
        node.runtime.reset();
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void resumeThatFails_goesBackToPaused() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        node.lifecycle.pause(FunctionName.of("f"));
        node.awaitStatus("f", "paused");
        node.runtime.onStart(spec -> CompletableFuture.failedFuture(new DeployRejected("no such thing", 3, 7)));

        node.lifecycle.resume(FunctionName.of("f"));

        await().untilAsserted(() -> assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .isEqualTo("no such thing"));
        assertThat(node.status("f")).isEqualTo("paused");
        assertThat(node.runtime.calls("f")).doesNotContain("remove");
    }

    @Test
    void startThatNeverEnds_isUndeployedAfterThePatience() {
        node.runtime.onStart(spec -> new CompletableFuture<>());

        node.lifecycle.deploy(FunctionName.of("f"), null);

        node.awaitStatus("f", "undeployed");
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .contains("within 2 s");
        assertThat(node.runtime.running()).isEmpty();
    }

    @Test
    void passingTrouble_isTriedAgain() {
        var failures = new AtomicInteger();
        node.runtime.onStart(spec -> failures.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "Redis is loading"))
                : CompletableFuture.completedFuture(null));

        node.lifecycle.deploy(FunctionName.of("f"), null);

        node.awaitStatus("f", "deployed");
    }

    @Test
    void cancelledStart_isTriedAgain() {
        var starts = new AtomicInteger();
        node.runtime.onStart(spec -> starts.incrementAndGet() == 1
                ? CompletableFuture.failedFuture(new CancellationException("stopped meanwhile"))
                : CompletableFuture.completedFuture(null));

        node.lifecycle.deploy(FunctionName.of("f"), null);

        node.awaitStatus("f", "deployed");
        assertThat(node.runtime.running()).containsExactly("f");
    }

    @Test
    void redisThatRefusesWrites_neverUndeploysAFunction() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        node.reconciler.stop();
        var starts = new AtomicInteger();
        FakeRuntime refusing = new FakeRuntime();
        refusing.onStart(spec -> starts.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(
                        DocumentsException.of(DocumentsException.Code.REFUSED, "MISCONF disk full"))
                : CompletableFuture.completedFuture(null));

        Node again = new Node(refusing);

        again.awaitStatus("f", "deployed");
        assertThat(again.runtime.calls("f")).doesNotContain("remove");
        again.reconciler.stop();
    }

    @Test
    void endOfTheService_tellsTheOthersBeforeFunctionsEnd() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");

        node.reconciler.stop();

        assertThat(node.callsBeforeLeaving).containsExactly("start");
        assertThat(node.runtime.calls("f")).containsExactly("start", "stop");
    }

    @Test
    void restart_goesOnWithDeployedFunctions() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        String instance = node.runtime.spec("f").orElseThrow().instance();
        node.reconciler.stop();

        Node again = new Node();

        again.awaitStatus("f", "deployed");
        assertThat(again.runtime.spec("f").orElseThrow().instance()).isEqualTo(instance);
        again.reconciler.stop();
    }

    @Test
    void restartInTheMiddleOfWork_finishesIt() {
        node.runtime.onStart(spec -> new CompletableFuture<>());
        node.lifecycle.deploy(FunctionName.of("f"), null);
        await().until(() -> node.runtime.running().contains("f"));
        node.reconciler.stop();

        Node again = new Node();

        again.awaitStatus("f", "deployed");
        again.reconciler.stop();
    }

    @Test
    void afterRestart_functionThatIsStillStartingCanBeUndeployed() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        node.reconciler.stop();
        FakeRuntime stuck = new FakeRuntime();
        stuck.onStart(spec -> new CompletableFuture<>());
        Node again = new Node(stuck);
        await().until(() -> stuck.running().contains("f"));
        assertThat(again.status("f")).isEqualTo("deploying");

        again.lifecycle.undeploy(FunctionName.of("f"));

        again.awaitStatus("f", "undeployed");
        assertThat(again.runtime.running()).isEmpty();
        again.reconciler.stop();
    }

    @Test
    void anotherNode_followsTheSameState() {
        Node other = new Node("b", new FakeRuntime());

        node.lifecycle.deploy(FunctionName.of("f"), null);
        other.awaitStatus("f", "deployed");
        await().until(() ->
                other.runtime.running().contains("f") && node.runtime.running().contains("f"));
        other.lifecycle.undeploy(FunctionName.of("f"));

        node.awaitStatus("f", "undeployed");
        await().until(() ->
                other.runtime.running().isEmpty() && node.runtime.running().isEmpty());
        other.reconciler.stop();
    }

    @Test
    void nodeThatDeploysAndDies_isReplaced() {
        sharing = new TreeSet<>(Set.of("a", "b"));
        Node other = new Node("b", new FakeRuntime());
        node.runtime.onStart(spec -> new CompletableFuture<>());
        node.lifecycle.deploy(FunctionName.of("f"), null);
        await().atMost(PATIENCE).until(() -> node.runtime.running().contains("f"));

        node.die();

        other.awaitStatus("f", "deployed");
        assertThat(other.runtime.action("f").map(DeployAction::reason)).hasValue("Deploy");
        other.lifecycle.pause(FunctionName.of("f"));
        other.awaitStatus("f", "paused");
        other.lifecycle.resume(FunctionName.of("f"));
        other.awaitStatus("f", "deployed");
        assertThat(other.runtime.action("f").map(DeployAction::reason)).hasValue("Resume");
        other.reconciler.stop();
    }

    @Test
    void nodeThatComesFirstNow_doesNotDeployWhatAnotherOneDeploys() {
        sharing = new TreeSet<>(Set.of("a"));
        CompletableFuture<Void> started = new CompletableFuture<>();
        node.runtime.onStart(spec -> started);
        node.lifecycle.deploy(FunctionName.of("f"), null);
        await().atMost(PATIENCE).until(() -> node.runtime.running().contains("f"));

        sharing = new TreeSet<>(Set.of("A", "a"));
        Node first = new Node("A", new FakeRuntime());
        await().atMost(PATIENCE).until(() -> first.looks.get() >= 2);
        started.complete(null);

        first.awaitStatus("f", "deployed");
        assertThat(first.runtime.calls("f")).containsExactly("start");
        assertThat(first.runtime.action("f")).isEmpty();
        assertThat(node.runtime.calls("f")).containsExactly("start");
        first.reconciler.stop();
    }

    @Test
    void pause_isOverWhenEveryNodeHasEndedTheFunction() {
        Node other = withOther();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        other.runtime.holdStops(ended);

        node.lifecycle.pause(FunctionName.of("f"));

        await().atMost(PATIENCE).until(() -> node.asked.get() >= 3);
        assertThat(node.status("f")).isEqualTo("pausing");
        assertThat(node.runtime.running()).isEmpty();
        ended.complete(null);
        node.awaitStatus("f", "paused");
        assertThat(other.runtime.running()).isEmpty();
        other.reconciler.stop();
    }

    @Test
    void undeploy_deletesWhenEveryNodeHasEndedTheFunction() {
        Node other = withOther();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        other.runtime.holdStops(ended);

        other.lifecycle.undeploy(FunctionName.of("f"));

        await().atMost(PATIENCE).until(() -> node.asked.get() >= 3);
        assertThat(node.status("f")).isEqualTo("undeploying");
        assertThat(node.runtime.calls("f")).doesNotContain("remove");
        ended.complete(null);
        node.awaitStatus("f", "undeployed");
        assertThat(node.runtime.calls("f")).contains("remove");
        assertThat(other.runtime.calls("f")).doesNotContain("remove");
        other.reconciler.stop();
    }

    @Test
    void nodeThatDoesNotAnswer_isWaitedForUntilItsRegistrationEnds() {
        Node other = withOther();
        silent.add("b");

        node.lifecycle.pause(FunctionName.of("f"));

        await().atMost(PATIENCE).until(() -> node.asked.get() >= 3);
        assertThat(node.status("f")).isEqualTo("pausing");
        other.die();
        silent.clear();
        node.awaitStatus("f", "paused");
    }

    @Test
    void nodeThatNeverAnswers_isNotWaitedForForEver() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        node.reconciler.stop();
        farewell = Duration.ofMillis(500);
        Node again = new Node();
        again.awaitStatus("f", "deployed");
        silent.add("b");

        again.lifecycle.pause(FunctionName.of("f"));

        again.awaitStatus("f", "paused");
        assertThat(again.asked).hasValueGreaterThan(1);
        again.reconciler.stop();
    }

    /** Returns a second node on which the function runs as it does on the first. */
    private Node withOther() {
        sharing = new TreeSet<>(Set.of("a", "b"));
        Node other = new Node("b", new FakeRuntime());
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
        other.awaitStatus("f", "deployed");
        return other;
    }

    @Test
    void logLevelOfADeployedFunction_reachesItsWorkers() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");

        node.definitions.changeSettings(FunctionName.of("f"), SampleDefinitions.parse("{\"log_level\": \"DEBUG\"}"));

        await().untilAsserted(() ->
                assertThat(node.runtime.spec("f").map(spec -> spec.logLevel())).hasValue("DEBUG"));
        assertThat(node.runtime.calls("f")).containsExactly("start", "stop", "start");
        node.awaitStatus("f", "deployed");
    }

    @Test
    void functionThatEndedByItself_isStartedAgain() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");

        node.runtime.lose("f");

        await().atMost(Duration.ofSeconds(15))
                .until(() -> node.runtime.running().contains("f"));
    }

    @Test
    void droppedSource_undeploysTheFunction() {
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");

        documents.catalog().dropBucket("src").join();

        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(node.status("f")).isEqualTo("undeployed"));
        assertThat(node.status
                        .one(FunctionName.of("f"), List.of())
                        .at("/app/failure/message")
                        .asString())
                .contains("'src'");
        assertThat(node.runtime.running()).isEmpty();
    }

    @Test
    void deletedFunction_losesItsLog() {
        node.logs.append("f", List.of(new LogLine("INFO", 0, "x")));

        node.definitions.delete(FunctionName.of("f"), null);

        await().until(() -> node.logs.newestFirst("f", 100).isEmpty());
        node.definitions.save(SampleDefinitions.json("f"), null);
        node.lifecycle.deploy(FunctionName.of("f"), null);
        node.awaitStatus("f", "deployed");
    }

    @Test
    void rapidRequests_areAllSeenByTheirSender() {
        for (int i = 0; i < 20; i++) {
            node.lifecycle.deploy(FunctionName.of("f"), null);
            assertThatThrownBy(() -> node.definitions.delete(FunctionName.of("f"), null))
                    .hasMessageContaining("undeploy it");
            node.awaitStatus("f", "deployed");
            node.lifecycle.undeploy(FunctionName.of("f"));
            node.awaitStatus("f", "undeployed");
        }
    }

    @Test
    void beforeMetakvWasRead_requestsAreRefused() {
        FunctionStore blind = new FunctionStore(metakv, new RebalanceGuard(() -> false, new ConfigStore(metakv)));

        assertThatThrownBy(blind::all)
                .satisfies(refused ->
                        assertThat(((FunctionsException) refused).code()).isEqualTo(ErrorCode.ERR_GET_CONFIG));
    }
}
