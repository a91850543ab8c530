package io.millrace.benchmarks.rebalance;

import static io.millrace.benchmarks.rebalance.RebalanceBench.require;

import io.millrace.benchmarks.rebalance.RebalanceBench.Action;
import io.millrace.benchmarks.rebalance.RebalanceBench.Aim;
import io.millrace.benchmarks.rebalance.RebalanceCluster.Owned;
import io.millrace.launcher.suite.EventingNode;
import io.millrace.testkit.FlakyProxy;
import io.millrace.testkit.RedisPair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** The scenarios; each starts with any nodes and may leave some running. */
final class RebalanceScenarios {

    /** Longer than the lease of a node, 10 s. */
    private static final Duration STOPPED = Duration.ofSeconds(14);

    /** How long a master accepts writes that its replica does not receive. */
    private static final Duration UNREPLICATED = Duration.ofSeconds(2);

    private static final Duration NOTHING = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final RebalanceBench bench;
    private final RebalanceCluster cluster;
    private final RebalanceLoad load;
    private final Map<String, EventingNode> nodes = new TreeMap<>();

    RebalanceScenarios(RebalanceBench bench, RebalanceCluster cluster, RebalanceLoad load) {
        this.bench = bench;
        this.cluster = cluster;
        this.load = load;
    }

    private void event(String name, Aim aim, Action action) throws Exception {
        bench.event(name, aim, load, () -> {}, action);
    }

    private EventingNode node(String id) {
        return nodes.computeIfAbsent(id, cluster::startNode);
    }

    /** Makes these nodes and the node of the suite the cluster. */
    private void ready(String... ids) throws InterruptedException {
        List<String> wanted = List.of(ids);
        for (String id : List.copyOf(nodes.keySet())) {
            if (!wanted.contains(id)) {
                leave(id);
            }
        }
        wanted.forEach(this::node);
        cluster.awaitBalanced(ids.length + 1);
    }

    private void leave(String id) {
        node(id).close();
        nodes.remove(id);
    }

    void oneNodeIsLeft() throws InterruptedException {
        ready();
    }

    void nodesComeAndGo() throws Exception {
        ready();
        nothing("1 node, nothing happens");
        join("a-2", 2);
        join("a-3", 3);
        nothing("3 nodes, nothing happens");
        leaveInOrder("3 to 2 nodes, in order", node("a-3"), 2);
        nodes.remove("a-3");
        leaveInOrder("2 to 1 node, in order", node("a-2"), 1);
        nodes.remove("a-2");
    }

    /** The cluster is balanced before the process has ended. */
    private void leaveInOrder(String name, EventingNode leaving, int nodesThen) throws Exception {
        Thread end = new Thread(leaving::close, "end-of-" + leaving.id());
        event(name, Aim.PLANNED, () -> {
            end.start();
            cluster.awaitBalanced(nodesThen);
            return "";
        });
        end.join();
    }

    private void nothing(String name) throws Exception {
        event(name, Aim.NONE, () -> {
            RebalanceBench.pause(NOTHING);
            return "";
        });
    }

    /** Starts when the process is ready, because its start time depends on the machine. */
    private void join(String id, int nodesThen) throws Exception {
        String name = "%d to %d nodes".formatted(nodesThen - 1, nodesThen);
        bench.event(name, Aim.PLANNED, load, () -> node(id), () -> {
            cluster.awaitBalanced(nodesThen);
            return "";
        });
    }

    void nodeDies() throws Exception {
        ready("a-2", "a-3");
        event("kill -9 of one of three", Aim.LEASE, () -> {
            kill9("a-3");
            cluster.awaitBalanced(2);
            return "";
        });
    }

    private void kill9(String id) throws InterruptedException {
        node(id).kill9();
        nodes.remove(id);
    }

    /** The master is the first node by name, a-2. */
    void mastersDie() throws Exception {
        for (String phase : List.of("PREPARE", "START", "EXECUTION")) {
            ready("a-2", "a-3");
            event("kill -9 of the master in phase " + phase, Aim.LEASE, () -> {
                cluster.rebalance();
                String[] reached = {""};
                cluster.awaitTopology("in phase " + phase, view -> {
                    reached[0] = view.path("change").path("phase").asString("");
                    return reached[0].equals(phase) || !view.path("rebalancing").asBoolean();
                });
                kill9("a-2");
                cluster.awaitBalanced(2);
                return "it was in " + reached[0];
            });
        }
    }

