package io.millrace.rebalance;

import io.millrace.rebalance.ownership.OwnerTable;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterManager.ChangeRequest;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.ManagerSettings;
import io.millrace.rebalance.topology.TopologyChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Simulates a cluster from a seed: nodes start, stop, crash and hang, changes are requested and cancelled. */
final class Simulation {

    private static final int VBUCKETS = 12;
    private static final int NODES = 5;
    private static final int TROUBLE_MILLIS = 30_000;
    private static final int PEACE_MILLIS = 90_000;
    private static final List<String> FUNCTIONS = List.of("f", "g");

    private final long seed;
    private final RandomGenerator random;
    private final VirtualTime time = new VirtualTime();
    private final Witness witness = new Witness(time);
    private final SimulatedNetwork network;
    private final SimulatedMetakv metakv = new SimulatedMetakv(time);
    private final SimulatedRedis redis;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedManager> managers = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private final Planner planner = new Planner(VBUCKETS);

    Simulation(long seed, Sabotage sabotage) {
        this.seed = seed;
        this.random = new Random(seed);
        this.network = new SimulatedNetwork(time, random);
        this.redis = new SimulatedRedis(time, VBUCKETS, sabotage, witness);
        var world =
                new SimulatedNode.World(time, random, network, metakv, redis, witness, planner, FUNCTIONS, sabotage);
        for (int i = 0; i < NODES; i++) {
            nodes.add(new SimulatedNode(world, "n" + i));
        }
        var settings = new ManagerSettings(
                random.nextBoolean(),
                random.nextBoolean(),
                Duration.ofMillis(500),
                Duration.ofMillis(random.nextInt(2) * 1000L),
                SimulatedNode.LEASE,
                Duration.ofSeconds(3),
                Duration.ofSeconds(8),
                Duration.ofSeconds(2));
        AtomicLong ids = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            managers.add(new SimulatedManager(settings, planner, ids, metakv, network, time));
        }
    }

    /**
     * Runs the simulation and returns figures.
     *
     * @throws AssertionError with the seed and the events, if an invariant was violated
     */
    String run() {
        try {
            network.quality(random.nextInt(3) * 0.05, 50 + random.nextInt(400));
            int first = 1 + random.nextInt(3);
            nodes.subList(0, first).forEach(SimulatedNode::start);
            write();
            trouble();
            time.runUntil(TROUBLE_MILLIS);
            peace();
            return witness.figures();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed %d: %s%n%s".formatted(seed, e.getMessage(), String.join("\n", story)), e);
        }
    }

    private void write() {
        if (time.now() < TROUBLE_MILLIS) {
            redis.mutate(random.nextInt(VBUCKETS));
            time.after(random.nextInt(250), this::write);
        }
    }

    private void trouble() {
        time.after(500 + random.nextInt(4000), () -> {
            if (time.now() < TROUBLE_MILLIS) {
                act();
                trouble();
            }
        });
    }

    private void act() {
        SimulatedNode node = nodes.get(random.nextInt(NODES));
        int length = 200 + random.nextInt(8000);
        switch (random.nextInt(11)) {
            case 0, 1 -> start(node);
            case 2 -> {
                if (node.up()) {
                    tell("%s is killed", node);
                    node.crash();
                    if (random.nextBoolean()) {
                        time.after(length, () -> start(node));
                    }
                }
            }
            case 3 -> {
                tell("%s is suspended for %d ms", node, length);
                node.pause(length);
            }
            case 4 -> {
                tell("%s loses Redis for %d ms", node, length);
                node.loseRedis(length);
            }
            case 5 -> {
                tell("%s loses MetaKV for %d ms", node, length);
                node.loseMetakv(length);
            }
            case 6 -> {
                if (node.up()) {
                    tell("%s leaves", node);
                    node.leave();
                }
            }
            case 7 -> ask();
            case 8 -> {
                SimulatedManager manager = managers.get(random.nextInt(managers.size()));
                tell("a manager is away for %d ms", length);
                manager.down(length);
            }
            case 9 -> {
                tell("all lose MetaKV for %d ms", length);
                nodes.forEach(each -> each.loseMetakv(length));
            }
            default -> cancel();
        }
    }

    private void start(SimulatedNode node) {
        if (!node.up() && time.now() < TROUBLE_MILLIS) {
            tell("%s starts", node);
            node.start();
        }
    }

    /** An operator requests a change with some of the nodes. */
    private void ask() {
        ClusterView view = metakv.view();
        TreeSet<String> keep = new TreeSet<>(view.live());
        TreeSet<String> eject = new TreeSet<>();
        Versioned<Layout> layout = view.layout();
        if (layout != null) {
            eject.addAll(layout.value().members());
            eject.removeAll(keep);
        }
        if (keep.size() > 1 && random.nextBoolean()) {
            String out = List.copyOf(keep).get(random.nextInt(keep.size()));
            keep.remove(out);
            eject.add(out);
        }
        var type = random.nextInt(3) == 0 ? TopologyChange.Type.FAILOVER : TopologyChange.Type.REBALANCE;
        SimulatedManager manager = managers.get(random.nextInt(managers.size()));
        if (manager.logic().request(view, type, keep, eject, time.now()) instanceof ChangeRequest.Accepted accepted) {
            tell("%s with %s, without %s", accepted.id(), keep, eject);
            manager.carryOut(accepted.orders());
        }
    }

    private void cancel() {
        Versioned<Change> change = metakv.view().change();
        if (change != null
                && managers.getFirst()
                                .logic()
                                .cancel(metakv.view(), change.value().message().id())
                        instanceof ChangeRequest.Accepted accepted) {
            tell("%s is cancelled in %s", accepted.id(), change.value().phase());
            managers.getFirst().carryOut(accepted.orders());
        }
    }

    /** Stops all faults; the cluster must settle. */
    private void peace() {
        tell("peace");
        network.quality(0, 20);
        nodes.forEach(SimulatedNode::heal);
        for (int waited = 0; waited < PEACE_MILLIS && !settled(); waited += 500) {
            if (nodes.stream().noneMatch(SimulatedNode::up)) {
                nodes.getFirst().start();
            }
            if (waited > 10_000 && !metakv.view().rebalancing() && unbalanced()) {
                ask(); // in manual mode, or after a cancellation, an operator must request it
            }
            time.runUntil(time.now() + 500);
        }
        if (!settled()) {
            throw new AssertionError("The cluster does not settle: " + state());
        }
        for (String function : FUNCTIONS) {
            for (int vbucket = 0; vbucket < VBUCKETS; vbucket++) {
                TreeSet<Integer> timers = new TreeSet<>();
                for (int seqno = SimulatedOwnership.TIMER_EVERY;
                        seqno <= redis.highSeqno(vbucket);
                        seqno += SimulatedOwnership.TIMER_EVERY) {
                    timers.add(seqno);
                }
                witness.complete(function, vbucket, redis.highSeqno(vbucket), timers);
            }
        }
    }

    private boolean unbalanced() {
        Versioned<Layout> layout = metakv.view().layout();
        return layout == null
                || layout.value().frozen()
                || !layout.value().nodes().equals(metakv.view().live());
    }

    /** Whether every vbucket has its planned owner and no work is left. */
    private boolean settled() {
        ClusterView view = metakv.view();
        if (view.rebalancing() || unbalanced() || view.layout() == null) {
            return false;
        }
        Plan plan = view.layout().value().plan(planner);
        for (String function : FUNCTIONS) {
            Map<Integer, OwnerTable.Owner> owners = redis.owners(function);
            for (SimulatedNode node : nodes) {
                VbucketSet planned = plan.of(node.id());
                VbucketSet written = VbucketSet.of(owners.entrySet().stream()
                        .filter(owner -> owner.getValue().node().equals(node.id()))
                        .mapToInt(Map.Entry::getKey));
                SimulatedOwnership ownership = node.functions().get(function);
                if (node.up() && (ownership == null || !ownership.owned().equals(planned))
                        || !written.equals(planned)) {
                    return false;
                }
            }
            for (int vbucket = 0; vbucket < VBUCKETS; vbucket++) {
                if (witness.highest(function, vbucket) < redis.highSeqno(vbucket)
                        || redis.checkpoint(function, vbucket) < redis.highSeqno(vbucket)
                        || !redis.noTimers(function, vbucket)) {
                    return false;
                }
            }
        }
        return true;
    }

    private String state() {
        StringBuilder text = new StringBuilder(metakv.view().toString());
        for (String function : FUNCTIONS) {
            text.append('\n').append(redis.owners(function));
        }
        nodes.forEach(node -> text.append('\n').append(node).append(node.up()).append(node.describe()));
        return text.toString();
    }

    private void tell(String format, Object... arguments) {
        story.add("%6d ms  ".formatted(time.now()) + format.formatted(arguments));
    }
}
