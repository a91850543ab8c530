package io.millrace.rebalance.topology;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.topology.TaskList.Task;
import org.jspecify.annotations.Nullable;

/**
 * A write to do. Orders are executed in sequence; if the rev of one does not match, the rest is discarded, because the
 * decision was based on an old view.
 */
public sealed interface Order {

    /** Replaces the layout with this rev, or creates it if the rev is null. */
    record PutLayout(Layout layout, @Nullable String rev) implements Order {}

    /** Replaces the change with this rev, or creates it if the rev is null. */
    record PutChange(Change change, @Nullable String rev) implements Order {}

    /** Writes the task of a node. */
    record PutTask(String node, Task task) implements Order {}

    /** Deletes the task of a node if it exists. */
    record DeleteTask(String node) implements Order {}

    /** Creates a token unless it exists. */
    record AddToken(Token token) implements Order {}

    /** Deletes the token of a change if it exists. */
    record DeleteToken(String id) implements Order {}

    /**
     * The rebalance token: the master writes it to make every node start (seed document 000, start phase).
     *
     * @param id the id of the change
     * @param master the node that wrote it
     */
    record Token(String id, String master) {}
}
