package io.millrace.rebalance.topology;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TaskList.Task;
import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts views and orders from and to entries of MetaKV below {@link TopologyPaths#DIRECTORY}. */
public final class TopologyEntries {

    /** An entry that was read. */
    public record Found(String path, byte[] value, String rev) {}

    /** The condition of a write. */
    public enum Condition {
        ALWAYS,
        /** The entry does not exist. */
        ABSENT,
        /** The entry has this rev. */
        AT_REV
    }

    /**
     * A write of an entry.
     *
     * @param value null deletes the entry
     * @param rev the rev for {@link Condition#AT_REV}; otherwise empty
     */
    public record EntryWrite(String path, byte @Nullable [] value, Condition condition, String rev) {}

    private TopologyEntries() {}

    /**
     * Returns the view that entries describe.
     *
     * @throws tools.jackson.core.JacksonException if an entry is malformed
     */
    public static ClusterView view(Collection<Found> entries, Registry registry) {
        Versioned<Layout> layout = null;
        Versioned<Change> change = null;
        TreeMap<String, Token> tokens = new TreeMap<>();
        TreeMap<String, Task> tasks = new TreeMap<>();
        for (Found entry : entries) {
            String path = entry.path();
            if (path.equals(TopologyPaths.LAYOUT)) {
                layout = new Versioned<>(TopologyJson.read(entry.value(), Layout.class), entry.rev());
            } else if (path.equals(TopologyPaths.CHANGE)) {
                change = new Versioned<>(TopologyJson.read(entry.value(), Change.class), entry.rev());
            } else if (path.startsWith(TopologyPaths.TOKENS)) {
                Token token = TopologyJson.read(entry.value(), Token.class);
                tokens.put(path.substring(TopologyPaths.TOKENS.length()), token);
            } else if (path.startsWith(TopologyPaths.TASKS)) {
                Task task = TopologyJson.read(entry.value(), Task.class);
                tasks.put(path.substring(TopologyPaths.TASKS.length()), task);
            }
        }
        return new ClusterView(layout, change, tokens, tasks, registry);
    }

    /** Returns the write for an order. */
    public static EntryWrite write(Order order) {
        return switch (order) {
            case Order.PutLayout(Layout layout, String rev) -> at(TopologyPaths.LAYOUT, layout, rev);
            case Order.PutChange(Change change, String rev) -> at(TopologyPaths.CHANGE, change, rev);
            case Order.PutTask(String node, Task task) ->
                new EntryWrite(TopologyPaths.TASKS + node, TopologyJson.write(task), Condition.ALWAYS, "");
            case Order.DeleteTask(String node) ->
                new EntryWrite(TopologyPaths.TASKS + node, null, Condition.ALWAYS, "");
            case Order.AddToken(Token token) ->
                new EntryWrite(TopologyPaths.TOKENS + token.id(), TopologyJson.write(token), Condition.ABSENT, "");
            case Order.DeleteToken(String id) -> new EntryWrite(TopologyPaths.TOKENS + id, null, Condition.ALWAYS, "");
        };
    }

    private static EntryWrite at(String path, Object message, @Nullable String rev) {
        return rev == null
                ? new EntryWrite(path, TopologyJson.write(message), Condition.ABSENT, "")
                : new EntryWrite(path, TopologyJson.write(message), Condition.AT_REV, rev);
    }
}
