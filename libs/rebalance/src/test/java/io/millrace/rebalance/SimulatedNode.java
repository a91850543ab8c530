package io.millrace.rebalance;

import io.millrace.rebalance.ownership.HeldLease;
import io.millrace.rebalance.ownership.OwnershipStep;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.TopologyAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An eventing node: the agent, the lease, and the vbuckets of each function. Crashes, pauses and loses its network. */
final class SimulatedNode {

    static final Duration LEASE = Duration.ofSeconds(3);

    /** The shared parts of a simulation. */
    record World(
            VirtualTime time,
            RandomGenerator random,
            SimulatedNetwork network,
            SimulatedMetakv metakv,
            SimulatedRedis redis,
            Witness witness,
            Planner planner,
            List<String> functions,
            Sabotage sabotage) {}

    private static final int LEASE_TICK_MILLIS = 600;
    private static final int TOPOLOGY_TICK_MILLIS = 250;
    private static final int CHECKPOINT_TICK_MILLIS = 1000;

    private final World world;
    private final String id;
    private final Map<String, SimulatedOwnership> functions = new TreeMap<>();
    private TopologyAgent agent;
    private HeldLease lease = new HeldLease(LEASE);

    /** Counts restarts of the process; callbacks of an earlier run are dropped. */
    private int life;

    private boolean up;
    private boolean leaving;
    private long pausedUntil;
    private long redisAwayUntil;
    private long metakvAwayUntil;
    private long viewAskedAt;
    private boolean carryingOut;

    SimulatedNode(World world, String id) {
        this.world = world;
        this.id = id;
        this.agent = new TopologyAgent(id);
        world.witness().watch(this);
    }

    String id() {
        return id;
    }

    World world() {
        return world;
    }

    boolean up() {
        return up;
    }

    @Nullable
    Layout layout() {
        return leaving ? Layout.contiguous("leaving", List.of()) : agent.layout();
    }

    Map<String, SimulatedOwnership> functions() {
        return functions;
    }

    void start() {
        life++;
        up = true;
        leaving = false;
        pausedUntil = 0;
        agent = new TopologyAgent(id);
        lease = new HeldLease(LEASE);
        carryingOut = false;
        viewAskedAt = Long.MIN_VALUE / 2;
        functions.clear();
        world.functions().forEach(name -> functions.put(name, new SimulatedOwnership(this, name)));
        every(LEASE_TICK_MILLIS, this::renew);
        every(TOPOLOGY_TICK_MILLIS, this::look);
        functions.values().forEach(SimulatedOwnership::start);
        every(CHECKPOINT_TICK_MILLIS, () -> functions.values().forEach(SimulatedOwnership::save));
    }

    /** Kills the process. */
    void crash() {
        up = false;
        life++;
    }

    /** Suspends the process; it continues later with everything that arrived meanwhile. */
    void pause(long millis) {
        pausedUntil = Math.max(pausedUntil, world.time().now() + millis);
    }

    void loseRedis(long millis) {
        redisAwayUntil = world.time().now() + millis;
    }

    void loseMetakv(long millis) {
        metakvAwayUntil = world.time().now() + millis;
    }

    void heal() {
        redisAwayUntil = 0;
        metakvAwayUntil = 0;
    }

    /** Releases all vbuckets, leaves the registry, and ends. */
    void leave() {
        leaving = true;
        tryToLeave(100);
    }

    private void tryToLeave(int patience) {
        boolean empty = functions.values().stream().allMatch(SimulatedOwnership::empty);
        if (!empty && patience > 0) {
            after(100, () -> tryToLeave(patience - 1));
            return;
        }
        toMetakv(
                () -> {
                    world.metakv().unregister(id);
                    return true;
                },
                done -> {});
        after(50, this::crash);
    }

    private void renew() {
        long sent = world.time().now();
        toRedis(() -> world.redis().renew(id, LEASE), lapsed -> lease.renewed(sent, lapsed));
        if (!leaving) {
            toMetakv(
                    () -> {
                        world.metakv().register(id, LEASE.toMillis());
                        return true;
                    },
                    done -> {});
        }
    }

    private void look() {
        if (carryingOut && world.time().now() - viewAskedAt < 1500) {
            return;
        }
        viewAskedAt = world.time().now();
        carryingOut = true;
        toMetakv(world.metakv()::view, view -> carryOut(agent.decide(view, this::progress)));
    }

    private void carryOut(List<Order> orders) {
        if (orders.isEmpty()) {
            carryingOut = false;
            return;
        }
        toMetakv(() -> world.metakv().carryOut(orders.getFirst()), done -> {
            carryingOut = done;
            if (done) {
                carryOut(orders.subList(1, orders.size()));
            }
        });
    }

    private double progress(Layout layout) {
        Plan plan = layout.plan(world.planner());
        int unsettled = functions.values().stream()
                .mapToInt(function -> OwnershipStep.unsettled(layout, plan, id, function.owned()))
                .sum();
        return 1 - (double) unsettled / (world.planner().vbuckets() * functions.size());
    }

    long term() {
        return lease.term();
    }

    /** Whether this node may act as owner of the vbuckets that it last compared. */
    boolean valid(long comparedTerm) {
        long now = world.time().now();
        return switch (world.sabotage()) {
            case IGNORE_OWN_LEASE -> true;
            case NO_LOOK_AFTER_LAPSE -> lease.held(now);
            default -> lease.valid(now, comparedTerm);
        };
    }

    /** Whether an event could be handled here now. */
    boolean actsOn(String function, int vbucket) {
        SimulatedOwnership ownership = functions.get(function);
        return up && !paused() && ownership != null && ownership.open(vbucket) && ownership.valid();
    }

    private boolean paused() {
        return world.time().now() < pausedUntil;
    }

    <T> void toRedis(java.util.function.Supplier<T> call, java.util.function.Consumer<T> answer) {
        world.network().call(() -> world.time().now() >= redisAwayUntil, call, mine(answer));
    }

    private <T> void toMetakv(java.util.function.Supplier<T> call, java.util.function.Consumer<T> answer) {
        world.network().call(() -> world.time().now() >= metakvAwayUntil, call, mine(answer));
    }

    private <T> java.util.function.Consumer<T> mine(java.util.function.Consumer<T> work) {
        int current = life;
        return result -> run(current, () -> work.accept(result));
    }

    void after(long millis, Runnable work) {
        int current = life;
        world.time().after(millis, () -> run(current, work));
    }

    void every(int millis, Runnable work) {
        after(1 + world.random().nextInt(millis), () -> {
            work.run();
            again(millis, work);
        });
    }

    private void again(int millis, Runnable work) {
        after(millis, () -> {
            work.run();
            again(millis, work);
        });
    }

    private void run(int current, Runnable work) {
        if (current != life) {
            return;
        }
        if (paused()) {
            world.time().after(pausedUntil - world.time().now(), () -> run(current, work));
            return;
        }
        work.run();
    }

    List<String> describe() {
        List<String> lines = new ArrayList<>();
        functions.forEach((name, ownership) -> lines.add(name + ":" + ownership.owned()));
        return lines;
    }

    @Override
    public String toString() {
        return id;
    }
}
