package io.millrace.metakv;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** A node's registration, renewed in the background every third of the lease until it is released. */
public interface NodeLease extends AutoCloseable {

    /** How long {@link #close} waits. */
    Duration PATIENCE = Duration.ofSeconds(2);

    /** Returns whether the registry has confirmed this node within the last lease. */
    boolean current();

    /**
     * Returns whether the registry has another process under this node's id. Registration goes on being tried; until then
     * this process must not act as the node.
     */
    default boolean refused() {
        return false;
    }

    /** Stops the renewal and takes the node out of the registry; the registry forgets it anyway when this fails. */
    Mono<Void> release();

    /**
     * Releases and waits for it, at most 2 seconds; never throws, since the registry forgets the node anyway. Not for
     * event loop threads.
     */
    @Override
    default void close() {
        release().timeout(PATIENCE).onErrorComplete().block();
    }
}
