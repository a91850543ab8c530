package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.topology.ManagerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A cluster in automatic mode whose registry fails and recovers. */
class RegistryOutageTest {

    private static final int SEEDS = 100;
    private static final Planner PLANNER = new Planner(12);
    private static final long LEASE_MILLIS = SimulatedNode.LEASE.toMillis();

    @Test
    void outagesOfTheRegistry_moveNoVbuckets() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Cluster cluster = new Cluster(seed);
            Layout before = cluster.layout();
            for (int outage = 0; outage < 5; outage++) {
                cluster.outage();
            }

            assertThat(cluster.layout()).as("seed %d", seed).isEqualTo(before);
            assertThat(cluster.metakv.changes())
                    .as("seed %d", seed)
                    .allSatisfy(change -> assertThat(change.message().eject()).isEmpty());
        }
    }

    @Test
    void death_isDeclaredWhenTheLeaseEnds_andLaterAfterAnOutage() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Cluster cluster = new Cluster(seed);
            cluster.run(3 * LEASE_MILLIS);
            cluster.nodes.get(1).crash();
            cluster.run(LEASE_MILLIS + 1_000);
            assertThat(cluster.ejected()).as("seed %d", seed).containsExactly("n1");

            cluster.run(3 * LEASE_MILLIS);
            cluster.outage();
            cluster.nodes.get(2).crash();
            cluster.run(2 * LEASE_MILLIS + 2_000);
            assertThat(cluster.ejected()).as("seed %d", seed).containsExactly("n2");
        }
    }

    /** Four settled nodes and two managers. */
    private static final class Cluster {

        final VirtualTime time = new VirtualTime();
        final SimulatedMetakv metakv = new SimulatedMetakv(time);
        final List<SimulatedNode> nodes;
        private final RandomGenerator random;
        private final List<SimulatedManager> managers;

        Cluster(long seed) {
            random = new Random(seed);
            var network = new SimulatedNetwork(time, random);
            var witness = new Witness(time);
            var redis = new SimulatedRedis(time, 12, Sabotage.NONE, witness);
            var world = new SimulatedNode.World(
                    time, random, network, metakv, redis, witness, PLANNER, List.of("f"), Sabotage.NONE);
            nodes = IntStream.range(0, 4)
                    .mapToObj(i -> new SimulatedNode(world, "n" + i))
                    .toList();
            var settings = new ManagerSettings(
                    true,
                    random.nextBoolean(),
                    Duration.ofMillis(500),
                    Duration.ZERO,
                    SimulatedNode.LEASE,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(2));
            AtomicLong ids = new AtomicLong();
            managers = IntStream.range(0, 2)
                    .mapToObj(i -> new SimulatedManager(settings, PLANNER, ids, metakv, network, time))
                    .toList();
            nodes.forEach(SimulatedNode::start);
            run(15_000);
            assertThat(layout().nodes()).hasSize(4);
        }

        void run(long millis) {
            time.runUntil(time.now() + millis);
        }

        /** Whether the outage affects only the nodes, or the managers as well. */
        void outage() {
            int length = random.nextInt(4 * (int) LEASE_MILLIS);
            nodes.forEach(node -> node.loseMetakv(length));
            if (random.nextBoolean()) {
                managers.forEach(manager -> manager.down(length));
            }
            run(length + random.nextInt(3 * (int) LEASE_MILLIS));
        }

        Layout layout() {
            return Objects.requireNonNull(metakv.view().layout()).value();
        }

        /** Returns the nodes that the last change ejects. */
        TreeSet<String> ejected() {
            return new TreeSet<>(metakv.changes().getLast().message().eject());
        }
    }
}
