package io.millrace.eventing.topology;

import io.millrace.eventing.runtime.Membership;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.NodeLease;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import io.millrace.metakv.NodeInfo;
import io.millrace.rebalance.Layout;
import io.millrace.rebalance.Plan;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.ClusterView.Versioned;
import io.millrace.rebalance.topology.ManagerSettings;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.Registry;
import io.millrace.rebalance.topology.TopologyAgent;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.TopologyEntries;
import io.millrace.rebalance.topology.TopologyPaths;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps this node in the registry, follows the topology in MetaKV, and carries out this node's part of topology
 * changes. While MetaKV is unavailable, the node continues with the layout that it knows.
 */
public final class ClusterNode implements Membership, SmartLifecycle {

    static final String SERVICE = "eventing";
    static final Duration LEASE = ManagerSettings.DEFAULT.nodeLease();

    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

    private static final Duration LOOK_FOR_NODES = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long TURN_MILLIS = 250;

    /** How long a change waits for the workers of this node; less than the timeout of the cluster manager. */
    private static final Duration PREPARE = Duration.ofSeconds(110);

    /** How long functions that have moved have the processors to themselves. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private static final Followed UNKNOWN = Followed.of(Layout.contiguous("unknown", List.of()));

    private final MetakvClient metakv;
    private final NodeInfo node;
    private final TopologyAgent agent;
    private final JoinGate gate;
    private final Semaphore news = new Semaphore(0);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile ToDoubleFunction<Layout> progress = layout -> 0;
    private volatile Function<Layout, SortedMap<String, VbucketSet>> waitedFor = layout -> new TreeMap<>();
    private volatile BooleanSupplier processReady = () -> true;
    private volatile BooleanSupplier workersReady = () -> true;
    private volatile BooleanSupplier away = () -> false;
    private volatile boolean coming;
    private volatile boolean registeredWithOthers;
    private String preparing = "";
    private long preparingSince;
    private volatile @Nullable SortedMap<String, MetakvEntry> entries;
    private final CountDownLatch read = new CountDownLatch(1);
    private volatile boolean listed;
    private volatile @Nullable Seen seen;
    private volatile TreeSet<String> live = new TreeSet<>();
    private volatile SortedMap<String, NodeInfo> nodes = new TreeMap<>();
    private volatile Followed followed = UNKNOWN;
    private volatile long followedSince = System.nanoTime();
    private volatile boolean running;
    private boolean leaving;

    /** Whether the registry accepted this process under its id and has not accepted another one since. */
    private boolean admitted;

    private @Nullable NodeLease lease;
    private @Nullable Disposable watches;

    /** What was read, and what it says: to parse it would be most of a turn in which nothing has changed. */
    private record Seen(SortedMap<String, MetakvEntry> entries, TreeSet<String> live, ClusterView view) {}

    /** A layout with its plan, which every function reads many times a second. */
    private record Followed(Layout layout, Plan plan) {

        static Followed of(Layout layout) {
            return new Followed(layout, layout.plan(Planner.DEFAULT));
        }
    }

    public ClusterNode(MetakvClient metakv, NodeInfo node) {
        this.metakv = metakv;
        this.node = node;
        this.agent = new TopologyAgent(node.id());
        this.gate = new JoinGate(node.id(), () -> processReady.getAsBoolean(), () -> workersReady.getAsBoolean());
    }

    @Override
    public Layout layout() {
        return followed.layout();
    }

    @Override
    public Plan plan(Layout layout) {
        Followed now = followed;
        return now.layout().equals(layout) ? now.plan() : layout.plan(Planner.DEFAULT);
    }

    /** A node that has registered may get vbuckets before this one, if it is cut off, reads that it has joined. */
    @Override
    public boolean shared(String node) {
        return registeredWithOthers || Membership.super.shared(node);
    }

    @Override
    public boolean coming() {
        return coming || gate.preparing(System.nanoTime());
    }

