package io.millrace.rebalance;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The message that says which nodes there should be (seed document 000, figure 7).
 *
 * @param id of the change; the rebalance token has the same
 * @param currentTopologyRev the rev of the layout that it starts from; empty when there is none
 * @param type why the nodes change
 * @param keepNodes the nodes that share the vbuckets afterwards
 * @param ejectNodes the nodes that have none afterwards
 */
public record TopologyChange(
        String id, String currentTopologyRev, Type type, List<KeepNode> keepNodes, List<Node> ejectNodes) {

    /** Why the nodes change. */
    public enum Type {
        /** All nodes are alive and take part. */
        REBALANCE("topology-change-rebalance"),
        /** The nodes to eject are not waited for. */
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

    /** How a node that comes back begins. */
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
     * A node as messages name it.
     *
     * @param priority always 0 here, and without effect: the message has the field
     * @param opaque always null here: the message has the field, and nodes of Millrace say nothing of themselves
     */
    public record Node(
            String nodeId, int priority, @Nullable Object opaque) {
        public static Node of(String id) {
            return new Node(id, 0, null);
        }
    }

    /** A node that stays or comes. */
    public record KeepNode(Node nodeInfo, Recovery recoveryType) {}

    public TopologyChange {
        keepNodes = List.copyOf(keepNodes);
        ejectNodes = List.copyOf(ejectNodes);
    }

    /** Returns a message about these nodes. */
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
