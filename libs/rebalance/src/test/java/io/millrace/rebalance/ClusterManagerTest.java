package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterManager.ChangeRequest;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TaskList;
import io.millrace.rebalance.topology.TaskList.Task;
import io.millrace.rebalance.topology.TopologyChange;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The phases and the end of a change. */
class ClusterManagerTest extends ManagedNodes {

    @Test
    void firstNode_startsAlone() {
        join("a");
        look("a");
        look("a");

        assertThat(layout().nodes()).containsExactly("a");
        assertThat(agent("a").layout()).isEqualTo(layout());
        assertThat(metakv.view().change()).isNull();
    }

    @Test
    void change_goesThroughItsPhases() {
        join("a");
        look("a");
        join("b");
        request(List.of("a", "b"), List.of());
        assertThat(phase()).isEqualTo(Change.Phase.PREPARE);
        assertThat(TaskList.of(metakv.view()).tasks())
                .singleElement()
                .returns("c1", Task::id)
                .returns(Task.Type.PREPARED, Task::type)
                .returns(true, Task::cancelable)
                .returns(0.0, Task::progress);
        look("a");
        manage();
        assertThat(phase()).as("b has not prepared").isEqualTo(Change.Phase.PREPARE);
        assertThat(TaskList.of(metakv.view()).tasks())
                .singleElement()
                .returns(0.5, Task::progress)
                .returns(Map.of("a", 1.0, "b", 0.0), Task::detailedProgress);
        look("b");
        manage();
        assertThat(phase()).isEqualTo(Change.Phase.START);
        look("b");
        assertThat(metakv.view().tokens()).as("b is not the master").isEmpty();
        look("a");
        assertThat(metakv.view().tokens()).containsOnlyKeys("c1");
        manage();
        assertThat(phase()).isEqualTo(Change.Phase.EXECUTION);

        progress = 0.5;
        look("a");
        look("b");
        manage();
        Task task = TaskList.of(metakv.view()).tasks().getFirst();
        assertThat(task.progress()).isEqualTo(0.5);
        assertThat(task.detailedProgress()).containsOnlyKeys("a", "b");
        assertThat(Objects.requireNonNull(agent("b").layout()).nodes()).containsExactly("a", "b");

        progress = 1;
        look("a");
        look("b");
        manage();
        assertThat(phase()).isEqualTo(Change.Phase.DONE);
        assertThat(metakv.view().tokens()).isEmpty();
        assertThat(layout()).isEqualTo(Layout.contiguous("c1", List.of("a", "b")));
        assertThat(TaskList.of(metakv.view()).tasks()).isEmpty();
    }

