package io.millrace.metakvservice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.metakv.NodeInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class NodeReachTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final NodeReach reach = new NodeReach(Duration.ofMillis(1));

    @Test
    void nodeThatTakesNoConnectionAnyMore_isUnreachable() throws IOException {
        NodeInfo stays;
        NodeInfo ends;
        try (ServerSocket other = listen()) {
            stays = node("stays", other);
            try (ServerSocket socket = listen()) {
                ends = node("ends", socket);
                assertThat(unreachable(stays, ends)).isEmpty();
            }

            awaitUnreachable(List.of("ends"), stays, ends);
        }
    }

    @Test
    void nodeThatWasNeverReached_isNotReported() throws IOException {
        NodeInfo closed;
        try (ServerSocket socket = listen()) {
            closed = node("closed", socket);
        }

        assertThat(unreachable(closed, new NodeInfo("odd", "eventing", "nowhere", "1")))
                .isEmpty();
    }

    @Test
    void manyQuestions_areOneConnection() throws IOException {
        NodeReach holding = new NodeReach(PATIENCE);
        NodeInfo node;
        try (ServerSocket socket = listen()) {
            node = node("a", socket);
            holding.unreachable(List.of(node)).block(PATIENCE);
        }

        assertThat(holding.unreachable(List.of(node)).block(PATIENCE)).isEmpty();
    }

    private void awaitUnreachable(List<String> ids, NodeInfo... nodes) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(unreachable(nodes)).containsExactlyElementsOf(ids));
    }

    private SortedSet<String> unreachable(NodeInfo... nodes) {
        return Objects.requireNonNull(reach.unreachable(List.of(nodes)).block(PATIENCE));
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static NodeInfo node(String id, ServerSocket socket) {
        return new NodeInfo(id, "eventing", "http://127.0.0.1:" + socket.getLocalPort(), "1");
    }
}
