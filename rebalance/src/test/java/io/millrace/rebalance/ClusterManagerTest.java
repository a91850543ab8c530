package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Manager and agents together, one look of each at a time. */
class ClusterManagerTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedMetakv metakv = new SimulatedMetakv(time);
    private final AtomicInteger ids = new AtomicInteger();
    private Duration failoverDelay = Duration.ZERO;
    private ClusterManager manager = manager(false);
    private final Map<String, TopologyAgent> agents = new TreeMap<>();
    private final TreeMap<String, VbucketSet> waited = new TreeMap<>();
    private double progress;

    private ClusterManager manager(boolean auto) {
        var settings = new ManagerSettings(
                auto,
                false,
                Duration.ofSeconds(2),
                failoverDelay,
                LEASE,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30));
        return new ClusterManager(settings, Planner.DEFAULT, () -> "c" + ids.incrementAndGet());
    }

    @Test
    void firstNode_beginsByItself() {
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
    void change_thatIsStopped_leavesEverybodyInTheCluster(Change.Phase when) {
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
        assertThat(phase()).as("not begun again").isEqualTo(Change.Phase.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(names = {"PREPARE", "START", "EXECUTION"})
    void masterThatDies_endsTheChangeAndTheNextOneHasAnother(Change.Phase when) {
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
        assertThat(layout().nodes()).as("people want a out").containsExactly("c");
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
    void silentNode_letsTheChangeFailByName() {
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
    void changeWithoutProgress_failsByName() {
        waited.put("f", VbucketSet.parse("3,5-9"));
        upTo(Change.Phase.EXECUTION);
        manage();
        assertThat(TaskList.of(metakv.view()).tasks().getFirst().extra())
                .isEqualTo(Map.of(
                        "waitedFor",
                        Map.of("a", Map.of("f", "3,5-9"), "b", Map.of("f", "3,5-9"), "c", Map.of("f", "3,5-9"))));
        letPass(60);

        assertThat(phase()).isEqualTo(Change.Phase.FAILED);
        assertThat(change().error()).contains("not settled are [a, b, c]", "by a for f 3,5-9; by b for f 3,5-9");
        assertThat(TaskList.of(metakv.view()).tasks())
                .singleElement()
                .returns(Task.Type.REBALANCE, Task::type)
                .returns(Task.Status.FAILED, Task::status);
        assertThat(layout().frozen()).isTrue();
    }

    @Test
    void automaticMode_waitsForFurtherNodesButNotAfterADeath() {
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
    void request_thatMakesNoSense_isRefused() {
        join("a");
        look("a");
        join("b");

        assertThat(refusal(List.of(), List.of("a", "b"))).contains("keepNodes is empty", "start another");
        assertThat(refusal(List.of("a", "b"), List.of("x"))).contains("neither alive nor part of the cluster: [x]");
        assertThat(refusal(List.of("a"), List.of("a", "b"))).contains("[a]");
        assertThat(refusal(List.of("a", "x"), List.of("b"))).contains("not alive: [x]");
        assertThat(refusal(List.of("a"), List.of())).contains("neither in keepNodes nor in ejectNodes: [b]");
        request(List.of("a", "b"), List.of());
        assertThat(refusal(List.of("a", "b"), List.of())).contains("c1");
        assertThat(manager.cancel(metakv.view(), "other"))
                .isEqualTo(new ChangeRequest.Refused(
                        "There is no running topology change 'other'. The running one is 'c1'."));
    }

    @Test
    void node_thatPeopleTookOut_staysOutUntilTheyTakeItIn() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        request(List.of("b", "c"), List.of("a"));
        settle("b", "c", "a");
        assertThat(layout().members()).containsExactly("b", "c");
        waitAndManage();
        assertThat(phase()).as("nothing begins by itself").isEqualTo(Change.Phase.DONE);

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
    void node_thatPeopleTookOut_isTakenInWhenNobodyElseIsAlive() {
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
    void node_thatPeopleWantedOut_remainsAfterAChangeThatWasStopped() {
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
    void ejectionThatFailed_isTriedAgainAsPeopleWantedIt(TopologyChange.Type type) {
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
    void node_thatDied_isTakenInWhenItComesBack() {
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
    void node_thatLeftInOrder_isNotWaitedFor() {
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
    void failoverDelay_runsForEachNodeByItself() {
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
                join("c"); // comes and goes all the time
            }
        }
        manage();

        assertThat(phase()).isEqualTo(Change.Phase.PREPARE);
        assertThat(change().message().eject()).contains("a");
    }

    @Test
    void nodesThatComeBackOneByOne_afterTheRegistryWasAway_areNotGone() {
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
    void change_goesOnAfterTheRegistryWasAway(Change.Phase when) {
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
        assertThat(phase()).isEqualTo(Change.Phase.DONE);

        calm();
        manage();

        assertThat(change().message().eject()).containsExactly("a");
    }

    @Test
    void managerThatWasBlind_givesNodesTimeToRegister() {
        upTo(Change.Phase.DONE);
        manager = manager(true);
        calm();

        manager.blind();
        die("a");
        manage();
        assertThat(phase()).isEqualTo(Change.Phase.DONE);

        calm();
        manage();
        assertThat(change().message().eject()).containsExactly("a");
    }

    @Test
    void nodesThatKeepComing_doNotHoldUpTheOthersForEver() {
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

    /** So long that the manager believes what the registry says of the dead. */
    private void calm() {
        for (int second = 0; second <= 11; second++) {
            manager.decide(metakv.view(), time.now());
            pass(1000);
        }
    }

    /** Time in which those that are alive renew. */
    private void pass(long millis) {
        time.runUntil(time.now() + millis);
        metakv.view().live().forEach(node -> metakv.register(node, 1_000_000));
    }

    private void letPass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            manage();
            pass(1000);
        }
        manage();
    }

    private void die(String... nodes) {
        List.of(nodes).forEach(metakv::expire);
    }

    /** Longer than the manager waits for further nodes. */
    private void waitAndManage() {
        manage();
        pass(3_000);
        manage();
    }

    @Test
    void failover_doesNotWaitForWhomItEjects() {
        upTo(Change.Phase.DONE);
        run(manager.request(metakv.view(), TopologyChange.Type.FAILOVER, List.of("b", "c"), List.of("a"), time.now()));
        settle("b", "c");

        assertThat(phase()).isEqualTo(Change.Phase.DONE);
        assertThat(layout().nodes()).containsExactly("b", "c");
    }

    /** a alone, then a with b and c, of which a leaves; the change is c2. */
    private void upTo(Change.Phase phase) {
        ids.set(1);
        join("a");
        look("a");
        join("b", "c");
        if (phase == Change.Phase.DONE) {
            request(List.of("a", "b", "c"), List.of());
            settle("a", "b", "c");
            return;
        }
        run(manager.request(metakv.view(), TopologyChange.Type.REBALANCE, List.of("b", "c"), List.of("a"), time.now()));
        if (phase == Change.Phase.PREPARE) {
            return;
        }
        look("a");
        look("b");
        look("c");
        manage();
        if (phase == Change.Phase.EXECUTION) {
            look("b");
            manage();
            look("a");
            look("b");
            look("c");
        }
    }

    private void settle(String... nodes) {
        progress = 1;
        for (int i = 0; i < 5; i++) {
            List.of(nodes).forEach(this::look);
            manage();
        }
    }

    private void join(String... nodes) {
        for (String node : nodes) {
            metakv.register(node, 1_000_000);
            agents.computeIfAbsent(node, TopologyAgent::new);
        }
    }

    private void look(String node) {
        ToDoubleFunction<Layout> answer = layout -> progress;
        agent(node).decide(metakv.view(), answer, () -> true, layout -> waited).forEach(metakv::carryOut);
        agent(node).decide(metakv.view(), answer);
    }

    private TopologyAgent agent(String node) {
        return Objects.requireNonNull(agents.get(node));
    }

    private void manage() {
        manager.decide(metakv.view(), time.now()).forEach(metakv::carryOut);
    }

    private void request(List<String> keep, List<String> eject) {
        run(manager.request(metakv.view(), TopologyChange.Type.REBALANCE, keep, eject, time.now()));
    }

    private void run(ChangeRequest request) {
        assertThat(request).isInstanceOf(ChangeRequest.Accepted.class);
        ((ChangeRequest.Accepted) request).orders().forEach(metakv::carryOut);
    }

    private @Nullable String refusal(List<String> keep, List<String> eject) {
        return manager.request(metakv.view(), TopologyChange.Type.REBALANCE, keep, eject, time.now())
                        instanceof ChangeRequest.Refused(String reason)
                ? reason
                : null;
    }

    private Change change() {
        return Objects.requireNonNull(metakv.view().change()).value();
    }

    private Change.Phase phase() {
        return change().phase();
    }

    private Layout layout() {
        return Objects.requireNonNull(metakv.view().layout()).value();
    }
}
