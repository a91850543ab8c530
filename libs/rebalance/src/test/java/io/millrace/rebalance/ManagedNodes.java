package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterManager;
import io.millrace.rebalance.topology.ClusterManager.ChangeRequest;
import io.millrace.rebalance.topology.ManagerSettings;
import io.millrace.rebalance.topology.TopologyAgent;
import io.millrace.rebalance.topology.TopologyChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A manager and agents, one decision of each at a time. */
abstract class ManagedNodes {

    static final Duration LEASE = Duration.ofSeconds(10);

    final VirtualTime time = new VirtualTime();
    final SimulatedMetakv metakv = new SimulatedMetakv(time);
    final AtomicInteger ids = new AtomicInteger();
    Duration failoverDelay = Duration.ZERO;
    ClusterManager manager = manager(false);
    final Map<String, TopologyAgent> agents = new TreeMap<>();
    final TreeMap<String, VbucketSet> waited = new TreeMap<>();
    double progress;

    ClusterManager manager(boolean auto) {
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

    /** Passes the time after which the manager trusts expired registrations. */
    void calm() {
        for (int second = 0; second <= 11; second++) {
            manager.decide(metakv.view(), time.now());
            pass(1000);
        }
    }

    /** Passes time in which live nodes renew. */
    void pass(long millis) {
        time.runUntil(time.now() + millis);
        metakv.view().live().forEach(node -> metakv.register(node, 1_000_000));
    }

    void letPass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            manage();
            pass(1000);
        }
        manage();
    }

    void die(String... nodes) {
        List.of(nodes).forEach(metakv::expire);
    }

    /** Passes more than the join delay. */
    void waitAndManage() {
        manage();
        pass(3_000);
        manage();
    }

    /** Starts with a alone; change c2 adds b and c and ejects a. */
    void upTo(Change.Phase phase) {
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

    void settle(String... nodes) {
        progress = 1;
        for (int i = 0; i < 5; i++) {
            List.of(nodes).forEach(this::look);
            manage();
        }
    }

    void join(String... nodes) {
        for (String node : nodes) {
            metakv.register(node, 1_000_000);
            agents.computeIfAbsent(node, TopologyAgent::new);
        }
    }

    void look(String node) {
        ToDoubleFunction<Layout> answer = layout -> progress;
        agent(node).decide(metakv.view(), answer, () -> true, layout -> waited).forEach(metakv::carryOut);
        agent(node).decide(metakv.view(), answer);
    }

    TopologyAgent agent(String node) {
        return Objects.requireNonNull(agents.get(node));
    }

    void manage() {
        manager.decide(metakv.view(), time.now()).forEach(metakv::carryOut);
    }

    void request(List<String> keep, List<String> eject) {
        run(manager.request(metakv.view(), TopologyChange.Type.REBALANCE, keep, eject, time.now()));
    }

    void run(ChangeRequest request) {
        assertThat(request).isInstanceOf(ChangeRequest.Accepted.class);
        ((ChangeRequest.Accepted) request).orders().forEach(metakv::carryOut);
    }

    @Nullable
    String refusal(List<String> keep, List<String> eject) {
        return manager.request(metakv.view(), TopologyChange.Type.REBALANCE, keep, eject, time.now())
                        instanceof ChangeRequest.Refused(String reason)
                ? reason
                : null;
    }

    Change change() {
        return Objects.requireNonNull(metakv.view().change()).value();
    }

    Change.Phase phase() {
        return change().phase();
    }

    Layout layout() {
        return Objects.requireNonNull(metakv.view().layout()).value();
    }
}
