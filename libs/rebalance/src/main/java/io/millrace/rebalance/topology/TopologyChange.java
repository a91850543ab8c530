package io.millrace.rebalance.topology;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The message that names the nodes to keep and to eject (seed document 000, figure 7).
 *
 * @param id the id of the change and of its rebalance token
 * @param currentTopologyRev the rev of the current layout; empty if there is none
 * @param type the kind of change
 * @param keepNodes the nodes that share the vbuckets afterwards
 * @param ejectNodes the nodes that have no vbuckets afterwards
 */
public record TopologyChange(
        String id, String currentTopologyRev, Type type, List<KeepNode> keepNodes, List<Node> ejectNodes) {

    /** The kind of change. */
    public enum Type {
        /** All nodes are alive and take part. */
        REBALANCE("topology-change-rebalance"),
        /** The change does not wait for the nodes to eject. */
        FAILOVER("topology-change-failover");

        private final String wire;

        Type(String wire) {
            this.wire = wire;
        }

        @JsonValue
        public String wire() {
            return wire;
        }
    }

    /** How a returning node starts. */
    public enum Recovery {
        FULL("recovery-full"),
        DELTA("recovery-delta");

        private final String wire;

        Recovery(String wire) {
            this.wire = wire;
        }

        @JsonValue
        public String wire() {
            return wire;
        }
    }

    /**
     * A node in messages.
     *
     * @param priority always 0, without effect; part of the message format
     * @param opaque always null; part of the message format
     */
    public record Node(
            String nodeId, int priority, @Nullable Object opaque) {
        public static Node of(String id) {
            return new Node(id, 0, null);
        }
    }

    /** A node to keep. */
    public record KeepNode(Node nodeInfo, Recovery recoveryType) {}

    public TopologyChange {
        keepNodes = List.copyOf(keepNodes);
        ejectNodes = List.copyOf(ejectNodes);
    }

    /** Returns a message for these nodes. */
    public static TopologyChange of(
            String id, String currentRev, Type type, SortedSet<String> keep, SortedSet<String> eject) {
        return new TopologyChange(
                id,
                currentRev,
                type,
                keep.stream()
                        .map(node -> new KeepNode(Node.of(node), Recovery.FULL))
                        .toList(),
                eject.stream().map(Node::of).toList());
    }

    /** Returns the ids of the nodes to keep, ascending. */
    public SortedSet<String> keep() {
        TreeSet<String> ids = new TreeSet<>();
        keepNodes.forEach(node -> ids.add(node.nodeInfo().nodeId()));
        return Collections.unmodifiableSortedSet(ids);
    }

    /** Returns the ids of the nodes to eject, ascending. */
    public SortedSet<String> eject() {
        TreeSet<String> ids = new TreeSet<>();
        ejectNodes.forEach(node -> ids.add(node.nodeId()));
        return Collections.unmodifiableSortedSet(ids);
    }
}
