package io.millrace.subdocservice.cluster;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configuration that this process hands out, once it knows the ports that it listens on. Thread-safe. */
public final class Cluster {

    private volatile @Nullable ClusterConfig config;

    /** Returns the configuration, or nothing while the service starts. */
    public Optional<ClusterConfig> config() {
        return Optional.ofNullable(config);
    }

    public void publish(ClusterConfig known) {
        config = known;
    }
}
