package io.millrace.metakvservice.cluster;

import io.millrace.metakv.WriteOutcome;
import io.millrace.metakvservice.entries.Entries;
import io.millrace.metakvservice.entries.Mirror;
import io.millrace.metakvservice.http.ErrorTable;
import io.millrace.rebalance.Planner;
import io.millrace.rebalance.topology.ChangeRequest;
import io.millrace.rebalance.topology.ClusterManager;
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
 * The cluster manager of this instance: looks at the mirror all the time, which costs Redis nothing, and writes what the
 * {@link ClusterManager} decides. Every instance has one.
 */
@Component
final class TopologyManager implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(TopologyManager.class);

    private static final Duration LOOK = Duration.ofMillis(100);

    /** The service whose nodes share vbuckets. */
    private static final String SERVICE = "eventing";

    /** The nodes that share the vbuckets after a change, and those that do not. */
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
            throw new IllegalArgumentException("MILLRACE_TOPOLOGY_MODE is auto or manual, not " + mode);
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

    /** Returns the cluster as every write that was answered before has made it. */
    Mono<ClusterView> current() {
        return entries.caughtUp().then(Mono.fromSupplier(this::view));
    }

    /** Returns the cluster as far as this instance has heard of it. */
    ClusterView view() {
        TreeMap<String, Long> leases = new TreeMap<>();
        nodes.known().stream()
                .filter(registration -> registration.node().service().equals(SERVICE))
                .forEach(registration -> leases.put(
                        registration.node().id(), registration.expires().toEpochMilli()));
        return TopologyEntries.view(
                mirror.below(TopologyPaths.DIRECTORY).stream()
                        .map(entry -> new TopologyEntries.Found(entry.path(), entry.value(), entry.rev()))
                        .toList(),
                new Registry(leases, nodes.left()));
    }

    /**
     * Begins a change; completes with its id, or with a conflict that says why not.
     *
     * @param wish tells the nodes from the cluster as it is at that moment
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
                                        "Somebody else changed the topology at this moment. Ask again.")));
        };
    }

    @Override
    public synchronized void start() {
        looks = Flux.interval(LOOK)
                .onBackpressureDrop()
                .concatMap(tick -> look().onErrorResume(failure -> {
                    log.warn("topology=unchanged reason=\"{}\"", failure.getMessage());
                    return Mono.delay(Duration.ofSeconds(1)).then();
                }))
                .subscribe(done -> {}, failure -> log.error("topology=unattended", failure));
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

    /** Carries out orders one after the other; completes with false at the first that meets another rev. */
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
                log.info(
                        "change={} phase={} keep={} eject={} reason=\"{}\"",
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
