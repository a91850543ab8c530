package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionName;
import java.time.Instant;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who does what one node does for all: it deploys functions, and says that they have ended when they have everywhere. */
final class Nodes {

    private final String here;
    private final Supplier<SortedSet<String>> sharing;
    private final Supplier<? extends Set<String>> alive;
    private final UnfinishedNodes stragglers;
    private final Runnable leaving;

    /**
     * @param here the id of this node
     * @param sharing the nodes of the layout
     * @param alive the nodes that are registered
     * @param leaving takes this node out of the registry
     */
    Nodes(
            String here,
            Supplier<SortedSet<String>> sharing,
            Supplier<? extends Set<String>> alive,
            UnfinishedNodes stragglers,
            Runnable leaving) {
        this.here = here;
        this.sharing = sharing;
        this.alive = alive;
        this.stragglers = stragglers;
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

    /** Returns whether a node is there; this one is, even when its registration is not known here yet. */
    boolean alive(@Nullable String node) {
        return node != null && (node.equals(here) || alive.get().contains(node));
    }

    /** Tells the others, before functions end here, that this node will have no share any more. */
    void leave() {
        leaving.run();
    }

    /** Returns which other nodes have not ended a function; waits for their answers. */
    UnfinishedNodes.Found stragglers(FunctionName name, Instant since) throws InterruptedException {
        try {
            return stragglers.of(name, since).get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("The other nodes cannot be asked", failed);
        }
    }
}
