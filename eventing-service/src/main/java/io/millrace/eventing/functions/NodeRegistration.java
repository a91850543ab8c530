package io.millrace.eventing.functions;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.NodeInfo;
import io.millrace.metakv.NodeLease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Keeps this node in the registry and knows how many eventing nodes are there. */
final class NodeRegistration implements SmartLifecycle {

    static final String SERVICE = "eventing";
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(NodeRegistration.class);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final MetakvClient metakv;
    private final NodeInfo node;
    private volatile int nodes = 1;
    private @Nullable NodeLease lease;
    private @Nullable Disposable looks;

    NodeRegistration(MetakvClient metakv, NodeInfo node) {
        this.metakv = metakv;
        this.node = node;
    }

    /** Returns how many eventing nodes were last known, at least this one. */
    int nodes() {
        return nodes;
    }

    @Override
    public synchronized void start() {
        lease = metakv.register(node, LEASE);
        looks = Flux.interval(Duration.ZERO, LOOK)
                .onBackpressureDrop()
                .concatMap(tick -> metakv.nodes()
                        .map(all -> (int) all.stream()
                                .filter(known -> known.service().equals(SERVICE))
                                .count())
                        .onErrorResume(unreachable -> Mono.empty()))
                .subscribe(count -> nodes = Math.max(1, count), failure -> log.error("nodes=unknown", failure));
    }

    @Override
    public synchronized void stop() {
        if (looks != null) {
            looks.dispose();
            looks = null;
        }
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return lease != null;
    }
}
