package io.millrace.subdocservice.cluster;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configuration that this process gives to SDKs; it exists once the ports are known. Thread-safe. */
public final class Cluster {

    private final Optional<FunctionsAddress> functions;
    private volatile @Nullable ClusterConfig config;

    /**
     * @param gateway the URL under which SDKs reach the gateway, where they manage functions; "" if they cannot
     * @throws IllegalArgumentException if it is not a URL with a host and a port
     */
    public Cluster(String gateway) {
        this.functions = FunctionsAddress.of(gateway);
    }

    /** Returns the configuration; empty while the service is starting. */
    public Optional<ClusterConfig> config() {
        return Optional.ofNullable(config);
    }

    /**
     * @param revision grows with every start of the service; clients use the configuration with the highest one
     */
    public void publish(long revision, ClusterPorts ports) {
        config = new ClusterConfig(revision, ports, functions);
    }
}