    @Test
    void node_preparesWhenItsWorkersAreReady() {
        join("a");
        look("a");
        join("b");
        request(List.of("a", "b"), List.of());

        assertThat(agent("b").decide(metakv.view(), layout -> 1, () -> false)).isEmpty();
        assertThat(agent("b").decide(metakv.view(), layout -> 1, () -> true))
                .singleElement()
                .isInstanceOf(Order.PutTask.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"PREPARE", "START", "EXECUTION"})
    void cancelledChange_keepsAllNodesInTheCluster(Change.Phase when) {
        upTo(when);

        run(manager.cancel(metakv.view(), "c2"));
        manage();
        look("a");
        look("b");
        look("c");

        assertThat(phase()).isEqualTo(Change.Phase.CANCELLED);
        assertThat(layout().members()).containsExactly("a", "b", "c");
        assertThat(layout().frozen()).isEqualTo(when == Change.Phase.EXECUTION);
        assertThat(metakv.view().tokens()).isEmpty();
        assertThat(agents.values())
                .allSatisfy(agent -> assertThat(agent.layout()).isEqualTo(layout()));
        manager = manager(true);
        time.runUntil(time.now() + 100_000);
        join("a", "b", "c");
        manage();
        assertThat(phase()).as("not repeated").isEqualTo(Change.Phase.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(names = {"PREPARE", "START", "EXECUTION"})
    void deathOfTheMaster_failsTheChangeAndTheNextChoosesAnother(Change.Phase when) {
        manager = manager(true);
        upTo(when);
        calm();

        die("b");
        manage();
        assertThat(phase()).isEqualTo(Change.Phase.FAILED);
        assertThat(TaskList.of(metakv.view()).tasks().getFirst().errorMessage()).contains("b");
        manage();
        assertThat(phase()).isEqualTo(Change.Phase.PREPARE);
        progress = 1;
        for (int i = 0; i < 5; i++) {
            look("a");
            look("c");
            manage();
        }

        assertThat(phase()).isEqualTo(Change.Phase.DONE);
        assertThat(layout().nodes()).as("an operator ejected a").containsExactly("c");
    }

    @Test
    void leftoverTokens_areDeletedByTheMaster() {
        metakv.carryOut(new Order.AddToken(new Token("old", "x")));
        upTo(Change.Phase.EXECUTION);

        assertThat(metakv.view().tokens()).containsOnlyKeys("c2");

        metakv.carryOut(new Order.DeleteToken("c2"));
        look("a");
        assertThat(Objects.requireNonNull(agent("a").layout()).id()).isEqualTo("c2");
        look("b");
        assertThat(metakv.view().tokens()).as("it comes back").containsOnlyKeys("c2");
    }

    @Test
    void leftoverTasks_areDeletedByTheMaster() {
        metakv.carryOut(new Order.PutTask("gone", Task.prepared("1", "old")));
        upTo(Change.Phase.EXECUTION);

        assertThat(metakv.view().tasks()).containsOnlyKeys("a", "b", "c");
    }

    @Test
    void silentNode_failsTheChangeAndIsNamed() {
        join("a");
        look("a");
        join("b");
        request(List.of("a", "b"), List.of());
        look("a");
        letPass(10);

        assertThat(phase()).isEqualTo(Change.Phase.FAILED);
        assertThat(change().error()).contains("[b]");
        assertThat(TaskList.of(metakv.view()).tasks())
                .singleElement()
                .returns(Task.Type.PREPARED, Task::type)
                .returns(Task.Status.FAILED, Task::status);
        assertThat(layout().nodes()).containsExactly("a");
    }

    @Test
    void changeWithoutProgress_failsAndNamesTheNodes() {
        waited.put("f", VbucketSet.parse("3,5-9"));
        upTo(Change.Phase.EXECUTION);
        manage();
        assertThat(TaskList.of(metakv.view()).tasks().getFirst().extra())
                .isEqualTo(Map.of(
                        "waitedFor",
                        Map.of("a", Map.of("f", "3,5-9"), "b", Map.of("f", "3,5-9"), "c", Map.of("f", "3,5-9"))));
        letPass(60);

        assertThat(phase()).isEqualTo(Change.Phase.FAILED);
        assertThat(change().error())
                .contains("unsettled nodes: [a, b, c]", "still to move: on a f 3,5-9; on b f 3,5-9");
        assertThat(TaskList.of(metakv.view()).tasks())
                .singleElement()
                .returns(Task.Type.REBALANCE, Task::type)
                .returns(Task.Status.FAILED, Task::status);
        assertThat(layout().frozen()).isTrue();
    }

    @Test
    void automaticMode_waitsForFurtherNodesExceptAfterADeath() {
        manager = manager(true);
        join("a");
        look("a");
        join("b");
        manage();
        assertThat(metakv.view().change()).isNull();
        time.runUntil(1_999);
        manage();
        assertThat(metakv.view().change()).isNull();
        time.runUntil(2_000);
        manage();
        assertThat(change().message().keep()).containsExactly("a", "b");

        settle("a", "b");
        calm();
        die("a");
        manage();
        assertThat(change().message().type()).isEqualTo(TopologyChange.Type.FAILOVER);
        assertThat(change().message().eject()).containsExactly("a");
    }

    @Test
    void invalidRequest_isRefused() {
        join("a");
        look("a");
        join("b");

        assertThat(refusal(List.of(), List.of("a", "b"))).contains("keepNodes is empty", "start another node");
        assertThat(refusal(List.of("a", "b"), List.of("x"))).contains("neither alive nor part of the cluster: [x]");
        assertThat(refusal(List.of("a"), List.of("a", "b"))).contains("[a]");
        assertThat(refusal(List.of("a", "x"), List.of("b"))).contains("not alive: [x]");
        assertThat(refusal(List.of("a"), List.of())).contains("neither in keepNodes nor in ejectNodes: [b]");
        request(List.of("a", "b"), List.of());
        assertThat(refusal(List.of("a", "b"), List.of())).contains("c1");
        assertThat(manager.cancel(metakv.view(), "other"))
                .isEqualTo(new ChangeRequest.Refused(
                        "There is no running topology change 'other'. The running change is 'c1'."));
    }
}
