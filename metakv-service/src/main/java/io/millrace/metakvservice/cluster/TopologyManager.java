package io.millrace.metakvservice.cluster;

import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.NodeInfo;
import io.millrace.metakvservice.entries.Entries;
import io.millrace.metakvservice.entries.Mirror;
import io.millrace.metakvservice.http.ErrorTable;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.topology.ClusterManager;
import io.millrace.rebalance.topology.ClusterManager.ChangeRequest;
import io.millrace.rebalance.topology.ClusterView;
import io.millrace.rebalance.topology.ManagerSettings;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.Registry;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.TopologyEntries;
import io.millrace.rebalance.topology.TopologyPaths;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs the {@link ClusterManager} of this instance: reads the mirror ten times a second, without calls to Redis, and writes
 * what the cluster manager decides. Every instance runs one.
 */
@Component
final class TopologyManager implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(TopologyManager.class);

    private static final Duration LOOK = Duration.ofMillis(100);

    /** The service whose nodes share vbuckets. */
    private static final String SERVICE = "eventing";

    /** The nodes that share the vbuckets after a change, and the nodes that leave. */
    record Wish(Collection<String> keep, Collection<String> eject) {}

    private final Entries entries;
    private final NodeRegistry nodes;
    private final Mirror mirror;
    private final InstantSource clock;
    private final ClusterManager manager;
    private final boolean automatic;
    private @Nullable Disposable looks;

    TopologyManager(
            Entries entries,
            NodeRegistry nodes,
            Mirror mirror,
            InstantSource clock,
            @Value("${millrace.topology.mode}") String mode,
            @Value("${millrace.topology.least-movement}") boolean leastMovement,
            @Value("${millrace.topology.join-delay}") Duration joinDelay,
            @Value("${millrace.topology.failover-delay}") Duration failoverDelay) {
        if (!List.of("auto", "manual").contains(mode)) {
            throw new IllegalArgumentException("MILLRACE_TOPOLOGY_MODE must be auto or manual, not " + mode);
        }
        this.entries = entries;
        this.nodes = nodes;
        this.mirror = mirror;
        this.clock = clock;
        this.automatic = mode.equals("auto");
        ManagerSettings usual = ManagerSettings.DEFAULT;
        this.manager = new ClusterManager(
                new ManagerSettings(
                        automatic,
                        leastMovement,
                        joinDelay,
                        failoverDelay,
                        usual.nodeLease(),
                        usual.prepareTimeout(),
                        usual.stallTimeout(),
                        usual.retryDelay()),
                Planner.DEFAULT,
                () -> UUID.randomUUID().toString());
    }

    boolean automatic() {
        return automatic;
    }

    /** Returns the cluster after every write that was acknowledged before this call. */
    Mono<ClusterView> current() {
        return entries.caughtUp().then(Mono.fromSupplier(this::view));
    }

    /** Returns the live nodes that share vbuckets, as this instance knows them. */
    List<NodeInfo> nodes() {
        return registrations().map(NodeRegistry.Registration::node).toList();
    }

    private Stream<NodeRegistry.Registration> registrations() {
        return nodes.known().stream()
                .filter(registration -> registration.node().service().equals(SERVICE));
    }

    /** Returns the cluster as this instance knows it. */
    ClusterView view() {
        TreeMap<String, Long> leases = new TreeMap<>();
        registrations()
                .forEach(registration -> leases.put(
                        registration.node().id(), registration.expires().toEpochMilli()));
        return TopologyEntries.view(
                mirror.below(TopologyPaths.DIRECTORY).stream()
                        .map(entry -> new TopologyEntries.Found(entry.path(), entry.value(), entry.rev()))
                        .toList(),
                new Registry(leases, nodes.left()));
    }

    /**
     * Starts a change; completes with its id, or fails with a conflict that gives the reason.
     *
     * @param wish computes the nodes from the current cluster
     */
    Mono<String> request(TopologyChange.Type type, Function<ClusterView, Wish> wish) {
        return current().flatMap(view -> {
            Wish wanted = wish.apply(view);
            synchronized (manager) {
                return done(manager.request(view, type, wanted.keep(), wanted.eject(), clock.millis()));
            }
        });
    }

    /** Stops the change with this id. */
    Mono<String> cancel(String id) {
        return current().flatMap(view -> {
            synchronized (manager) {
                return done(manager.cancel(view, id));
            }
        });
    }

    private Mono<String> done(ChangeRequest request) {
        return switch (request) {
            case ChangeRequest.Refused(String reason) -> Mono.error(ErrorTable.conflict(reason));
            case ChangeRequest.Accepted(String id, List<Order> orders) ->
                carryOut(orders)
                        .flatMap(all -> all
                                ? Mono.just(id)
                                : Mono.error(ErrorTable.conflict(
                                        "The topology was changed at the same time. Repeat the request.")));
        };
    }

    @Override
    public synchronized void start() {
        looks = Flux.interval(LOOK)
                .onBackpressureDrop()
                .concatMap(tick -> look().onErrorResume(failure -> {
                    LOG.warn("event=topology_check_failed reason=\"{}\"", failure.getMessage());
                    return Mono.delay(Duration.ofSeconds(1)).then();
                }))
                .subscribe(done -> {}, failure -> LOG.error("event=topology_manager_stopped", failure));
    }

    private Mono<Void> look() {
        return Mono.defer(() -> {
            if (!mirror.live()) {
                synchronized (manager) {
                    manager.blind();
                }
                return Mono.empty();
            }
            ClusterView view = view();
            List<Order> orders;
            synchronized (manager) {
                orders = manager.decide(view, clock.millis());
            }
            return carryOut(orders).then();
        });
    }

    /** Executes orders in sequence; completes with false at the first one that finds another rev. */
    private Mono<Boolean> carryOut(List<Order> orders) {
        return Flux.fromIterable(orders).concatMap(this::carryOut).all(done -> done);
    }

    private Mono<Boolean> carryOut(Order order) {
        TopologyEntries.EntryWrite write = TopologyEntries.write(order);
        byte[] value = write.value();
        Entries.Author author = Entries.Author.of("metakv-service");
        if (value == null) {
            return entries.delete(write.path(), author).thenReturn(true);
        }
        Mono<WriteOutcome> outcome = switch (write.condition()) {
            case ALWAYS -> entries.set(write.path(), value, author);
            case ABSENT -> entries.add(write.path(), value, author);
            case AT_REV -> entries.setAtRev(write.path(), value, write.rev(), author);
        };
        return outcome.map(result -> {
            boolean written = result instanceof WriteOutcome.Written;
            if (written && order instanceof Order.PutChange(var change, var before)) {
                LOG.info(
                        "event=topology_change change={} phase={} keep={} eject={} reason=\"{}\"",
                        change.message().id(),
                        change.phase(),
                        change.message().keep(),
                        change.message().eject(),
                        change.error());
            }
            return written;
        });
    }

    @Override
    public synchronized void stop() {
        if (looks != null) {
            looks.dispose();
            looks = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return looks != null;
    }
}
