package io.millrace.benchmarks;

import io.millrace.benchmarks.RebalanceCluster.Owned;
import io.millrace.launcher.EventingNode;
import io.millrace.testkit.FlakyProxy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Eventing nodes as processes that come, go, die and are stopped while documents are written and timers fire: nothing may
 * get lost, no document may go back, and no vbucket may be without its owner afterwards. Prints how long each of it took.
 */
final class RebalanceBench {

    /** Longer than the lease of a node, 10 s. */
    private static final Duration STOPPED = Duration.ofSeconds(14);

    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final int rate;
    private final PrintStream out;
    private final List<Event> events = new ArrayList<>();
    private final Map<String, EventingNode> nodes = new TreeMap<>();

    /** Something that happened to the cluster, and how long it took until everything was as planned. */
    private record Event(String name, long fromMillis, long toMillis, String more) {}

    private interface Action {
        String run() throws Exception;
    }

    /** @param rate mutations per second */
    RebalanceBench(int rate, PrintStream out) {
        this.rate = rate;
        this.out = out;
    }

    void run() throws Exception {
        try (RebalanceCluster cluster = RebalanceCluster.start(out)) {
            cluster.deploy(RebalanceLoad.HANDLER);
            RebalanceLoad load = new RebalanceLoad(cluster.store(), "source", rate);
            load.start();
            pause(BETWEEN);
            nodesComeAndGo(cluster);
            mastersDie(cluster);
            nodeIsStopped(cluster);
            nodeIsCutOff(cluster);
            event("Redis killed and started again", () -> {
                cluster.kill9Redis();
                cluster.awaitBalanced(2);
                return "";
            });
            event("2 to 1 node, in order", () -> {
                node(cluster, "a-3").close();
                cluster.awaitBalanced(1);
                return "";
            });
            load.end();
            RebalanceLoad.Verdict verdict = awaitVerdict(load);
            print(verdict);
            check(verdict, cluster);
        }
    }

    private EventingNode node(RebalanceCluster cluster, String id) {
        return nodes.computeIfAbsent(id, cluster::startNode);
    }

    private void nodesComeAndGo(RebalanceCluster cluster) throws Exception {
        join(cluster, "a-2", 2);
        join(cluster, "a-3", 3);
        event("kill -9 of one of three", () -> {
            node(cluster, "a-3").kill9();
            nodes.remove("a-3");
            cluster.awaitBalanced(2);
            return "";
        });
        join(cluster, "a-3", 3);
        event("3 to 2 nodes, in order", () -> {
            node(cluster, "a-3").close();
            nodes.remove("a-3");
            cluster.awaitBalanced(2);
            return "";
        });
        join(cluster, "a-3", 3);
    }

    /** Begins when the process is ready: that takes as long as the machine is slow. */
    private void join(RebalanceCluster cluster, String id, int nodesThen) throws Exception {
        node(cluster, id);
        event("%d to %d nodes".formatted(nodesThen - 1, nodesThen), () -> {
            cluster.awaitBalanced(nodesThen);
            return "";
        });
    }

    /** The master is the first node by name, a-2. */
    private void mastersDie(RebalanceCluster cluster) throws Exception {
        for (String phase : List.of("PREPARE", "START", "EXECUTION")) {
            event("kill -9 of the master in phase " + phase, () -> {
                cluster.rebalance();
                String[] reached = {""};
                cluster.awaitTopology("in phase " + phase, view -> {
                    reached[0] = view.path("change").path("phase").asString("");
                    return reached[0].equals(phase) || !view.path("rebalancing").asBoolean();
                });
                node(cluster, "a-2").kill9();
                nodes.remove("a-2");
                cluster.awaitBalanced(2);
                return "it was in " + reached[0];
            });
            node(cluster, "a-2");
            cluster.awaitBalanced(3);
        }
        event("3 to 2 nodes, in order", () -> {
            node(cluster, "a-2").close();
            nodes.remove("a-2");
            cluster.awaitBalanced(2);
            return "";
        });
    }

