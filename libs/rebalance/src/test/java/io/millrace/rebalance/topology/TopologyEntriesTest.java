package io.millrace.rebalance.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TaskList.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TopologyEntriesTest {

    @Test
    void writesOfOrders_appearInViews() {
        TreeSet<String> nodes = new TreeSet<>(List.of("a", "b"));
        Layout layout = Layout.contiguous("c0", List.of("a"));
        Change change = Change.prepare(
                TopologyChange.of("c1", "1", TopologyChange.Type.REBALANCE, nodes, new TreeSet<>()),
                new TreeMap<>(),
                new TreeSet<>(List.of("c")),
                3);
        Task task = Task.prepared("1", "c1");
        Token token = new Token("c1", "a");
        List<TopologyEntries.Found> entries = new ArrayList<>();
        for (Order order : List.of(
                new Order.PutLayout(layout, null),
                new Order.PutChange(change, null),
                new Order.PutTask("a", task),
                new Order.AddToken(token))) {
            TopologyEntries.EntryWrite write = TopologyEntries.write(order);
            entries.add(new TopologyEntries.Found(
                    write.path(), Objects.requireNonNull(write.value()), Integer.toString(entries.size())));
        }

        ClusterView view = TopologyEntries.view(entries, Registry.of(nodes));

        assertThat(view.layout()).isEqualTo(new Versioned<>(layout, "0"));
        assertThat(view.change()).isEqualTo(new Versioned<>(change, "1"));
        assertThat(view.tasks()).containsEntry("a", task).hasSize(1);
        assertThat(view.tokens()).containsEntry("c1", token).hasSize(1);
        assertThat(view.live()).isEqualTo(nodes);
    }

    @Test
    void order_hasACondition() {
        Layout layout = Layout.contiguous("c0", List.of("a"));

        assertThat(TopologyEntries.write(new Order.PutLayout(layout, null)).condition())
                .isEqualTo(TopologyEntries.Condition.ABSENT);
        assertThat(TopologyEntries.write(new Order.PutLayout(layout, "7")))
                .returns(TopologyEntries.Condition.AT_REV, TopologyEntries.EntryWrite::condition)
                .returns("7", TopologyEntries.EntryWrite::rev);
        assertThat(TopologyEntries.write(new Order.DeleteToken("x")).value()).isNull();
        assertThat(TopologyEntries.write(new Order.DeleteTask("a")))
                .returns(TopologyPaths.TASKS + "a", TopologyEntries.EntryWrite::path)
                .returns(null, TopologyEntries.EntryWrite::value);
    }
}
