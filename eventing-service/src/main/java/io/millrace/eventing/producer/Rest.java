package io.millrace.eventing.producer;

import io.millrace.eventing.runtime.Membership;
import io.millrace.rebalance.Layout;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a function that had nothing to do when it was looked at: it need not be looked at again before some time has passed,
 * unless the lease or the layout, which all functions of a node share, changes. Used by one thread.
 */
final class Rest {

    private static final long NANOS = Duration.ofMillis(500).toNanos();

    private final Membership membership;
    private @Nullable Layout layout;
    private long term;
    private String run = "";
    private long until;

    Rest(Membership membership) {
        this.membership = membership;
    }

    void begin(NodeLeases.Held held) {
        layout = membership.layout();
        term = held.term();
        run = held.run();
        until = System.nanoTime() + NANOS;
    }

    boolean goesOn(NodeLeases.Held held) {
        return layout != null
                && System.nanoTime() - until < 0
                && membership.layout() == layout
                && held.valid(term)
                && held.run().equals(run);
    }
}
