package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionName;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Finds the other nodes that have not stopped a function. */
@FunctionalInterface
public interface UnfinishedNodes {

    /**
     * The nodes to wait for.
     *
     * @param working they are finishing events, or do not know yet that they should stop
     * @param silent they are registered but do not answer
     */
    record Found(List<String> working, List<String> silent) {

        boolean none() {
            return working.isEmpty() && silent.isEmpty();
        }
    }

    /**
     * Completes with the nodes that have not stopped a function; does not fail when a node does not answer.
     *
     * @param since when the function entered the state in which no node runs it
     */
    CompletableFuture<Found> of(FunctionName name, Instant since);
}
