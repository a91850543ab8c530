package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionName;
import java.time.Instant;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which node leads: it deploys functions for all nodes, and records that they are paused or undeployed once
 * they have stopped everywhere.
 */
final class Nodes {

    private final String here;
    private final Supplier<SortedSet<String>> sharing;
    private final Supplier<? extends Set<String>> alive;
    private final UnfinishedNodes unfinished;
    private final Runnable leaving;

    /**
     * @param here the id of this node
     * @param sharing the nodes of the layout
     * @param alive the nodes that are registered
     * @param leaving removes this node from the registry
     */
    Nodes(
            String here,
            Supplier<SortedSet<String>> sharing,
            Supplier<? extends Set<String>> alive,
            UnfinishedNodes unfinished,
            Runnable leaving) {
        this.here = here;
        this.sharing = sharing;
        this.alive = alive;
        this.unfinished = unfinished;
        this.leaving = leaving;
    }

    String here() {
        return here;
    }

    /** Returns whether this node leads: the first one that shares vbuckets and is alive. */
    boolean leads() {
        return sharing.get().stream()
                .filter(this::alive)
                .findFirst()
                .filter(here::equals)
                .isPresent();
    }

    /** Returns whether a node is registered; this one always counts as registered. */
    boolean alive(@Nullable String node) {
        return node != null && (node.equals(here) || alive.get().contains(node));
    }

    /** Announces to the others that this node will give up its share; called before functions stop here. */
    void leave() {
        leaving.run();
    }

    /** Returns the other nodes that have not stopped a function; waits for their answers. */
    UnfinishedNodes.Found unfinished(FunctionName name, Instant since) throws InterruptedException {
        try {
            return unfinished.of(name, since).get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("The other nodes could not be asked", failed);
        }
    }
}