    /** Functions that have just moved run code that is not compiled yet. */
    @Override
    public boolean settling() {
        return coming()
                || followed.layout().nodes().size() > 1 && System.nanoTime() - followedSince < SETTLING.toNanos();
    }

    /** Returns the id of this node. */
    public String id() {
        return node.id();
    }

    /** Returns the eventing nodes that were registered when last read, by id. */
    public SortedMap<String, NodeInfo> nodes() {
        return nodes;
    }

    /** Returns whether the topology has been read from MetaKV; waits for that, at most for {@code patience}. */
    public boolean known(Duration patience) {
        try {
            return read.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the cluster as this node knows it; before it is known, a cluster without nodes and changes. */
    public ClusterView view() {
        SortedMap<String, MetakvEntry> known = entries;
        TreeSet<String> alive = live;
        if (known == null) {
            return TopologyEntries.view(List.of(), Registry.of(alive));
        }
        Seen last = seen;
        if (last == null || last.entries() != known || last.live() != alive) {
            List<TopologyEntries.Found> found = known.values().stream()
                    .map(entry -> new TopologyEntries.Found(entry.path(), entry.value(), entry.rev()))
                    .toList();
            last = new Seen(known, alive, TopologyEntries.view(found, Registry.of(alive)));
            seen = last;
        }
        return last.view();
    }

    /** Sets the function that returns how much of a layout has been carried out here, 0 to 1. */
    public void measure(ToDoubleFunction<Layout> measured) {
        this.progress = measured;
    }

    /**
     * Sets the function that returns the vbuckets of each function that must still be claimed or given up here for a
     * layout.
     */
    public void waitsFor(Function<Layout, SortedMap<String, VbucketSet>> waiting) {
        this.waitedFor = waiting;
    }

    /** Sets the function that returns whether every deployed function has its workers ready here. */
    public void preparedWhen(BooleanSupplier ready) {
        this.workersReady = ready;
    }

    /** Sets the function that returns whether this node cannot serve its share; meanwhile it leaves the registry. */
    public void awayWhile(BooleanSupplier lapsed) {
        this.away = lapsed;
    }

    /**
     * Sets the function that returns whether functions start here without waiting for a worker process. Until then, and until
     * their workers are ready, this node stays out of the registry if other nodes do its work: it would keep the vbuckets waiting
     * that they hand over.
     */
    public void joinsWhen(BooleanSupplier ready) {
        this.processReady = ready;
    }

    /** Returns whether this process has joined the cluster, or has left it again. */
    public boolean joined() {
        return gate.passed();
    }

    /** Adds a listener that is called whenever this node follows another layout. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public synchronized void start() {
        running = true;
        leaving = false;
        Flux<?> lists = Flux.interval(Duration.ZERO, LOOK_FOR_NODES)
                .onBackpressureDrop()
                .concatMap(tick -> metakv.nodes().doOnNext(this::foundNodes).onErrorResume(away -> Mono.empty()));
        Flux<?> follows = metakv.follow(TopologyPaths.DIRECTORY).doOnNext(now -> {
            entries = now;
            read.countDown();
            news.release();
        });
        watches = Flux.merge(lists, follows)
                .subscribe(next -> {}, failure -> LOG.error("event=topology_watch_ended", failure));
        Thread.ofVirtual().name("topology").start(this::run);
    }

    private void foundNodes(List<NodeInfo> all) {
        TreeMap<String, NodeInfo> found = new TreeMap<>();
        all.stream().filter(known -> known.service().equals(SERVICE)).forEach(known -> found.put(known.id(), known));
        nodes = found;
        if (!live.equals(found.keySet())) {
            live = new TreeSet<>(found.keySet());
        }
        if (!listed) {
            listed = true;
            news.release();
        }
    }

    private void run() {
        try {
            while (running) {
                if (news.tryAcquire(TURN_MILLIS, TimeUnit.MILLISECONDS)) {
                    news.drainPermits();
                }
                updateRegistration();
                if (running && entries != null && admitted()) {
                    turn();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Leaves the registry while this node cannot reach Redis, so that the others can take over its share. */
    private synchronized void updateRegistration() {
        boolean absent = away.getAsBoolean();
        if (leaving) {
            return;
        }
        if (running && absent && lease != null) {
            LOG.warn("event=unregistered node={} reason=\"Redis cannot be reached\"", node.id());
            unregister();
        } else if (running && !absent && lease == null && mayJoin()) {
            LOG.info("event=registered node={}", node.id());
            lease = metakv.register(node, LEASE);
        }
    }

    private boolean mayJoin() {
        return gate.passed() || entries != null && listed && gate.passes(view(), System.nanoTime());
    }

    /** Returns whether this process holds its id; two processes with one id would both own its vbuckets. */
    private synchronized boolean admitted() {
        if (lease != null && lease.refused()) {
            if (admitted) {
                LOG.error("event=node_id_taken node={} reason=\"another process has this id\"", node.id());
                follow(UNKNOWN);
            }
            admitted = false;
        } else if (lease != null && lease.current()) {
            admitted = true;
        }
        return admitted;
    }

    private void follow(Followed next) {
        followedSince = System.nanoTime();
        followed = next;
        listeners.forEach(Runnable::run);
    }

    private void turn() {
        try {
            ClusterView view = view();
            Versioned<Change> change = view.change();
            registeredWithOthers = view.live().stream().anyMatch(live -> !live.equals(node.id()));
            coming = change != null && change.value().takesIn(node.id());
            List<Order> orders =
                    agent.decide(view, progress, () -> change == null || prepared(change.value()), waitedFor);
            Layout adopted = agent.layout();
            if (adopted != null && !adopted.equals(followed.layout())) {
                LOG.info(
                        "event=layout_followed layout={} nodes={} frozen={}",
                        adopted.id(),
                        adopted.nodes(),
                        adopted.frozen());
                if (adopted.members().contains(node.id())) {
                    gate.arrived();
                }
                follow(Followed.of(adopted));
            }
            for (Order order : orders) {
                if (!carryOut(order)) {
                    return;
                }
            }
        } catch (RuntimeException away) {
            LOG.warn("event=topology_not_changed reason=\"{}\"", away.getMessage());
        }
    }

    /**
     * Vbuckets move once the workers of the receiving node are ready, because starting a worker takes longer than a
     * move. A failover does not wait: the vbuckets of a dead node have no owner meanwhile.
     */
    private boolean prepared(Change change) {
        String id = change.message().id();
        if (!preparing.equals(id)) {
            preparing = id;
            preparingSince = System.nanoTime();
        }
        return !coming
                || change.message().type() == TopologyChange.Type.FAILOVER
                || gate.late()
                || workersReady.getAsBoolean()
                || System.nanoTime() - preparingSince > PREPARE.toNanos();
    }

    private boolean carryOut(Order order) {
        TopologyEntries.EntryWrite write = TopologyEntries.write(order);
        byte[] value = write.value();
        if (value == null) {
            metakv.delete(write.path()).block(PATIENCE);
            return true;
        }
        Mono<Boolean> written = switch (write.condition()) {
            case ALWAYS -> metakv.set(write.path(), value).thenReturn(true);
            case ABSENT -> metakv.add(write.path(), value).map(WriteOutcome.Written.class::isInstance);
            case AT_REV -> metakv.set(write.path(), value, write.rev()).map(WriteOutcome.Written.class::isInstance);
        };
        return Boolean.TRUE.equals(written.block(PATIENCE));
    }

    /**
     * Removes this node from the registry for good, before its functions stop: the others can prepare for its vbuckets
     * and claim each as soon as it is given up. This node keeps following the topology.
     */
    public synchronized void leave() {
        leaving = true;
        unregister();
    }

    private void unregister() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        news.release();
        if (watches != null) {
            watches.dispose();
            watches = null;
        }
        unregister();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Starts before functions and stops after them. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
