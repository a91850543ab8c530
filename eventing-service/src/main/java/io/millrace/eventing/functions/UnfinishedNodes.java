package io.millrace.eventing.functions;

import io.millrace.eventing.definition.FunctionName;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks the other nodes whether they have ended a function. */
@FunctionalInterface
public interface UnfinishedNodes {

    /**
     * The nodes to wait for.
     *
     * @param working they finish what they have in hand, or have not heard yet that they should
     * @param silent they are registered and do not answer
     */
    record Found(List<String> working, List<String> silent) {

        boolean none() {
            return working.isEmpty() && silent.isEmpty();
        }
    }

    /**
     * Completes with the nodes that have not ended a function; never fails because of a node.
     *
     * @param since when the state began in which nobody is to run it
     */
    CompletableFuture<Found> of(FunctionName name, Instant since);
}
