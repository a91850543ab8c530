package io.millrace.subdocservice.cluster;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configuration that this process gives to SDKs; it exists once the ports are known. Thread-safe. */
public final class Cluster {

    private volatile @Nullable ClusterConfig config;
    private List<EventingNode> eventing = List.of();

    /** Returns the configuration; empty while the service is starting. */
    public Optional<ClusterConfig> config() {
        return Optional.ofNullable(config);
    }

    public synchronized void publish(ClusterConfig known) {
        config = known.with(eventing);
    }

    /** Notes where functions are managed; clients that ask again get the next revision of the configuration. */
    synchronized void eventing(List<EventingNode> nodes) {
        if (!nodes.equals(eventing)) {
            eventing = List.copyOf(nodes);
            ClusterConfig known = config;
            if (known != null) {
                config = known.with(eventing);
            }
        }
    }
}
