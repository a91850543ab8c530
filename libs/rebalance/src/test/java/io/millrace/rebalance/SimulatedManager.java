package io.millrace.rebalance;

import io.millrace.rebalance.topology.ClusterManager;
import io.millrace.rebalance.topology.ManagerSettings;
import io.millrace.rebalance.topology.Order;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** An instance of metakv-service: periodically calls its cluster manager and executes its orders. */
final class SimulatedManager {

    private static final int TICK_MILLIS = 200;

    private final ClusterManager manager;
    private final SimulatedMetakv metakv;
    private final SimulatedNetwork network;
    private final VirtualTime time;
    private boolean up = true;
    private long busyUntil;

    SimulatedManager(
            ManagerSettings settings,
            Planner planner,
            AtomicLong ids,
            SimulatedMetakv metakv,
            SimulatedNetwork network,
            VirtualTime time) {
        this.manager = new ClusterManager(settings, planner, () -> "change-" + ids.incrementAndGet());
        this.metakv = metakv;
        this.network = network;
        this.time = time;
        tick();
    }

    ClusterManager logic() {
        return manager;
    }

    void down(long millis) {
        up = false;
        time.after(millis, () -> up = true);
    }

    private void tick() {
        time.after(TICK_MILLIS, this::tick);
        if (up && time.now() >= busyUntil) {
            busyUntil = time.now() + 1000;
            network.call(() -> up, metakv::view, view -> carryOut(manager.decide(view, time.now())));
        }
    }

    void carryOut(List<Order> orders) {
        if (orders.isEmpty()) {
            busyUntil = 0;
            return;
        }
        network.call(() -> up, () -> metakv.carryOut(orders.getFirst()), done -> {
            if (done) {
                carryOut(orders.subList(1, orders.size()));
            } else {
                busyUntil = 0;
            }
        });
    }
}
