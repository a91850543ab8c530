package io.millrace.subdocservice.cluster;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configuration that this process gives to SDKs; it exists once the ports are known. Thread-safe. */
public final class Cluster {

    private volatile @Nullable ClusterConfig config;

    /** Returns the configuration; empty while the service is starting. */
    public Optional<ClusterConfig> config() {
        return Optional.ofNullable(config);
    }

    public void publish(ClusterConfig known) {
        config = known;
    }
}