    /** A process that goes on after its lease has ended must write nothing that others rely on. */
    private void nodeIsStopped(RebalanceCluster cluster) throws Exception {
        EventingNode zombie = node(cluster, "a-3");
        Map<Integer, Owned> before = cluster.owners();
        long fencedBefore = lines(zombie, "event=fenced");
        event("stopped for longer than its lease, then goes on", () -> {
            signal("-STOP", zombie.pid());
            long end = System.nanoTime() + STOPPED.toNanos();
            await("the others have everything", () -> !cluster.ownerNames().contains("a-3"));
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
            return "%d checkpoints of its own, all refused; the others had them at %tT".formatted(own, taken);
        });
    }

    /** A node that reaches everything but Redis gives its share away, and comes back for it. */
    private void nodeIsCutOff(RebalanceCluster cluster) throws Exception {
        try (FlakyProxy way = cluster.way();
                EventingNode cut = cluster.startNode("a-4", way)) {
            event("2 to 3 nodes, one by a way of its own", () -> {
                cluster.awaitBalanced(3);
                return "";
            });
            Map<Integer, Owned> before = cluster.owners();
            event("cut off from Redis for longer than its lease", () -> {
                way.partition();
                await("the others have everything", () -> !cluster.ownerNames().contains("a-4"));
                cluster.awaitBalanced(2);
                return "";
            });
            Map<Integer, Owned> others = cluster.owners();
            event("comes to Redis again", () -> {
                way.heal();
                cluster.awaitBalanced(3);
                checkNothingWrittenBy("a-4", before, others, cluster.owners());
                return "";
            });
            event("3 to 2 nodes, in order", () -> {
                cut.close();
                cluster.awaitBalanced(2);
                return "";
            });
        }
    }

    /** No checkpoint may carry an epoch that had ended, or go back. */
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
                throw new IllegalStateException("Not after " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private void event(String name, Action action) throws Exception {
        long from = System.currentTimeMillis();
        String more = action.run();
        long to = System.currentTimeMillis();
        events.add(new Event(name, from, to, more));
        out.printf("  %5.1f s  %s%s%n", (to - from) / 1e3, name, more.isEmpty() ? "" : " (" + more + ")");
        pause(BETWEEN);
    }

    private static void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    private static RebalanceLoad.Verdict awaitVerdict(RebalanceLoad load) throws Exception {
        RebalanceLoad.Verdict[] verdict = new RebalanceLoad.Verdict[1];
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            pause(BETWEEN);
            verdict[0] = load.verdict("handled");
        } while (verdict[0].lost() > 0 && System.nanoTime() < end);
        return verdict[0];
    }

    private void print(RebalanceLoad.Verdict verdict) {
        out.printf("%n%-48s %9s %13s %8s%n", "at " + rate + " mutations/s", "balanced", "longest wait", "repeated");
        for (Event event : events) {
            // what was handled and not saved before it may be handled again
            out.printf(
                    "%-48s %7.1f s %11.1f s %8d%n",
                    event.name(),
                    (event.toMillis() - event.fromMillis()) / 1e3,
                    verdict.longestWait(event.fromMillis(), event.toMillis() + 1000) / 1e3,
                    verdict.repeated(event.fromMillis() - 1000, event.toMillis()));
        }
        out.printf(
                "%n%,d documents in %d states: %d lost, %d calls after one with a later state, %d calls and %d timers repeated%n",
                verdict.documents(),
                RebalanceLoad.STATES,
                verdict.lost(),
                verdict.back(),
                verdict.repeated(0, Long.MAX_VALUE),
                verdict.repeatedTimers());
    }

    private static void check(RebalanceLoad.Verdict verdict, RebalanceCluster cluster) throws InterruptedException {
        JsonNode view = cluster.topology();
        Set<String> owners = cluster.ownerNames();
        require(verdict.lost() == 0, "Events were lost");
        require(owners.size() == 1 && cluster.owners().size() == 1024, "Vbuckets without their owner: " + owners);
        require(view.path("members").size() == 1, "Not a cluster of one: " + view);
    }

    private static void require(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalStateException(otherwise);
        }
    }
}
