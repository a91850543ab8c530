package io.millrace.eventing.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.Registry;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.TopologyEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JoinGateTest {

    private static final long STARTED = 17;

    private boolean warm;
    private boolean functionsReady;
    private final JoinGate gate = new JoinGate("new", () -> warm, () -> functionsReady);
    private final List<TopologyEntries.Found> entries = new ArrayList<>();

    @Test
    void othersDoTheWork_preparesFunctionsAndThenJoins() {
        layoutOf("old");
        functionsReady = true; // of which there may be none

        assertThat(gate.passes(view("old"), STARTED)).isFalse();
        assertThat(gate.preparing(STARTED)).isFalse();

        functionsReady = false;
        warm = true;
        assertThat(gate.passes(view("old"), STARTED)).isFalse();
        assertThat(gate.preparing(STARTED)).isTrue();
        assertThat(gate.passed()).isFalse();

        functionsReady = true;
        assertThat(gate.passes(view("old"), STARTED)).isTrue();
        assertThat(gate.passed()).isTrue();
        assertThat(gate.late()).isFalse();
        assertThat(gate.preparing(STARTED))
                .as("its functions stay ready for its share")
                .isTrue();

        gate.arrived();
        assertThat(gate.preparing(STARTED)).isFalse();
    }

    @Test
    void noShareIsGiven_functionsAreNotKeptReadyForEver() {
        layoutOf("old");
        warm = true;
        functionsReady = true;
        assertThat(gate.passes(view("old"), STARTED)).isTrue();

        long limit = STARTED + JoinGate.KEPT_READY.toNanos();
        assertThat(gate.preparing(limit)).isTrue();
        assertThat(gate.preparing(limit + 1)).isFalse();
    }

    @Test
    void noOtherNodeIsAlive_joinsCold() {
        layoutOf("old");

        assertThat(gate.passes(view(), STARTED)).isTrue();
    }

    @Test
    void itsOwnRegistrationIsLeftFromBefore_isNoOtherNode() {
        layoutOf("old");

        assertThat(gate.passes(view("new"), STARTED)).isTrue();
    }

    @Test
    void theOthersEndWhileItWaits_joinsCold() {
        layoutOf("old");
        assertThat(gate.passes(view("old"), STARTED)).isFalse();

        assertThat(gate.passes(view(), STARTED)).isTrue();
    }

    @Test
    void itsVbucketsWaitForIt_joinsCold() {
        layoutOf("old", "new");

        assertThat(gate.passes(view("old"), STARTED)).isTrue();
    }

    @Test
    void aChangeGivesItAShare_joinsCold() {
        layoutOf("old");
        put(new Order.PutChange(giving("old", "new"), null));

        assertThat(gate.passes(view("old"), STARTED)).isTrue();
    }

    @Test
    void noLayoutYet_joinsCold() {
        assertThat(gate.passes(view("old"), STARTED)).isTrue();
    }

    @Test
    void functionsDoNotBecomeReady_joinsInTheEnd() {
        layoutOf("old");
        warm = true;
        assertThat(gate.passes(view("old"), STARTED)).isFalse();

        long limit = STARTED + JoinGate.LONGEST.toNanos();
        assertThat(gate.passes(view("old"), limit)).isFalse();
        assertThat(gate.late()).isFalse();
        assertThat(gate.passes(view("old"), limit + 1)).isTrue();
        assertThat(gate.late()).as("no other node waits for it again").isTrue();
    }

    private void layoutOf(String... nodes) {
        put(new Order.PutLayout(Layout.contiguous("1", List.of(nodes)), null));
    }

    private static Change giving(String... nodes) {
        List<TopologyChange.KeepNode> keep = List.of(nodes).stream()
                .map(node -> new TopologyChange.KeepNode(TopologyChange.Node.of(node), TopologyChange.Recovery.FULL))
                .toList();
        var message = new TopologyChange("2", "", TopologyChange.Type.REBALANCE, keep, List.of());
        return new Change(message, Change.Phase.PREPARE, "", false, "", 0, new TreeMap<>(), new TreeSet<>());
    }

    private void put(Order order) {
        TopologyEntries.EntryWrite write = TopologyEntries.write(order);
        entries.add(new TopologyEntries.Found(write.path(), Objects.requireNonNull(write.value()), "1"));
    }

    private ClusterView view(String... live) {
        return TopologyEntries.view(entries, Registry.of(new TreeSet<>(List.of(live))));
    }
}
