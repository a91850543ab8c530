package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.TopologyChange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Membership of the cluster: nodes that join, leave, die, are ejected and return. */
class ClusterMembershipTest extends ManagedNodes {

    @Test
    void ejectedNode_staysOutUntilAnOperatorIncludesIt() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        request(List.of("b", "c"), List.of("a"));
        settle("b", "c", "a");
        assertThat(layout().members()).containsExactly("b", "c");
        waitAndManage();
        assertThat(phase()).as("no change starts automatically").isEqualTo(Change.Phase.DONE);

        join("d");
        waitAndManage();
        settle("a", "b", "c", "d");
        assertThat(layout().members()).containsExactly("b", "c", "d");
        assertThat(metakv.view().out()).containsExactly("a");

        request(List.of("a", "b", "c", "d"), List.of());
        settle("a", "b", "c", "d");
        assertThat(layout().members()).containsExactly("a", "b", "c", "d");
        assertThat(metakv.view().out()).isEmpty();
    }

    @Test
    void ejectedNode_isIncludedWhenNoOtherIsAlive() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        request(List.of("b", "c"), List.of("a"));
        settle("b", "c", "a");

        calm();
        die("b", "c");
        manage();
        settle("a");

        assertThat(layout().members()).containsExactly("a");
        assertThat(metakv.view().out()).isEmpty();
    }

    @Test
    void nodeToEject_remainsAfterACancelledChange() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        request(List.of("b", "c"), List.of("a"));
        run(manager.cancel(metakv.view(), change().message().id()));
        manage();

        assertThat(phase()).isEqualTo(Change.Phase.CANCELLED);
        assertThat(layout().members()).containsExactly("a", "b", "c");
        assertThat(metakv.view().out()).isEmpty();
        waitAndManage();
        assertThat(phase()).isEqualTo(Change.Phase.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource
    void failedEjection_isRepeatedWithItsType(TopologyChange.Type type) {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        run(manager.request(metakv.view(), type, List.of("b", "c"), List.of("a"), time.now()));
        letPass(10);
        assertThat(phase()).isEqualTo(Change.Phase.FAILED);
        assertThat(layout().members()).containsExactly("a", "b", "c");
        String failed = change().message().id();

        letPass(28);
        assertThat(change().message().id()).as("not at once").isEqualTo(failed);
        letPass(2);
        assertThat(change().message().id()).isNotEqualTo(failed);
        assertThat(change().message().type()).isEqualTo(type);
        assertThat(change().message().keep()).containsExactly("b", "c");
        assertThat(change().message().eject()).containsExactly("a");

        settle("a", "b", "c");
        assertThat(layout().members()).containsExactly("b", "c");
        assertThat(metakv.view().out()).containsExactly("a");
    }

    @Test
    void deadNode_isIncludedWhenItReturns() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        calm();
        die("a");
        manage();
        settle("b", "c");
        assertThat(layout().members()).containsExactly("b", "c");

        join("a");
        waitAndManage();
        settle("a", "b", "c");

        assertThat(layout().members()).containsExactly("a", "b", "c");
    }

    @Test
    void nodeThatShutDown_isRemovedImmediately() {
        failoverDelay = Duration.ofSeconds(30);
        upTo(Change.Phase.DONE);
        manager = manager(true);
        calm();

        metakv.unregister("a");
        manage();

        assertThat(phase()).isEqualTo(Change.Phase.PREPARE);
        assertThat(change().message().eject()).containsExactly("a");
    }

    @Test
    void failoverDelay_countsForEachNodeSeparately() {
        failoverDelay = Duration.ofSeconds(30);
        upTo(Change.Phase.DONE);
        manager = manager(true);
        calm();

        die("a");
        for (int second = 0; second < 30; second++) {
            manage();
            assertThat(phase()).as("after %d s", second).isEqualTo(Change.Phase.DONE);
            pass(1000);
            if (second % 2 == 0) {
                die("c");
            } else {
                join("c"); // joins and leaves all the time
            }
        }
        manage();

        assertThat(phase()).isEqualTo(Change.Phase.PREPARE);
        assertThat(change().message().eject()).contains("a");
    }

    @Test
    void nodesReturningOneByOneAfterAnOutage_areNotDead() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        calm();
        time.runUntil(time.now() + 20_000);
        metakv.expire("a");
        metakv.expire("b");
        metakv.expire("c");
        manage();

        for (String node : List.of("b", "c", "a")) {
            join(node);
            for (int i = 0; i < 3; i++) {
                pass(1000);
                manage();
                assertThat(phase()).isEqualTo(Change.Phase.DONE);
            }
        }

        calm();
        die("c");
        manage();
        assertThat(change().message().eject()).containsExactly("c");
    }

    @ParameterizedTest
    @EnumSource(names = {"PREPARE", "START", "EXECUTION"})
    void change_continuesAfterAnOutageOfTheRegistry(Change.Phase when) {
        upTo(when);
        calm();
        time.runUntil(time.now() + 20_000);
        List.of("a", "b", "c").forEach(metakv::expire);
        manage();
        join("c");
        pass(1000);
        manage();
        assertThat(phase()).isEqualTo(when);
        join("a", "b");

        settle("a", "b", "c");
        assertThat(phase()).isEqualTo(Change.Phase.DONE);
    }

    @Test
    void newManager_givesNodesTimeToRegister() {
        upTo(Change.Phase.DONE);
        die("a");
        manager = manager(true);

        manage();

        ejectsOnlyAfterRenewals("a");
    }

    @Test
    void managerWithoutView_givesNodesTimeToRegister() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        calm();

        manager.blind();
        die("a");
        manage();

        ejectsOnlyAfterRenewals("a");
    }

    private void ejectsOnlyAfterRenewals(String dead) {
        assertThat(phase()).isEqualTo(Change.Phase.DONE);
        calm();
        manage();
        assertThat(change().message().eject()).containsExactly(dead);
    }

    @Test
    void nodesThatKeepJoining_doNotDelayTheOthersForever() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        for (int second = 0; second < 10; second++) {
            join("d" + second);
            manage();
            assertThat(phase()).isEqualTo(Change.Phase.DONE);
            pass(1000);
        }
        join("d10");
        manage();

        assertThat(change().message().keep()).contains("d0", "d10");
    }

    @Test
    void failover_doesNotWaitForEjectedNodes() {
        upTo(Change.Phase.DONE);
        run(manager.request(metakv.view(), TopologyChange.Type.FAILOVER, List.of("b", "c"), List.of("a"), time.now()));
        settle("b", "c");

        assertThat(phase()).isEqualTo(Change.Phase.DONE);
        assertThat(layout().nodes()).containsExactly("b", "c");
    }
}
