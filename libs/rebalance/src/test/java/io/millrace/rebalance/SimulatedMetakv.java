package io.millrace.rebalance;

import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.Registry;
import io.millrace.rebalance.topology.TaskList.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The entries and registrations of MetaKV, changed one order at a time. */
final class SimulatedMetakv {

    private final VirtualTime time;
    private final TreeMap<String, Token> tokens = new TreeMap<>();
    private final TreeMap<String, Task> tasks = new TreeMap<>();
    private final TreeMap<String, Long> registrations = new TreeMap<>();
    private final TreeSet<String> left = new TreeSet<>();
    private final List<Change> changes = new ArrayList<>();
    private @Nullable Versioned<Layout> layout;
    private @Nullable Versioned<Change> change;
    private long lastRev;

    SimulatedMetakv(VirtualTime time) {
        this.time = time;
    }

    ClusterView view() {
        TreeMap<String, Long> leases = new TreeMap<>(registrations);
        leases.values().removeIf(end -> end <= time.now());
        return new ClusterView(layout, change, tokens, tasks, new Registry(leases, left));
    }

    void register(String node, long leaseMillis) {
        registrations.put(node, time.now() + leaseMillis);
        left.remove(node);
    }

    void unregister(String node) {
        if (registrations.remove(node) != null) {
            left.add(node);
        }
    }

    /** Expires a registration. */
    void expire(String node) {
        registrations.remove(node);
    }

    /** Returns all past states of the change. */
    List<Change> changes() {
        return changes;
    }

    /** Executes an order; returns false if the entry has another rev. */
    boolean carryOut(Order order) {
        return switch (order) {
            case Order.PutLayout(Layout next, String rev) -> {
                if (!matches(layout, rev)) {
                    yield false;
                }
                layout = new Versioned<>(next, Long.toString(++lastRev));
                yield true;
            }
            case Order.PutChange(Change next, String rev) -> {
                if (!matches(change, rev)) {
                    yield false;
                }
                change = new Versioned<>(next, Long.toString(++lastRev));
                changes.add(next);
                yield true;
            }
            case Order.PutTask(String node, Task task) -> {
                tasks.put(node, task);
                yield true;
            }
            case Order.DeleteTask(String node) -> {
                tasks.remove(node);
                yield true;
            }
            case Order.AddToken(Token token) -> {
                tokens.putIfAbsent(token.id(), token);
                yield true;
            }
            case Order.DeleteToken(String id) -> {
                tokens.remove(id);
                yield true;
            }
        };
    }

    private static boolean matches(@Nullable Versioned<?> entry, @Nullable String rev) {
        return Objects.equals(entry == null ? null : entry.rev(), rev);
    }
}
