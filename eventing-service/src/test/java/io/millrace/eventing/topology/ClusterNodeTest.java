package io.millrace.eventing.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.NodeInfo;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.TaskList.Task;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.TopologyEntries;
import io.millrace.rebalance.topology.TopologyPaths;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class ClusterNodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final NodeInfo NODE = new NodeInfo("a", ClusterNode.SERVICE, "http://127.0.0.1:1", "1");

    private final MetakvClient metakv = MetakvClient.inMemory();
    private final AtomicBoolean away = new AtomicBoolean();

    @Test
    void nodeThatCannotReachRedis_leavesTheRegistryUntilItCan() {
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.awayWhile(away::get);
        node.start();
        try {
            awaitRegistered(List.of(NODE));

            away.set(true);
            awaitRegistered(List.of());

            away.set(false);
            awaitRegistered(List.of(NODE));
        } finally {
            node.stop();
        }
        awaitRegistered(List.of());
    }

    @Test
    void coldNodeThatOthersDoWithout_joinsWhenItIsWarm() {
        NodeInfo other = new NodeInfo("b", ClusterNode.SERVICE, "http://127.0.0.1:3", "1");
        metakv.register(other, ClusterNode.LEASE);
        put(new Order.PutLayout(Layout.contiguous("others", List.of("b")), null));
        AtomicBoolean warm = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.joinsWhen(() -> asked.incrementAndGet() > 0 && warm.get());
        node.start();
        try {
            await().atMost(PATIENCE).until(() -> asked.get() > 1);
            assertThat(metakv.nodes().block()).containsExactly(other);
            assertThat(health(node)).isEqualTo(Status.OUT_OF_SERVICE);

            warm.set(true);

            awaitRegistered(List.of(NODE, other));
            assertThat(health(node)).isEqualTo(Status.UP);
            assertThat(node.settling()).isTrue();
        } finally {
            node.stop();
        }
    }

    @Test
    void nodeThatIsRegisteredAndNoMemberYet_mayClaimWhatThisOneLoses() {
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.start();
        try {
            await().atMost(PATIENCE).until(() -> node.layout().nodes().contains("a"));
            assertThat(node.shared("a")).isFalse();

            NodeInfo other = new NodeInfo("b", ClusterNode.SERVICE, "http://127.0.0.1:3", "1");
            NodeLease registered = metakv.register(other, ClusterNode.LEASE);
            await().atMost(PATIENCE).until(() -> node.shared("a"));
            assertThat(node.layout().members()).containsExactly("a");

            registered.close();
            await().atMost(PATIENCE).until(() -> !node.shared("a"));
        } finally {
            node.stop();
        }
    }

    @Test
    void nodeThatLeaves_isOutOfTheRegistryAndFollowsTheTopology() {
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.start();
        try {
            awaitRegistered(List.of(NODE));

            node.leave();

            awaitRegistered(List.of());
            put(new Order.PutLayout(Layout.contiguous("others", List.of("b")), null));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(node.layout().nodes()).containsExactly("b"));
            assertThat(metakv.nodes().block()).as("it does not come back").isEmpty();
        } finally {
            node.stop();
        }
    }

    @Test
    void view_isMadeAgainWhenSomethingHasChanged() {
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.start();
        try {
            await().atMost(PATIENCE).until(() -> {
                ClusterView view = node.view();
                return view.layout() != null && view.live().contains("a") && view == node.view();
            });

            metakv.register(new NodeInfo("b", ClusterNode.SERVICE, "http://127.0.0.1:3", "1"), ClusterNode.LEASE);
            await().atMost(PATIENCE).until(() -> node.view().live().contains("b"));

            put(new Order.PutTask("b", Task.prepared("1", "change")));
            await().atMost(PATIENCE).until(() -> node.view().tasks().containsKey("b"));
        } finally {
            node.stop();
        }
    }

    @Test
    void nodeWhoseIdIsTaken_followsNoLayoutUntilItIsFree() {
        NodeInfo elsewhere = new NodeInfo("a", ClusterNode.SERVICE, "http://127.0.0.1:2", "1");
        NodeLease taken = metakv.register(elsewhere, ClusterNode.LEASE);
        ClusterNode node = new ClusterNode(metakv, NODE);
        ClusterNode other = new ClusterNode(metakv, new NodeInfo("b", ClusterNode.SERVICE, "http://127.0.0.1:3", "1"));
        node.start();
        other.start();
        try {
            await().atMost(PATIENCE).until(() -> other.layout().nodes().contains("b"));
            assertThat(node.layout().nodes()).as("no nodes").isEmpty();

            taken.close();

            await().atMost(PATIENCE).until(() -> node.layout().equals(other.layout()));
        } finally {
            node.stop();
            other.stop();
        }
    }

    @Test
    void nodeWhoseIdIsTakenFromIt_givesEverythingUp() {
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.start();
        try {
            await().atMost(PATIENCE).until(() -> node.layout().nodes().contains("a"));

            NodeLease taken = metakv.register(
                    new NodeInfo("a", ClusterNode.SERVICE, NODE.address(), NODE.version()), ClusterNode.LEASE);
            await().atMost(PATIENCE).until(() -> node.layout().nodes().isEmpty());

            taken.close();
            await().atMost(PATIENCE).until(() -> node.layout().nodes().contains("a"));
        } finally {
            node.stop();
        }
    }

    @Test
    void failover_doesNotWaitForWorkers() {
        ClusterNode node = new ClusterNode(metakv, NODE);
        node.preparedWhen(() -> false);
        node.start();
        try {
            awaitRegistered(List.of(NODE));
            put(new Order.PutLayout(Layout.contiguous("1", List.of("a", "b")), null));

            put(new Order.PutChange(failover(), null));

            await().atMost(PATIENCE)
                    .until(() -> metakv.get(TopologyPaths.TASKS + "a")
                            .blockOptional()
                            .isPresent());
        } finally {
            node.stop();
        }
    }

    private static Status health(ClusterNode node) {
        return Objects.requireNonNull(
                        new TopologyConfiguration().clusterHealthIndicator(node).health())
                .getStatus();
    }

    private static Change failover() {
        var message = new TopologyChange(
                "2",
                "",
                TopologyChange.Type.FAILOVER,
                List.of(new TopologyChange.KeepNode(TopologyChange.Node.of("a"), TopologyChange.Recovery.FULL)),
                List.of(TopologyChange.Node.of("b")));
        return new Change(message, Change.Phase.PREPARE, "", false, "", 0, new TreeMap<>(), new TreeSet<>());
    }

    private void put(Order order) {
        TopologyEntries.EntryWrite write = TopologyEntries.write(order);
        metakv.set(write.path(), Objects.requireNonNull(write.value())).block();
    }

    private void awaitRegistered(List<NodeInfo> expected) {
        await().atMost(PATIENCE)
                .until(() -> Objects.requireNonNull(metakv.nodes().block()).equals(expected));
    }
}
