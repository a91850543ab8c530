package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.configuration.ConfigStore;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.functions.FunctionState.Deployed;
import io.millrace.eventing.functions.FunctionState.Deploying;
import io.millrace.eventing.functions.FunctionState.Undeployed;
import io.millrace.eventing.topology.ClusterNode;
import io.millrace.eventing.versions.Version;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.NodeInfo;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.TopologyEntries;
import io.millrace.rebalance.topology.TopologyPaths;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RebalanceProgressTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final FunctionName F = FunctionName.of("f");

    private final MetakvClient metakv = MetakvClient.inMemory();
    private final FakeRuntime runtime = new FakeRuntime();
    private final ClusterNode cluster =
            new ClusterNode(metakv, new NodeInfo("n0", "eventing", "http://127.0.0.1:1", "1"));
    private final FunctionStore store = new FunctionStore(
            metakv,
            new RebalanceGuard(
                    () -> RebalanceProgress.known(cluster, Duration.ZERO).rebalancing(), new ConfigStore(metakv)));
    private final RebalanceProgress progress = new RebalanceProgress(store, runtime, cluster);

    @BeforeEach
    void start() {
        store.start();
        await().atMost(PATIENCE).until(store::ready);
        become(new Undeployed(Instant.EPOCH, null));
    }

    @AfterEach
    void stop() {
        store.close();
        cluster.stop();
    }

    private void become(FunctionState state) {
        store.change(
                F,
                before -> new StoredFunction(
                        SampleDefinitions.definition("f"), state, null, new Version(1, Instant.EPOCH, "", ""), null));
    }

    @Test
    void progress_isThatOfWhatMustMove() {
        become(new Deployed(Instant.EPOCH));
        TreeSet<String> nodes = nodes(10);
        TreeMap<String, VbucketSet> before = new TreeMap<>(
                Layout.contiguous("c0", nodes(9)).plan(Planner.DEFAULT).shares());
        Layout after = new Layout("c1", nodes, nodes, false, before);
        VbucketSet had = Objects.requireNonNull(before.get("n0"));
        VbucketSet planned = after.plan(Planner.DEFAULT).of("n0");
        VbucketSet leaving = had.minus(planned);

        runtime.has("f", had);
        assertThat(progress.of(after)).isZero();
        runtime.has("f", planned.plus(VbucketSet.of(leaving.stream().limit(1))));
        assertThat(progress.of(after)).isEqualTo(1 - 1.0 / leaving.size());
        runtime.has("f", planned);
        assertThat(progress.of(after)).isEqualTo(1);
        assertThat(progress.of(Layout.contiguous("c2", nodes(9)))).isZero();
    }

    /** The first node's layout has it alone; a change with another moves the upper half away. */
    @Test
    void taskOfANode_namesTheVbucketsThatAreWaitedFor() {
        become(new Deployed(Instant.EPOCH));
        runtime.has("f", VbucketSet.range(0, 600));
        cluster.preparedWhen(() -> true);
        cluster.start();
        await().atMost(PATIENCE)
                .until(() -> metakv.get(TopologyPaths.LAYOUT).blockOptional().isPresent());
        TreeSet<String> keep = nodes(2);
        var message = TopologyChange.of("c1", "", TopologyChange.Type.REBALANCE, keep, new TreeSet<>());
        write(new Order.AddToken(new Token("c1", "n1")));
        write(new Order.PutChange(
                new Change(message, Change.Phase.EXECUTION, "n1", false, "", 0, new TreeMap<>(), new TreeSet<>()),
                null));

        await().atMost(PATIENCE)
                .until(() -> metakv.get(TopologyPaths.TASKS + "n0")
                        .map(entry -> entry.text().contains("\"extra\":{\"waitedFor\":{\"f\":\"512-600\"}}"))
                        .blockOptional()
                        .orElse(false));
    }

    private void write(Order order) {
        TopologyEntries.EntryWrite write = TopologyEntries.write(order);
        metakv.set(write.path(), Objects.requireNonNull(write.value())).block();
    }

    @Test
    void unknownTopology_forbidsDeploymentAndDeletion() {
        assertUnknown(progress::cluster);
        assertUnknown(() -> become(new Deploying(Instant.EPOCH, null)));
        assertUnknown(() -> store.change(F, before -> null));

        cluster.start();

        assertThat(RebalanceProgress.known(cluster, PATIENCE).rebalancing()).isFalse();
        become(new Deploying(Instant.EPOCH, null));
    }

    private static void assertUnknown(Runnable request) {
        assertThatThrownBy(request::run)
                .satisfies(refused -> assertThat(((FunctionsException) refused).code())
                        .isEqualTo(ErrorCode.ERR_GET_REBALANCE_STATUS));
    }

    private static TreeSet<String> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i).collect(Collectors.toCollection(TreeSet::new));
    }
}
