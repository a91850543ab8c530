package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Subject;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.eventing.applog.FunctionLogs;
import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.secrets.SecretStore;
import io.millrace.eventing.versions.Author;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.UserDirectory;
import io.millrace.workerprotocol.KafkaClusters;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One eventing-service or several on one MetaKV, with runtimes that only say that they run functions. */
abstract class ReconcilerNodes {

    static final String MASTER_KEY = "00".repeat(32);
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** One eventing-service on a MetaKV that it may share. */
    final class Node {
        final String id;
        final FakeRuntime runtime;
        final AtomicInteger looks = new AtomicInteger();
        final AtomicInteger asked = new AtomicInteger();
        final FunctionStore store = new FunctionStore(metakv, new RebalanceGuard(() -> false, new ConfigStore(metakv)));
        final ConfigStore config = new ConfigStore(metakv);
        final BindingSecrets secrets = new BindingSecrets(SecretStore.on(metakv, MASTER_KEY, clock));
        final OwnerRights rights = new OwnerRights(users);
        final DeployCheck check = new DeployCheck(
                documents::catalog, config, definition -> List.of(), secrets, rights, new KafkaClusters(directory));
        final FunctionLogs logs = new FunctionLogs(directory);
        final Reconciler reconciler;
        final Lifecycle lifecycle;
        final Definitions definitions;
        final Versions versions;
        final Canaries canaries;
        final Status status;
        final List<String> callsBeforeLeaving = new ArrayList<>();

        Node() {
            this(new FakeRuntime());
        }

        Node(FakeRuntime runtime) {
            this("a", runtime);
        }

        Node(String id, FakeRuntime runtime) {
            this.id = id;
            this.runtime = runtime;
            Nodes leading = new Nodes(
                    id, () -> sharing, this::alive, this::ask, () -> callsBeforeLeaving.addAll(runtime.calls("f")));
            lifecycle = new Lifecycle(store, check, rights, leading, clock);
            definitions = new Definitions(store, config, definition -> List.of(), lifecycle, secrets, rights, clock);
            versions = new Versions(store, definitions);
            canaries = new Canaries(store, versions, definition -> List.of(), check, rights, runtime, clock);
            Reconciler.Timings timings =
                    new Reconciler.Timings(Duration.ofSeconds(2), Duration.ofMillis(200), stopElsewhere);
            reconciler = new Reconciler(store, config, runtime, logs, check, secrets, clock, timings, leading);
            status = new Status(
                    store, reconciler::running, reconciler::stopping, name -> runtime.notes(name.toString()), () -> 1);
            nodes.put(id, this);
            reconciler.start();
        }

        private Set<String> alive() {
            looks.incrementAndGet();
            return nodes.keySet();
        }

        private CompletableFuture<UnfinishedNodes.Found> ask(FunctionName name, Instant since) {
            asked.incrementAndGet();
            return CompletableFuture.completedFuture(new UnfinishedNodes.Found(
                    nodes.values().stream()
                            .filter(other -> other != this && !silent.contains(other.id))
                            .filter(other -> !Status.ended(other.status.one(name, List.of()), since))
                            .map(other -> other.id)
                            .toList(),
                    List.copyOf(silent)));
        }

        /** Ends like a crash: without notifying other nodes. */
        void die() {
            nodes.remove(id);
            reconciler.stop();
        }

        void awaitStatus(String name, String expected) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(name)).isEqualTo(expected));
        }

        String status(String name) {
            return status.one(FunctionName.of(name), List.of())
                    .at("/app/composite_status")
                    .asString();
        }
    }

    @TempDir
    Path directory;

    final InstantSource clock = InstantSource.system();
    final MetakvClient metakv = MetakvClient.inMemory();
    final UserDirectory users = new UserDirectory(metakv, Clock.systemUTC());
    final MemoryDocumentStore documents = new MemoryDocumentStore(clock);
    final Map<String, Node> nodes = new ConcurrentHashMap<>();
    final Set<String> silent = ConcurrentHashMap.newKeySet();
    Duration stopElsewhere = Duration.ofMinutes(10);
    volatile SortedSet<String> sharing = new TreeSet<>(Set.of("a"));
    Node node;

    @BeforeEach
    void start() {
        for (String bucket : new String[] {"src", "meta", "dst"}) {
            documents.catalog().createBucket(bucket, 1).join();
        }
        node = new Node();
        node.definitions.save(SampleDefinitions.json("f"), null, false, Author.of(Subject.open()));
    }

    @AfterEach
    void stop() {
        node.reconciler.stop();
    }
}
