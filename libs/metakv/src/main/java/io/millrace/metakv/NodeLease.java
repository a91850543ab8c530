package io.millrace.metakv;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** The registration of a node, renewed in the background every third of the lease until it is released. */
public interface NodeLease extends AutoCloseable {

    /** The longest wait of {@link #close}. */
    Duration PATIENCE = Duration.ofSeconds(2);

    /** Returns whether the registry has confirmed this node within the last lease. */
    boolean current();

    /**
     * Returns whether another process is registered with the id of this node. The lease keeps trying to register; until it
     * succeeds, this process must not act as the node.
     */
    default boolean refused() {
        return false;
    }

    /** Stops the renewal and removes the node from the registry. If this fails, the registration expires. */
    Mono<Void> release();

    /**
     * Releases the lease and waits at most 2 seconds; never throws, because the registration expires anyway. Do not call it
     * on an event loop.
     */
    @Override
    default void close() {
        release().timeout(PATIENCE).onErrorComplete().block();
    }
}
