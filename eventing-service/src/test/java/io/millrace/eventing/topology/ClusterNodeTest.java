package io.millrace.eventing.topology;

import static org.awaitility.Awaitility.await;

import io.millrace.metakv.MemoryMetakv;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ClusterNodeTest {

    private static final NodeInfo NODE = new NodeInfo("a", ClusterNode.SERVICE, "http://127.0.0.1:1", "1");

    private final MetakvClient metakv = new MemoryMetakv();
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

    private void awaitRegistered(List<NodeInfo> expected) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Objects.requireNonNull(metakv.nodes().block()).equals(expected));
    }
}