    /** A process that continues after its lease has ended must not write anything that others rely on. */
    void nodeIsStopped() throws Exception {
        ready("a-3");
        EventingNode zombie = node("a-3");
        Map<Integer, Owned> before = cluster.owners();
        long fencedBefore = lines(zombie, "event=fenced");
        event("suspended for longer than its lease, then resumed", Aim.LEASE, () -> {
            signal("-STOP", zombie.pid());
            long end = System.nanoTime() + STOPPED.toNanos();
            await("the others own all vbuckets", () -> !cluster.ownerNames().contains("a-3"));
            long taken = System.currentTimeMillis();
            LockSupport.parkNanos(end - System.nanoTime());
            Map<Integer, Owned> others = cluster.owners();
            signal("-CONT", zombie.pid());
            await("the writes of the stopped node are refused", () -> lines(zombie, "event=fenced") > fencedBefore);
            checkNothingWrittenBy("a-3", before, others, cluster.owners());
            cluster.awaitBalanced(2);
            long own = before.values().stream()
                    .filter(owned -> owned.owner().equals("a-3"))
                    .count();
            return "%d of its checkpoints, all refused; the others took over at %tT".formatted(own, taken);
        });
    }

    /** A node that loses only Redis gives up its share, and gets it back later. */
    void nodeIsCutOff() throws Exception {
        ready();
        try (FlakyProxy way = cluster.way();
                EventingNode cut = cluster.startNode("a-4", way)) {
            cluster.awaitBalanced(2);
            Map<Integer, Owned> before = cluster.owners();
            event("cut off from Redis for longer than its lease", Aim.LEASE, () -> {
                way.partition();
                await("the others own all vbuckets", () -> !cluster.ownerNames().contains("a-4"));
                cluster.awaitBalanced(1);
                return "";
            });
            Map<Integer, Owned> others = cluster.owners();
            event("reaches Redis again", Aim.PLANNED, () -> {
                way.heal();
                cluster.awaitBalanced(2);
                checkNothingWrittenBy("a-4", before, others, cluster.owners());
                return "";
            });
            leaveInOrder("2 to 1 node, in order", cut, 1);
        }
    }

    void redisDies() throws Exception {
        ready("a-2");
        event("Redis killed and restarted", Aim.LEASE, () -> {
            long killed = System.nanoTime();
            cluster.kill9Redis();
            cluster.awaitRedis();
            long answered = System.nanoTime();
            cluster.awaitBalanced(2);
            return "balanced %.1f s after Redis answered, which it did not for %.1f s"
                    .formatted((System.nanoTime() - answered) / 1e9, (answered - killed) / 1e9);
        });
    }

    /** The replica has all but the last writes; checkpoints and results of the function are among the lost ones. */
    void replicaTakesOver(RedisPair pair) throws Exception {
        ready("a-2");
        event("a replica takes over without the last 2 s of writes", Aim.LEASE, () -> {
            pair.cutReplication();
            RebalanceBench.pause(UNREPLICATED);
            long newest = cluster.newest();
            pair.failOver();
            cluster.awaitBalanced(2);
            long lost = newest - cluster.survived();
            require(lost > 0, "The failover lost no write");
            return "%,d writes of documents are lost".formatted(lost);
        });
    }

    /** No checkpoint may have an ended epoch, or go back. */
    private static void checkNothingWrittenBy(
            String node, Map<Integer, Owned> before, Map<Integer, Owned> others, Map<Integer, Owned> now) {
        int wrong = 0;
        for (Map.Entry<Integer, Owned> entry : now.entrySet()) {
            Owned was = before.get(entry.getKey());
            Owned then = others.get(entry.getKey());
            boolean zombie =
                    was != null && was.owner().equals(node) && entry.getValue().epoch() == was.epoch();
            boolean back = then != null && entry.getValue().seqno() < then.seqno();
            wrong += zombie || back ? 1 : 0;
        }
        require(wrong == 0, wrong + " checkpoints were written by a node without lease");
    }

    private static long lines(EventingNode node, String part) throws IOException {
        try (var lines = Files.lines(node.log(), StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.contains(part)).count();
        }
    }

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", signal, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill " + signal + " " + pid + " failed");
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Timed out after " + PATIENCE + " waiting until " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
