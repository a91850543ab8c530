package io.millrace.subdocservice.cluster;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.NodeInfo;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Keeps the addresses of eventing nodes in the configuration for SDKs up to date. */
final class EventingNodes implements SmartLifecycle {

    private static final String SERVICE = "eventing";
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final MetakvClient metakv;
    private final Cluster cluster;
    private volatile @Nullable Disposable polling;

    EventingNodes(MetakvClient metakv, Cluster cluster) {
        this.metakv = metakv;
        this.cluster = cluster;
    }

    @Override
    public void start() {
        polling = Flux.interval(Duration.ZERO, PERIOD)
                .onBackpressureDrop()
                .concatMap(tick -> metakv.nodes().onErrorResume(unreachable -> Mono.empty()), 1)
                .subscribe(nodes -> cluster.eventing(addresses(nodes)));
    }

    private static List<EventingNode> addresses(List<NodeInfo> nodes) {
        return nodes.stream()
                .filter(node -> node.service().equals(SERVICE))
                .map(node -> EventingNode.at(node.address()))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(EventingNode::host).thenComparing(EventingNode::port))
                .distinct()
                .toList();
    }

    @Override
    public void stop() {
        Disposable running = polling;
        if (running != null) {
            running.dispose();
            polling = null;
        }
    }

    @Override
    public boolean isRunning() {
        return polling != null;
    }
}
